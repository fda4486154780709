use std::io::{self, Write};
use std::path::Path;

use acp_harness::{Case, Conversation, Progress, Record, StartError, Step};
use acp_model::spec::Level;

use crate::cli::ReplayArgs;
use crate::interrupt::Interrupt;
use crate::target::Target;

enum Outcome {
    Fixed(String),
    Failed(String),
    CannotRun(String),
}

/// Runs saved cases again. The exit code: 1 any failed, else 3 any that cannot run, else 0.
pub(crate) fn run(
    args: &ReplayArgs,
    interrupt: &Interrupt,
    out: &mut impl Write,
) -> io::Result<i32> {
    let (mut failed, mut cannot_run) = (false, false);
    for path in &args.cases {
        let outcome = match interrupt.is_set() {
            true => Outcome::CannotRun("stopped".to_owned()),
            false => replay(path, args, interrupt),
        };
        let (word, text) = match outcome {
            Outcome::Fixed(text) => ("FIXED     ", text),
            Outcome::Failed(text) => {
                failed = true;
                ("FAILED    ", text)
            }
            Outcome::CannotRun(text) => {
                cannot_run = true;
                ("CANNOT RUN", text)
            }
        };
        writeln!(out, "{word} {}: {text}", path.display())?;
    }
    Ok(match (failed, cannot_run) {
        (true, _) => 1,
        (false, true) => 3,
        (false, false) => 0,
    })
}

fn replay(path: &Path, args: &ReplayArgs, interrupt: &Interrupt) -> Outcome {
    let case = match Case::read(path) {
        Ok(case) => case,
        Err(error) => return Outcome::CannotRun(error.to_string()),
    };
    let mut reach = args.reach.clone();
    if reach.agent.is_empty() {
        // The agent that the case was found in.
        reach.agent.clone_from(&case.agent);
    }
    let target = Target::new(reach, interrupt);
    // Silence is given the whole time of a reply: nothing else can confirm it.
    let patience = target.patience().patient();
    let talk = |steps: &[Step]| -> Result<(bool, Record), StartError> {
        let agent = target.at_home()?;
        let mut talk = Conversation::start(&*agent, &case.profile, case.revision, patience)?;
        let served = steps.iter().all(|step| talk.step(step) == Progress::Served);
        let answered = talk.observer().judge().has_answered();
        Ok((served || answered, talk.finish()))
    };
    // An agent that does not even take a sound initialize shows nothing about the case.
    match talk(&[Step::Initialize]) {
        Ok((true, _)) => {}
        Ok((false, _)) => {
            return Outcome::CannotRun("the agent does not answer a sound initialize".to_owned());
        }
        Err(error) => return Outcome::CannotRun(error.to_string()),
    }
    let record = match talk(&case.steps) {
        Ok((_, record)) => record,
        Err(error) => return Outcome::CannotRun(error.to_string()),
    };
    let (rule, title) = (case.rule, case.rule.get().title);
    let mut findings = record.findings.iter();
    if let Some(finding) = findings.clone().find(|f| f.rule == rule) {
        let seen = finding.seen;
        // What `check` only notes does not fail here either.
        return match finding.level {
            Level::Info => Outcome::Fixed(format!("{rule} {title}: only noted (info): {seen}")),
            _ => Outcome::Failed(format!("{rule} {title}: {seen}")),
        };
    }
    match findings.find(|f| f.level > Level::Info) {
        Some(finding) => Outcome::Failed(format!(
            "{rule} holds now, but {} does not: {}",
            finding.rule, finding.seen
        )),
        None => Outcome::Fixed(format!("{rule} {title}")),
    }
}
