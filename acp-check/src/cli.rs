use std::path::PathBuf;
use std::time::Duration;

use acp_model::spec::{Revision, RuleId, Version};
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Finds protocol errors in any Agent Client Protocol agent.
///
/// Without a subcommand: `check`. Without an agent: the embedded reference agent.
#[derive(Debug, Parser)]
#[command(
    name = "acp-check",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Example: acp-check -- python3 agent.py --its --arguments"
)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The options of `check`, where no subcommand is given.
    #[command(flatten)]
    pub check: CheckArgs,
    /// When to colour the output
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judge an agent by every line of the corpus, before and after initialization
    Check(Box<CheckArgs>),
    /// Run saved cases again: FIXED, FAILED or CANNOT RUN for each
    Replay(ReplayArgs),
    /// The reference agent on standard input and output, for trying and for mocking
    Agent(AgentArgs),
}

/// What `check` is asked to do.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// The protocol version to judge; auto: every version that the agent negotiates
    #[arg(long, value_name = "1|2|auto", default_value = "auto")]
    pub(crate) protocol: Protocol,
    /// The rule set to judge by
    #[arg(long, value_name = "errors-page|schema-1.20", default_value = "errors-page")]
    pub(crate) revision: Revision,
    /// Decides the order of the lines
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How many processes of the agent run at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: u16,
    /// The weakest level that fails the run (derived counts as must)
    #[arg(long, value_name = "must|should", default_value = "must")]
    pub(crate) deny: Deny,
    /// Judge only these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = parse_rule)]
    pub(crate) only: Vec<RuleId>,
    /// Do not judge these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = parse_rule)]
    pub(crate) skip: Vec<RuleId>,
    /// Write the report as JSON ("-" is stdout)
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Where cases that show a finding are kept
    #[arg(long, value_name = "DIR", default_value = ".acp-check")]
    pub(crate) save: PathBuf,
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
}

/// How an agent is started and waited for.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReachArgs {
    /// Use the real HOME (default: an empty temporary one for the run)
    #[arg(long)]
    pub(crate) keep_home: bool,
    /// Set an environment variable of the agent
    #[arg(long, value_name = "K=V", value_parser = parse_env)]
    pub(crate) env: Vec<(String, String)>,
    /// The agent's working directory (default: an empty temporary one)
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// How long the first response may take, as in 30s or 500ms
    #[arg(long, value_name = "DUR", default_value = "30s", value_parser = parse_duration)]
    pub(crate) startup_timeout: Duration,
    /// How long any later response may take
    #[arg(long, value_name = "DUR", default_value = "5s", value_parser = parse_duration)]
    pub(crate) reply_timeout: Duration,
    /// The agent's command and its arguments
    #[arg(last = true, value_name = "AGENT")]
    pub(crate) agent: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Case files, as saved by `check`; without an agent, each runs the command that it was
    /// found in
    #[arg(required = true, value_name = "CASE")]
    pub(crate) cases: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    /// The versions it negotiates (default: both, or those that the fault takes)
    #[arg(long, value_name = "1|2|both")]
    pub(crate) protocol: Option<Speaks>,
    /// Get this one thing wrong; may be given more than once
    #[arg(long, value_name = "NAME")]
    pub(crate) fault: Vec<String>,
    /// Print every fault with the rule that it breaks
    #[arg(long)]
    pub(crate) list_faults: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocol {
    #[value(name = "1")]
    V1,
    #[value(name = "2")]
    V2,
    Auto,
}

impl Protocol {
    /// The versions to ask for, lowest first.
    pub(crate) fn versions(self) -> &'static [Version] {
        match self {
            Protocol::V1 => &[Version::V1],
            Protocol::V2 => &[Version::V2],
            Protocol::Auto => &Version::ALL,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Speaks {
    #[value(name = "1")]
    V1,
    #[value(name = "2")]
    V2,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    Must,
    Should,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

fn parse_rule(name: &str) -> Result<RuleId, String> {
    RuleId::find(&name.to_uppercase()).ok_or_else(|| format!("no rule `{name}`"))
}

fn parse_env(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE".to_owned()),
    }
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().map_err(|_| "write it as 30s, 500ms or 2m".to_owned())?;
    let seconds = match &text[digits.len()..] {
        "ms" => number / 1000.0,
        "s" | "" => number,
        "m" => number * 60.0,
        unit => return Err(format!("no unit `{unit}`: use ms, s or m")),
    };
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() && seconds <= 86_400.0 => Ok(duration),
        _ => Err("must be more than nothing and at most a day".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        for bad in ["", "s", "5h", "-1s", "0s", "1e300s", "nan"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_agent_alone_is_checked() {
        let cli = Cli::parse_from(["acp-check", "--seed", "3", "--", "agent", "--flag"]);
        assert!(cli.command.is_none());
        assert_eq!(cli.check.reach.agent, ["agent", "--flag"]);
        assert_eq!(cli.check.seed, 3);
    }
}
