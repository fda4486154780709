use std::time::Duration;

use acp_model::judge::Finding;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows on a terminal how far a check is; silent elsewhere.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Draws on standard error where that is a terminal.
    pub(crate) fn new() -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template(
            "{spinner} {prefix:<8} [{bar:28}] {pos}/{len} {elapsed} {wide_msg}",
        ) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Progress { bar }
    }

    /// Draws nothing.
    pub(crate) fn hidden() -> Progress {
        Progress { bar: ProgressBar::hidden() }
    }

    /// Starts a phase of so many steps.
    pub(crate) fn phase(&self, name: &'static str, steps: usize) {
        self.bar.set_prefix(name);
        self.bar.set_length(steps as u64);
        self.bar.set_position(0);
    }

    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }

    /// Names what was last suspected.
    pub(crate) fn suspect(&self, finding: &Finding) {
        self.bar.set_message(format!("{}: {}", finding.rule, finding.seen));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
