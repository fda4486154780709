use std::io::{self, Write};
use std::path::Path;

use acp_harness::{Case, Conversation, Progress, Step};
use acp_model::judge::Finding;
use acp_model::lifecycle::Stage;
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
    let target = Target::new(args.reach.clone());
    let (mut failed, mut cannot_run) = (false, false);
    for path in &args.cases {
        let outcome = match interrupt.is_set() {
            true => Outcome::CannotRun("stopped".to_owned()),
            false => replay(path, &target),
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

fn replay(path: &Path, target: &Target) -> Outcome {
    let case = match Case::read(path) {
        Ok(case) => case,
        Err(error) => return Outcome::CannotRun(error.to_string()),
    };
    // Silence is given the whole time of a reply: nothing else can confirm it.
    let patience = target.patience().patient();
    let started = target.at_home().and_then(|agent| {
        Conversation::start(agent.as_ref(), &case.profile, case.revision, patience)
            .map(|talk| (agent, talk))
    });
    let (_agent, mut talk) = match started {
        Ok(started) => started,
        Err(error) => return Outcome::CannotRun(error.to_string()),
    };
    let mut last = Progress::Served;
    for step in &case.steps {
        last = talk.step(step);
        if last != Progress::Served {
            break;
        }
    }
    let stage = talk.observer().judge().stage();
    let answered = talk.observer().judge().has_answered();
    let record = talk.finish();
    let binding = |f: &&Finding| f.level > Level::Info || f.rule == case.rule;
    let same = record.findings.iter().filter(binding).find(|f| f.rule == case.rule);
    let other = record.findings.iter().find(binding);
    if let Some(finding) = same {
        return Outcome::Failed(format!(
            "{} {}: {}",
            case.rule,
            case.rule.get().title,
            finding.seen
        ));
    }
    let must_initialize = case.steps.contains(&Step::Initialize);
    if must_initialize && stage == Stage::Uninitialized || last == Progress::Echoes {
        let how = if answered { "refuses" } else { "does not answer" };
        return Outcome::CannotRun(format!("the agent {how} a sound initialize"));
    }
    match other {
        Some(finding) => Outcome::Failed(format!(
            "{} holds now, but {} does not: {}",
            case.rule, finding.rule, finding.seen
        )),
        None => Outcome::Fixed(format!("{} {}", case.rule, case.rule.get().title)),
    }
}
