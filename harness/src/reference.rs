use acp_model::reference::{Agent, Flow, Setup};

use crate::inprocess::{AgentFlow, InProcess, LineAgent};

impl LineAgent for Agent {
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> AgentFlow {
        match Agent::line(self, line, out) {
            Flow::Continue => AgentFlow::Continue,
            Flow::Exit(code) => AgentFlow::Exit(code),
        }
    }
}

/// The reference agent in this process.
pub fn reference_agent(setup: Setup) -> InProcess<impl Fn() -> Box<dyn LineAgent> + Sync> {
    InProcess::new("the embedded reference agent", move || {
        Box::new(Agent::new(setup.clone())) as Box<dyn LineAgent>
    })
}
