use acp_harness::{ChildCommand, Home, Implementation, Patience, StartError, reference_agent};
use acp_model::reference::{Faults, Setup};
use acp_model::spec::Version;
use std::sync::Arc;
use std::time::Duration;

use crate::cli::ReachArgs;
use crate::interrupt::Interrupt;

/// For a response that is due although a later request was answered already.
const GRACE: Duration = Duration::from_millis(100);
/// For an agent to end by itself once its input is closed.
const ENDING: Duration = Duration::from_millis(500);

/// The agent under test, and how it is started.
#[derive(Clone)]
pub(crate) struct Target {
    reach: ReachArgs,
    /// An agent in this process, in the place of a command.
    in_process: Option<Arc<dyn Implementation + Send>>,
    interrupt: Interrupt,
}

impl Target {
    /// The command of the arguments, or the embedded reference agent where there is none.
    /// An interrupt ends all waiting for a command.
    pub(crate) fn new(reach: ReachArgs, interrupt: &Interrupt) -> Target {
        let embedded = || -> Arc<dyn Implementation + Send> {
            let speaks = Version::ALL.to_vec();
            Arc::new(reference_agent(Setup { speaks, faults: Faults::default() }))
        };
        let in_process = reach.agent.is_empty().then(embedded);
        Target { reach, in_process, interrupt: interrupt.clone() }
    }

    /// An agent in this process.
    pub(crate) fn in_process(reach: ReachArgs, agent: Arc<dyn Implementation + Send>) -> Target {
        Target { reach, in_process: Some(agent), interrupt: Interrupt::default() }
    }

    /// The command as given; empty for the embedded reference agent.
    pub(crate) fn command(&self) -> &[String] {
        &self.reach.agent
    }

    /// The agent with a home of its own: the same for all its processes, a new one a call.
    pub(crate) fn at_home(&self) -> Result<Arc<dyn Implementation + Send>, StartError> {
        if let Some(agent) = &self.in_process {
            return Ok(agent.clone());
        }
        let (program, args) = self.reach.agent.split_first().map_or(("", &[][..]), |(p, a)| (p, a));
        let home = match self.reach.keep_home {
            true => Home::Real,
            false => Home::temporary().map_err(StartError::Home)?,
        };
        let mut command = ChildCommand::new(program, home).args(args);
        command.env = self.reach.env.clone();
        command.cwd = self.reach.cwd.clone();
        command.stop = self.interrupt.flag();
        Ok(Arc::new(command))
    }

    pub(crate) fn patience(&self) -> Patience {
        Patience {
            startup: self.reach.startup_timeout,
            reply: self.reach.reply_timeout,
            grace: GRACE.min(self.reach.reply_timeout),
            ending: ENDING,
        }
    }

    /// The command as a person would type it.
    pub(crate) fn shown(&self) -> String {
        match &self.in_process {
            Some(agent) => agent.name(),
            None => shell_words(&self.reach.agent),
        }
    }
}

/// Words as a shell would read them back.
pub(crate) fn shell_words(words: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    let quote = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        let words = ["sh", "-c", "echo 'a b'", ""].map(str::to_owned);
        assert_eq!(shell_words(&words), r#"sh -c 'echo '\''a b'\''' ''"#);
    }
}
