use acp_harness::{Conversation, Implementation, Patience, Progress, Record, StartError, Step};
use acp_model::judge::Finding;
use acp_model::profile::Profile;
use acp_model::spec::Revision;

use super::suspicion::{Group, Suspicion};

/// Runs that cutting down one finding may take.
const MOST_RUNS: usize = 24;

/// A finding after it was run again on fresh processes.
pub(crate) struct Confirmed {
    pub(crate) finding: Finding,
    /// The fewest steps that show it.
    pub(crate) steps: Vec<Step>,
    /// The run that showed it last; `None` where none did.
    pub(crate) record: Option<Record>,
    pub(crate) stability: Stability,
    pub(crate) file: &'static str,
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
    pub(crate) fresh: &'a (dyn Fn() -> Result<Box<dyn Implementation>, StartError> + Sync),
    pub(crate) profile: &'a Profile,
    pub(crate) revision: Revision,
    pub(crate) patience: Patience,
    /// Whether the user asked to stop.
    pub(crate) stopped: &'a (dyn Fn() -> bool + Sync),
}

/// One finding under examination.
struct Examination<'a> {
    confirmer: &'a Confirmer<'a>,
    wanted: &'a Group,
    runs: usize,
    shown: usize,
}

impl Confirmer<'_> {
    /// Runs a group of suspicions again on fresh processes and cuts them down. `None` where a
    /// mere silence does not show again: it was only suspected.
    pub(crate) fn confirm(&self, group: &Group) -> Result<Option<Confirmed>, StartError> {
        let mut examination = Examination { confirmer: self, wanted: group, runs: 0, shown: 0 };
        for suspicion in &group.kept {
            if let Some(confirmed) = examination.examine(suspicion)? {
                return Ok(Some(confirmed));
            }
            if (self.stopped)() {
                break;
            }
        }
        let gone = group.kept.first().filter(|_| !group.seen.is_silence());
        Ok(gone.map(|suspicion| Confirmed {
            finding: suspicion.finding.clone(),
            steps: suspicion.steps.clone(),
            record: None,
            stability: Stability::Gone,
            file: suspicion.file,
        }))
    }
}

impl Examination<'_> {
    fn examine(&mut self, suspicion: &Suspicion) -> Result<Option<Confirmed>, StartError> {
        let Some(mut best) = self.reproduce(suspicion)? else { return Ok(None) };
        self.cut(&mut best)?;
        let (finding, record, steps) = best;
        let stability = match self.shown == self.runs {
            true => Stability::Deterministic,
            false => Stability::Sometimes(self.shown, self.runs),
        };
        let file = suspicion.file;
        Ok(Some(Confirmed { finding, steps, record: Some(record), stability, file }))
    }

    /// The shortest guess first, then ever more of what the process was sent before.
    fn reproduce(
        &mut self,
        suspicion: &Suspicion,
    ) -> Result<Option<(Finding, Record, Vec<Step>)>, StartError> {
        for _ in 0..2 {
            if let Some((finding, record)) = self.show(&suspicion.steps, true)? {
                return Ok(Some((finding, record, suspicion.steps.clone())));
            }
        }
        let before = (self.runs, self.shown);
        let all = &suspicion.prefix;
        let mut length = 4;
        while self.runs < MOST_RUNS / 2 && !all.is_empty() {
            let start = all.len().saturating_sub(length);
            let mut steps = all[start..].to_vec();
            if start > 0 && all[0] == Step::Initialize {
                steps.insert(0, Step::Initialize);
            }
            if let Some((finding, record)) = self.show(&steps, true)? {
                // The shorter guesses were other conversations: they say nothing about this one.
                (self.runs, self.shown) = (1, 1);
                return Ok(Some((finding, record, steps)));
            }
            if start == 0 {
                break;
            }
            length *= 4;
        }
        (self.runs, self.shown) = before;
        Ok(None)
    }

    /// Leaves out steps, and lines of steps, as long as the finding still shows.
    fn cut(&mut self, best: &mut (Finding, Record, Vec<Step>)) -> Result<(), StartError> {
        let (runs, shown) = (self.runs, self.shown);
        let mut tries = 0;
        let mut size = (best.2.len() / 2).max(1);
        loop {
            let mut end = best.2.len();
            while end > 0 && tries < MOST_RUNS && !(self.confirmer.stopped)() {
                let start = end.saturating_sub(size);
                let shorter: Vec<Step> = [&best.2[..start], &best.2[end..]].concat();
                if !shorter.is_empty() && self.is_sensible(&shorter) {
                    tries += 1;
                    if let Some((finding, record)) = self.show(&shorter, false)? {
                        *best = (finding, record, shorter);
                    }
                }
                end = start.min(best.2.len());
            }
            if size == 1 || tries >= MOST_RUNS {
                break;
            }
            size /= 2;
        }
        // Trials of other conversations do not count for the stability of this one.
        (self.runs, self.shown) = (runs, shown);
        if tries > 0 {
            match self.show(&best.2.clone(), true)? {
                Some((finding, record)) => (best.0, best.1) = (finding, record),
                None => {}
            }
        }
        Ok(())
    }

    /// A finding about an initialized agent needs its initialize; silence needs the line.
    fn is_sensible(&self, steps: &[Step]) -> bool {
        steps.iter().any(|step| *step != Step::Probe)
    }

    /// Runs the steps on a fresh process; the finding where it shows.
    fn show(
        &mut self,
        steps: &[Step],
        patient: bool,
    ) -> Result<Option<(Finding, Record)>, StartError> {
        let Confirmer { fresh, profile, revision, patience, .. } = self.confirmer;
        let patient = patient && self.wanted.seen.is_silence();
        let patience = if patient { patience.patient() } else { *patience };
        let agent = fresh()?;
        let mut talk = Conversation::start(agent.as_ref(), profile, *revision, patience)?;
        for step in steps {
            if talk.step(step) != Progress::Served {
                break;
            }
        }
        let record = talk.finish();
        self.runs += 1;
        let wanted = |f: &&Finding| f.rule == self.wanted.rule && f.seen == self.wanted.seen;
        let finding = record.findings.iter().find(wanted).cloned();
        self.shown += usize::from(finding.is_some());
        Ok(finding.map(|finding| (finding, record)))
    }
}
