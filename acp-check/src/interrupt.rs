use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Whether the user asked to stop. Agents are then ended and the report is written; only after
/// that does one more Ctrl-C end the program at once, so that no agent is left running.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
    agents_are_gone: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to Ctrl-C, to TERM and to the end of the terminal.
    pub(crate) fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let gone = interrupt.agents_are_gone.clone();
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, gone);
            let _ = signal_hook::flag::register(signal, interrupt.flag());
        }
        interrupt
    }

    /// What is true once the user asked to stop.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.asked.clone()
    }

    pub(crate) fn is_set(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Nothing runs any more that would be left behind.
    pub(crate) fn agents_are_gone(&self) {
        self.agents_are_gone.store(true, Ordering::Relaxed);
    }
}
