use std::collections::HashMap;
use std::time::Duration;

use acp_harness::{Conversation, Progress, StartError, Step};
use acp_model::border::{Border, Call, Form};
use acp_model::judge::{Finding, Seen};
use acp_model::lifecycle::Stage;
use acp_model::spec::RuleId;

use super::run::Run;
use super::suspicion::Suspicion;
use crate::corpus::Line;

/// Silent lines of a rule past which no more time is spent on waiting for its lines.
const ENOUGH_SILENCES: usize = 3;
/// Deaths and hangs on lines of a rule past which its other lines are left out: one bug of a
/// kind is one finding, and starting an agent again may be dear.
fn enough_ends(stage: Stage, startup: Duration) -> u32 {
    let spare = stage != Stage::Uninitialized;
    match startup.as_millis() {
        0..100 => 12,
        100..1000 => 1 + 2 * u32::from(spare),
        _ => 1 + u32::from(spare),
    }
}
/// Hangs in a row past which the rest of a stage is left out: the agent is deaf there, and each
/// hang costs the time of a reply.
const ENOUGH_HANGS: u32 = 6;
const NO_GRACE: Duration = Duration::from_millis(2);

/// Sends every line to as few processes as survive them, before or after initialization.
pub(crate) fn run(run: &Run<'_>, lines: &[Line], stage: Stage) -> Result<(), StartError> {
    let mut ends: HashMap<RuleId, u32> = HashMap::new();
    let mut hangs = 0;
    let mut rest = lines.iter().filter(|line| may_be_sent(run, line, stage)).peekable();
    while rest.peek().is_some() && !run.is_stopped() {
        if hangs >= ENOUGH_HANGS {
            let reason = "the agent hung on one line after the other";
            rest.for_each(|line| run.leave_out(line.name, stage, reason));
            return Ok(());
        }
        let Some((mut talk, mut sent)) = start(run, stage)? else {
            let reason = match stage {
                Stage::Uninitialized => "requests before initialize are not answered",
                Stage::Fresh | Stage::Ready => "the agent did not take a sound initialize",
            };
            if run.profile().answers_early || stage != Stage::Uninitialized {
                run.fall_short(&format!("most lines could not be sent: {reason}"));
            }
            rest.for_each(|line| run.leave_out(line.name, stage, reason));
            return Ok(());
        };
        let mut broken = false;
        for line in rest.by_ref() {
            if ends.get(&line.rule).is_some_and(|count| *count >= enough_ends(stage, run.startup()))
            {
                let reason = "the agent ended or hung on other lines of the rule already";
                run.leave_out(line.name, stage, reason);
                continue;
            }
            let silent = run.silences(line.rule) >= ENOUGH_SILENCES;
            talk.set_grace(if silent { NO_GRACE } else { run.patience().grace });
            let progress = sent.line(&mut talk, line);
            sent.report(run, talk.observer().findings());
            run.visit();
            hangs = if progress == Progress::Hangs { hangs + 1 } else { 0 };
            broken = progress != Progress::Served;
            if broken {
                *ends.entry(line.rule).or_default() += 1;
                break;
            }
            if run.is_stopped() || may_initialize(run, line) {
                break;
            }
        }
        if stage == Stage::Uninitialized && !broken {
            sent.open(&mut talk);
            sent.report(run, talk.observer().findings());
        }
        let record = talk.finish();
        sent.report(run, &record.findings);
        run.count(&record.hits);
    }
    Ok(())
}

/// Starts a process that is ready for lines. One that is not ready in a short time is started
/// once more and given all the time there is: the machine may be busy.
fn start<'a>(run: &Run<'_>, stage: Stage) -> Result<Option<(Conversation, Sent<'a>)>, StartError> {
    for patient in [false, true] {
        let mut talk = if patient { run.patient_talk()? } else { run.talk()? };
        let mut sent = Sent { stage, steps: Vec::new(), blocks: Vec::new(), reported: 0 };
        let serves = match stage {
            Stage::Uninitialized => sent.step(&mut talk, Step::Probe) == Progress::Served,
            Stage::Fresh | Stage::Ready => sent.open(&mut talk),
        };
        if serves {
            return Ok(Some((talk, sent)));
        }
        if patient {
            sent.report(run, talk.observer().findings());
        }
    }
    Ok(None)
}

/// A line that may initialize must not be sent where the judge counts on no initialization.
fn may_be_sent(run: &Run<'_>, line: &Line, stage: Stage) -> bool {
    let sent = stage != Stage::Uninitialized || !may_initialize(run, line);
    if !sent {
        run.leave_out(line.name, stage, "it may initialize the agent");
    }
    sent
}

fn may_initialize(run: &Run<'_>, line: &Line) -> bool {
    let mut border = Border::new();
    line.bytes.split(|b| *b == b'\n').any(|bytes| {
        let sent = border.sent(bytes, run.profile().version);
        match sent.form {
            Form::Batch(batch) => batch.has_initialize,
            Form::Request | Form::Invalid => matches!(sent.call, Some(Call::Initialize(_))),
            _ => false,
        }
    })
}

/// What one process was sent so far, in blocks: a line and the probe behind it.
struct Sent<'a> {
    stage: Stage,
    steps: Vec<Step>,
    blocks: Vec<Block<'a>>,
    /// Findings of the conversation that were reported already.
    reported: usize,
}

struct Block<'a> {
    line: &'a Line,
    first_step: usize,
}

impl<'a> Sent<'a> {
    /// Initializes the agent; whether it then serves.
    fn open(&mut self, talk: &mut Conversation) -> bool {
        self.step(talk, Step::Initialize) == Progress::Served
            && talk.observer().judge().stage() != Stage::Uninitialized
            && self.step(talk, Step::Probe) == Progress::Served
    }

    fn line(&mut self, talk: &mut Conversation, line: &'a Line) -> Progress {
        self.blocks.push(Block { line, first_step: self.steps.len() });
        match self.step(talk, Step::Send(line.bytes.to_vec())) {
            Progress::Served => self.step(talk, Step::Probe),
            ended => ended,
        }
    }

    fn step(&mut self, talk: &mut Conversation, step: Step) -> Progress {
        let progress = talk.step(&step);
        self.steps.push(step);
        progress
    }

    fn report(&mut self, run: &Run<'_>, findings: &[Finding]) {
        for finding in &findings[self.reported.min(findings.len())..] {
            let block = self.block_of(finding);
            let line = block.map(|block| block.line);
            let suspicion = Suspicion {
                finding: finding.clone(),
                at: run.elapsed(),
                file: line.map_or("initialize", |line| line.name),
                steps: self.shortest(run, line),
                prefix: Vec::new(),
            };
            run.suspect(suspicion, || self.steps.clone());
        }
        self.reported = findings.len();
    }

    fn block_of(&self, finding: &Finding) -> Option<&Block<'a>> {
        let step = finding.step.or(match finding.seen {
            Seen::Garbage(_) => self.steps.len().checked_sub(1),
            _ => None,
        })?;
        let block = self.blocks.iter().rev().find(|block| block.first_step <= step)?;
        // The steps behind the last block initialize the agent.
        let known = step < block.first_step + 2;
        known.then_some(block)
    }

    fn shortest(&self, run: &Run<'_>, line: Option<&Line>) -> Vec<Step> {
        let block = line.map(|line| Step::Send(line.bytes.to_vec()));
        let block = block.into_iter().chain([Step::Probe]);
        let opening = [Step::Initialize, Step::Probe];
        match self.stage {
            // Which version's rule an early answer breaks shows with the negotiation.
            Stage::Uninitialized if run.profile().speaks_both() || line.is_none() => {
                block.chain(opening).collect()
            }
            Stage::Uninitialized => block.collect(),
            _ => [Step::Initialize].into_iter().chain(block).collect(),
        }
    }
}
