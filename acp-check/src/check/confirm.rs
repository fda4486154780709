use std::sync::Arc;
use std::time::{Duration, Instant};

use acp_harness::{Conversation, Implementation, Patience, Progress, Record, StartError, Step};
use acp_model::judge::Finding;
use acp_model::profile::Profile;
use acp_model::spec::Revision;

use super::suspicion::{Group, Suspicion};

/// Runs that cutting down one finding may take.
const MOST_RUNS: usize = 24;
/// Time that is spent on one finding, its last confirmation excepted.
const MOST_TIME: Duration = Duration::from_secs(10);

/// A finding after it was run again on fresh processes.
pub(crate) struct Confirmed {
    pub(crate) finding: Finding,
    /// The fewest steps that show it.
    pub(crate) steps: Vec<Step>,
    /// The run that showed it last; `None` where none did.
    pub(crate) record: Option<Record>,
    pub(crate) stability: Stability,
}

/// How often a finding shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stability {
    /// In every run.
    Deterministic,
    /// In so many of so many runs.
    Sometimes(usize, usize),
    /// In none but the first.
    Gone,
}

impl std::fmt::Display for Stability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stability::Deterministic => f.write_str("deterministic"),
            Stability::Sometimes(shown, runs) => write!(f, "{shown} of {runs}"),
            Stability::Gone => f.write_str("gone"),
        }
    }
}

/// What confirming takes: agents with homes of their own, and what judges them.
pub(crate) struct Confirmer<'a> {
    pub(crate) fresh: &'a (dyn Fn() -> Result<Arc<dyn Implementation + Send>, StartError> + Sync),
    pub(crate) profile: &'a Profile,
    pub(crate) revision: Revision,
    /// For looking whether a finding shows at all.
    pub(crate) quick: Patience,
    /// For being sure that silence is silence.
    pub(crate) patient: Patience,
    /// Whether the user asked to stop.
    pub(crate) stopped: &'a (dyn Fn() -> bool + Sync),
}

/// One finding under examination.
struct Examination<'a> {
    confirmer: &'a Confirmer<'a>,
    wanted: &'a Group,
    started: Instant,
    runs: usize,
    shown: usize,
}

impl Confirmer<'_> {
    /// Runs a group of suspicions again on fresh processes and cuts them down. `None` where a
    /// mere silence does not show again: it was only suspected.
    pub(crate) fn confirm(&self, group: &Group) -> Result<Option<Confirmed>, StartError> {
        let mut examination = Examination {
            confirmer: self,
            wanted: group,
            started: Instant::now(),
            runs: 0,
            shown: 0,
        };
        for suspicion in &group.kept {
            if examination.is_over() {
                break;
            }
            if let Some(confirmed) = examination.examine(suspicion)? {
                return Ok(Some(confirmed));
            }
        }
        // On a busy machine a quick look may come too early: silence gets one long look.
        let silent = group.kept.first().filter(|_| group.seen.is_silence());
        if let Some(suspicion) = silent.filter(|_| !(self.stopped)())
            && let Some(Shown { finding, record, steps }) =
                examination.show(&suspicion.steps, true)?
        {
            let stability = Stability::Sometimes(examination.shown, examination.runs);
            return Ok(Some(Confirmed { finding, steps, record: Some(record), stability }));
        }
        let gone = group.kept.first().filter(|_| !group.seen.is_silence());
        // Nobody looked again where the user asked to stop first.
        let stability = match examination.runs {
            0 => Stability::Sometimes(1, 1),
            _ => Stability::Gone,
        };
        Ok(gone.map(|suspicion| Confirmed {
            finding: suspicion.finding.clone(),
            steps: suspicion.steps.clone(),
            record: None,
            stability,
        }))
    }
}

impl Examination<'_> {
    fn examine(&mut self, suspicion: &Suspicion) -> Result<Option<Confirmed>, StartError> {
        let Some(found) = self.reproduce(suspicion)? else { return Ok(None) };
        let whole = found.steps.clone();
        let (runs, shown) = (self.runs, self.shown);
        let cut = self.cut(found)?;
        // Trials of other conversations say nothing about how stable this one is.
        (self.runs, self.shown) = (runs, shown);
        let mut sure = match self.wanted.seen.is_silence() {
            true => self.show(&cut.steps, true)?,
            // What was seen on the wire stays seen; silence has to last.
            false => Some(cut.clone()),
        };
        if sure.is_none() && whole.len() > cut.steps.len() {
            sure = self.show(&whole, true)?;
        }
        let Some(Shown { finding, record, steps }) = sure else { return Ok(None) };
        let stability = match self.shown == self.runs {
            true => Stability::Deterministic,
            false => Stability::Sometimes(self.shown, self.runs),
        };
        Ok(Some(Confirmed { finding, steps, record: Some(record), stability }))
    }

    /// Whether no more time is spent, or the user asked to stop.
    fn is_over(&self) -> bool {
        self.started.elapsed() > MOST_TIME || (self.confirmer.stopped)()
    }

    /// The shortest guess first, then ever more of what the process was sent before.
    fn reproduce(&mut self, suspicion: &Suspicion) -> Result<Option<Shown>, StartError> {
        for _ in 0..2 {
            if let Some(shown) = self.show(&suspicion.steps, false)? {
                return Ok(Some(shown));
            }
        }
        let all = &suspicion.prefix;
        let mut length = 4;
        while self.runs < MOST_RUNS / 2 && !all.is_empty() && !self.is_over() {
            let start = all.len().saturating_sub(length);
            let mut steps = all[start..].to_vec();
            if start > 0 && all[0] == Step::Initialize {
                steps.insert(0, Step::Initialize);
            }
            let before = (self.runs, self.shown);
            if let Some(shown) = self.show(&steps, false)? {
                // The shorter guesses were other conversations: they say nothing about this one.
                (self.runs, self.shown) = (1, 1);
                return Ok(Some(shown));
            }
            (self.runs, self.shown) = before;
            if start == 0 {
                break;
            }
            length *= 4;
        }
        Ok(None)
    }

    /// Leaves out steps as long as the finding still shows.
    fn cut(&mut self, mut best: Shown) -> Result<Shown, StartError> {
        let mut tries = 0;
        let mut size = (best.steps.len() / 2).max(1);
        loop {
            let mut end = best.steps.len();
            while end > 0 {
                if tries >= MOST_RUNS || self.is_over() {
                    return Ok(best);
                }
                let start = end.saturating_sub(size);
                let shorter = [&best.steps[..start], &best.steps[end..]].concat();
                // Without the line that it is about, a finding cannot show.
                let about = best.finding.step;
                let keeps = about.is_none_or(|step| !(start..end).contains(&step));
                if keeps && !shorter.is_empty() && self.is_sensible(&shorter) {
                    tries += 1;
                    best = self.show(&shorter, false)?.unwrap_or(best);
                }
                end = start.min(best.steps.len());
            }
            if size == 1 {
                return Ok(best);
            }
            size /= 2;
        }
    }

    /// The last probe is kept: it shows whether the agent survives. And an agent that is still
    /// starting is silent too, until it answers one.
    fn is_sensible(&self, steps: &[Step]) -> bool {
        steps.last() == Some(&Step::Probe)
    }

    /// Runs the steps on a fresh process; what shows, where the finding does.
    fn show(&mut self, steps: &[Step], sure: bool) -> Result<Option<Shown>, StartError> {
        let Confirmer { fresh, profile, revision, quick, patient, .. } = self.confirmer;
        let patience = if sure && self.wanted.seen.is_silence() { patient } else { quick };
        let agent = fresh()?;
        let mut talk = Conversation::start(agent.as_ref(), profile, *revision, *patience)?;
        for step in steps {
            if talk.step(step) != Progress::Served {
                break;
            }
        }
        let record = talk.finish();
        self.runs += 1;
        let Group { rule, seen, .. } = self.wanted;
        // The same in another state may weigh less: then it is not the same.
        let level = self.wanted.level();
        let wanted = |f: &&Finding| f.rule == *rule && f.seen == *seen && f.level >= level;
        let finding = record.findings.iter().find(wanted).cloned();
        self.shown += usize::from(finding.is_some());
        Ok(finding.map(|finding| Shown { finding, record, steps: steps.to_vec() }))
    }
}

/// A conversation that showed the finding.
#[derive(Clone)]
struct Shown {
    finding: Finding,
    record: Record,
    steps: Vec<Step>,
}
