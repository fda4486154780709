use std::cmp::Reverse;
use std::time::Duration;

use acp_harness::Step;
use acp_model::judge::{Finding, Seen};
use acp_model::lifecycle::Stage;
use acp_model::spec::{Level, RuleId};

/// Sightings of one group that are kept whole.
const MOST_KEPT: usize = 4;

/// A finding in a process that served many lines: to be confirmed on a fresh one.
#[derive(Debug, Clone)]
pub(crate) struct Suspicion {
    pub(crate) finding: Finding,
    /// Since the start of the first process.
    pub(crate) at: Duration,
    /// The file of the corpus that showed it.
    pub(crate) file: &'static str,
    /// The shortest conversation that should show it.
    pub(crate) steps: Vec<Step>,
    /// Everything that the process was sent until then.
    pub(crate) prefix: Vec<Step>,
}

impl Suspicion {
    fn size(&self) -> usize {
        let bytes = |step: &Step| match step {
            Step::Send(bytes) => bytes.len(),
            Step::Initialize | Step::Probe => 1,
        };
        self.steps.iter().map(bytes).sum()
    }
}

/// All sightings of one rule broken in one way.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) rule: RuleId,
    pub(crate) seen: Seen,
    /// The shortest ones of the weightiest level.
    pub(crate) kept: Vec<Suspicion>,
    /// When it was first seen.
    pub(crate) first: Duration,
    /// The states in which it was seen.
    pub(crate) stages: Vec<Stage>,
    /// The files that showed it.
    pub(crate) files: Vec<&'static str>,
    /// Rules that every sighting breaks too.
    also: Vec<RuleId>,
    /// More specific rules that this breaks by the way.
    pub(crate) explains: Vec<RuleId>,
}

impl Group {
    pub(crate) fn level(&self) -> Level {
        self.kept.iter().map(|s| s.finding.level).max().unwrap_or(Level::Info)
    }

    /// Whether `other` explains all of this: the same outcome under a rule that every sighting
    /// of this breaks too, as a refused CR explains a refused batch that ends in a CR.
    pub(crate) fn is_explained_by(&self, other: &Group) -> bool {
        self.seen == other.seen
            && self.also.contains(&other.rule)
            && !other.also.contains(&self.rule)
            && !other.rule.is_general()
            && other.level() >= self.level().min(Level::Derived)
    }

    /// Takes over where and when an explained group was seen.
    pub(crate) fn take_over(&mut self, explained: &Group) {
        self.explains.push(explained.rule);
        self.first = self.first.min(explained.first);
        for stage in &explained.stages {
            if !self.stages.contains(stage) {
                self.stages.push(*stage);
            }
        }
        for file in &explained.files {
            if !self.files.contains(file) {
                self.files.push(file);
            }
        }
    }
}

/// Suspicions by rule and outcome: one bug is one finding.
#[derive(Debug, Default)]
pub(crate) struct Groups(Vec<Group>);

impl Groups {
    /// Adds a sighting; `prefix` is asked for what its process was sent only where it is kept.
    pub(crate) fn add(&mut self, mut suspicion: Suspicion, prefix: impl FnOnce() -> Vec<Step>) {
        let finding = &suspicion.finding;
        let known = self.0.iter().position(|g| g.rule == finding.rule && g.seen == finding.seen);
        let index = known.unwrap_or_else(|| {
            self.0.push(Group {
                rule: finding.rule,
                seen: finding.seen,
                kept: Vec::new(),
                first: suspicion.at,
                stages: Vec::new(),
                files: Vec::new(),
                also: finding.also.clone(),
                explains: Vec::new(),
            });
            self.0.len() - 1
        });
        let group = &mut self.0[index];
        group.first = group.first.min(suspicion.at);
        if !group.stages.contains(&finding.stage) {
            group.stages.push(finding.stage);
        }
        if !group.files.contains(&suspicion.file) {
            group.files.push(suspicion.file);
        }
        group.also.retain(|rule| finding.also.contains(rule));
        // The weightiest sightings are kept, the shortest first.
        // The file's name makes the order the same whatever thread comes first.
        let weight = |s: &Suspicion| (Reverse(s.finding.level), s.size(), s.file, s.finding.step);
        let place = group.kept.partition_point(|kept| weight(kept) <= weight(&suspicion));
        if place < MOST_KEPT {
            suspicion.prefix = prefix();
            group.kept.insert(place, suspicion);
            group.kept.truncate(MOST_KEPT);
        }
    }

    /// How often `rule` was seen broken by silence.
    pub(crate) fn silences(&self, rule: RuleId) -> usize {
        let silent = |g: &&Group| g.rule == rule && g.seen == Seen::Nothing;
        self.0.iter().filter(silent).map(|g| g.files.len()).sum()
    }

    /// The groups, in the order of the rules.
    pub(crate) fn into_sorted(mut self) -> Vec<Group> {
        for group in &mut self.0 {
            group.files.sort_unstable();
            group.stages.sort_unstable();
        }
        self.0.sort_by_key(|g| (g.rule, g.seen.to_string()));
        self.0
    }
}
