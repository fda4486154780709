use acp_harness::{ChildCommand, Home, Implementation, Patience, StartError, reference_agent};
use acp_model::reference::{Faults, Setup};
use acp_model::spec::Version;
use std::time::Duration;

use crate::cli::ReachArgs;

/// For a response that is due although a later request was answered already.
const GRACE: Duration = Duration::from_millis(100);
/// For an agent to end by itself once its input is closed.
const ENDING: Duration = Duration::from_secs(2);

/// The agent under test, and how it is started.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    reach: ReachArgs,
}

impl Target {
    pub(crate) fn new(reach: ReachArgs) -> Target {
        Target { reach }
    }

    /// The command as given; empty for the embedded reference agent.
    pub(crate) fn command(&self) -> &[String] {
        &self.reach.agent
    }

    /// The agent with a home of its own: the same for all its processes, a new one a call.
    pub(crate) fn at_home(&self) -> Result<Box<dyn Implementation>, StartError> {
        let Some((program, args)) = self.reach.agent.split_first() else {
            let speaks = Version::ALL.to_vec();
            return Ok(Box::new(reference_agent(Setup { speaks, faults: Faults::default() })));
        };
        let home = match self.reach.keep_home {
            true => Home::Real,
            false => Home::temporary().map_err(StartError::Home)?,
        };
        let mut command = ChildCommand::new(program, home).args(args);
        command.env = self.reach.env.clone();
        command.cwd = self.reach.cwd.clone();
        Ok(Box::new(command))
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
        match self.reach.agent.is_empty() {
            true => "the embedded reference agent".to_owned(),
            false => shell_words(&self.reach.agent),
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
