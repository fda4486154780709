use std::sync::Mutex;
use std::time::{Duration, Instant};

use acp_harness::{Conversation, Implementation, Patience, StartError, Step};
use acp_model::judge::Hits;
use acp_model::lifecycle::Stage;
use acp_model::profile::Profile;
use acp_model::spec::{Level, Revision, RuleId};

use super::coverage::Coverage;
use super::suspicion::{Group, Groups, Suspicion};
use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// Judging one agent in one version: what all phases and threads share.
pub(crate) struct Run<'a> {
    agent: &'a dyn Implementation,
    profile: Profile,
    revision: Revision,
    patience: Patience,
    patient: Patience,
    startup: Duration,
    started: Instant,
    interrupt: &'a Interrupt,
    progress: &'a Progress,
    selection: &'a Selection,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    groups: Groups,
    hits: Hits,
    coverage: Coverage,
}

/// Which rules are judged.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    pub(crate) only: Vec<RuleId>,
    pub(crate) skip: Vec<RuleId>,
}

impl Selection {
    /// Whether a finding under `rule`, which breaks `also` too, is shown.
    pub(crate) fn shows(&self, rule: RuleId, also: &[RuleId]) -> bool {
        let only = self.only.is_empty()
            || self.only.contains(&rule)
            || also.iter().any(|r| self.only.contains(r));
        only && !self.skip.contains(&rule)
    }
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        agent: &'a dyn Implementation,
        profile: Profile,
        revision: Revision,
        patience: Patience,
        patient: Patience,
        startup: Duration,
        context: &'a super::Context<'a>,
    ) -> Run<'a> {
        Run {
            agent,
            profile,
            revision,
            patience,
            patient,
            startup,
            started: context.started,
            interrupt: context.interrupt,
            progress: context.progress,
            selection: context.selection,
            found: Mutex::default(),
        }
    }

    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    pub(crate) fn patience(&self) -> Patience {
        self.patience
    }

    /// How long the agent takes to start.
    pub(crate) fn startup(&self) -> Duration {
        self.startup
    }

    /// Starts a conversation with a process that shares the run's home.
    pub(crate) fn talk(&self) -> Result<Conversation, StartError> {
        Conversation::start(self.agent, &self.profile, self.revision, self.patience)
    }

    /// The same, with all the time that the user gives an agent.
    pub(crate) fn patient_talk(&self) -> Result<Conversation, StartError> {
        Conversation::start(self.agent, &self.profile, self.revision, self.patient)
    }

    /// Notes why the run cannot be a whole one.
    pub(crate) fn fall_short(&self, reason: &str) {
        self.lock().coverage.short.get_or_insert_with(|| reason.to_owned());
    }

    /// Since the start of the first process.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }

    /// Notes a suspicion; `prefix` tells what its process was sent until then.
    pub(crate) fn suspect(&self, suspicion: Suspicion, prefix: impl FnOnce() -> Vec<Step>) {
        let finding = &suspicion.finding;
        if !self.selection.shows(finding.rule, &finding.also) {
            return;
        }
        if finding.level > Level::Info {
            self.progress.suspect(finding);
        }
        self.lock().groups.add(suspicion, prefix);
    }

    /// How often `rule` was seen broken by silence.
    pub(crate) fn silences(&self, rule: RuleId) -> usize {
        self.lock().groups.silences(rule)
    }

    /// Counts a line or conversation that was sent.
    pub(crate) fn visit(&self) {
        self.progress.step();
        self.lock().coverage.visit();
    }

    pub(crate) fn leave_out(&self, file: &'static str, stage: Stage, reason: &str) {
        self.progress.step();
        self.lock().coverage.leave_out(file, stage, reason);
    }

    pub(crate) fn count(&self, hits: &Hits) {
        self.lock().hits.add(hits);
    }

    /// What was found, once all phases are through.
    pub(crate) fn into_found(self) -> (Vec<Group>, Hits, Coverage) {
        let mut found = self.found.into_inner().unwrap_or_else(|poison| poison.into_inner());
        found.coverage.missing.sort();
        (found.groups.into_sorted(), found.hits, found.coverage)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(|poison| poison.into_inner())
    }
}
