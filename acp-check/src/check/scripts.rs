use acp_harness::{Progress, StartError};

use super::run::Run;
use super::suspicion::Suspicion;
use crate::corpus::Script;

/// Runs one conversation of the corpus on a process of its own.
pub(crate) fn run(run: &Run<'_>, script: &Script) -> Result<(), StartError> {
    let mut talk = run.talk()?;
    for step in &script.steps {
        if talk.step(step) != Progress::Served {
            break;
        }
    }
    let record = talk.finish();
    for finding in &record.findings {
        let suspicion = Suspicion {
            finding: finding.clone(),
            at: run.elapsed(),
            file: script.name,
            steps: script.steps.clone(),
            prefix: Vec::new(),
        };
        run.suspect(suspicion, Vec::new);
    }
    run.visit();
    run.count(&record.hits);
    Ok(())
}
