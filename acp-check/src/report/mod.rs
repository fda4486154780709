//! What a check found, and how it is told.

mod build;
mod json;
mod text;

pub(crate) use json::{to_json, write_json};
pub(crate) use text::print_text;

use std::time::Duration;

use acp_harness::StartError;
use acp_model::border::Initialized;
use acp_model::profile::Profile;
use acp_model::spec::{Level, Version};
use serde::Serialize;

use crate::check::Selection;
use crate::cli::{CheckArgs, Deny};
use crate::target::Target;

/// The report of one check.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) agent: AgentInfo,
    pub(crate) runs: Vec<RunReport>,
    /// Sentences for people, about what no rule judges.
    pub(crate) notes: Vec<String>,
    pub(crate) seed: u64,
    pub(crate) elapsed: Duration,
    pub(crate) deny_should: bool,
}

/// What is known of the agent.
#[derive(Debug, Serialize)]
pub(crate) struct AgentInfo {
    pub(crate) command: Vec<String>,
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    /// For people: the command as typed, or that it is the embedded agent.
    #[serde(skip)]
    pub(crate) shown: String,
}

impl AgentInfo {
    pub(crate) fn learned<'a>(
        target: &Target,
        told: impl Iterator<Item = &'a Initialized> + Clone,
    ) -> AgentInfo {
        AgentInfo {
            command: target.command().to_vec(),
            name: told.clone().find_map(|t| t.name.as_deref().map(printable)),
            version: told.clone().find_map(|t| t.release.as_deref().map(printable)),
            shown: target.shown(),
        }
    }
}

/// The first of an agent's own words, without what a terminal would take for a command.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(100).collect()
}

/// What is said of an agent in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    /// No finding at a denied level, and nothing that kept the phases from ending.
    Conformant,
    /// A finding at a denied level.
    NotConformant,
    /// The agent could not be judged to the end.
    Inconclusive,
}

/// One version judged by one rule set.
#[derive(Debug)]
pub(crate) struct RunReport {
    pub(crate) version: Version,
    pub(crate) revision: &'static str,
    pub(crate) verdict: Verdict,
    /// Why the run did not get through.
    pub(crate) reason: Option<String>,
    pub(crate) rules: Vec<RuleReport>,
    pub(crate) findings: Vec<FindingReport>,
    pub(crate) coverage: CoverageReport,
}

#[derive(Debug, Serialize)]
pub(crate) struct RuleReport {
    pub(crate) id: &'static str,
    pub(crate) level: &'static str,
    pub(crate) status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    pub(crate) hits: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    Passed,
    Failed,
    Warned,
    NotExercised,
}

/// One rule broken in one way.
#[derive(Debug, Serialize)]
pub(crate) struct FindingReport {
    pub(crate) rule: &'static str,
    pub(crate) also: Vec<&'static str>,
    #[serde(serialize_with = "level_name")]
    pub(crate) level: Level,
    pub(crate) title: &'static str,
    pub(crate) citation: &'static str,
    pub(crate) states: Vec<&'static str>,
    pub(crate) sent: Vec<String>,
    pub(crate) allowed: Vec<String>,
    pub(crate) received: Vec<String>,
    pub(crate) trace: Vec<serde_json::Value>,
    pub(crate) case: Option<String>,
    pub(crate) found_ms: u64,
    pub(crate) stability: String,
    pub(crate) repro: String,
    /// The files of the corpus that show it.
    pub(crate) shown_by: Vec<&'static str>,
}

fn level_name<S: serde::Serializer>(level: &Level, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(level.name())
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct CoverageReport {
    /// Pairs of a state and a file of the corpus.
    pub(crate) cells: usize,
    pub(crate) hit: usize,
    pub(crate) missing: Vec<Missing>,
}

impl CoverageReport {
    /// Why cells were left out, and how many for each reason, the most frequent first.
    pub(crate) fn reasons(&self) -> Vec<(&str, usize)> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for missing in &self.missing {
            match counts.iter_mut().find(|(reason, _)| *reason == missing.reason) {
                Some((_, count)) => *count += 1,
                None => counts.push((&missing.reason, 1)),
            }
        }
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Missing {
    pub(crate) state: &'static str,
    pub(crate) stimulus: &'static str,
    pub(crate) reason: String,
}

impl Report {
    /// The report on an agent that could not be started.
    pub(crate) fn not_started(args: &CheckArgs, target: &Target, error: &StartError) -> Report {
        let version = args.protocol.versions().last().copied().unwrap_or(Version::V2);
        let selection = Selection { only: args.only.clone(), skip: args.skip.clone() };
        let mut run = RunReport::new(&Profile::of(version), args.revision, &selection);
        run.reason =
            Some(format!("{error}. Check the path; the command is run as it is, without a shell."));
        let mut report = Report {
            agent: AgentInfo::learned(target, std::iter::empty()),
            runs: vec![run],
            notes: Vec::new(),
            seed: args.seed,
            elapsed: Duration::ZERO,
            deny_should: args.deny == Deny::Should,
        };
        report.judge_runs();
        report
    }

    /// Whether findings of this level fail a run.
    pub(crate) fn denies(&self, level: Level) -> bool {
        level >= if self.deny_should { Level::Should } else { Level::Derived }
    }

    /// Gives each run its verdict, from its findings and from what kept it from ending.
    pub(crate) fn judge_runs(&mut self) {
        for index in 0..self.runs.len() {
            let run = &self.runs[index];
            let denied = run.findings.iter().any(|finding| self.denies(finding.level));
            self.runs[index].verdict = match (denied, &run.reason) {
                (true, _) => Verdict::NotConformant,
                (false, Some(_)) => Verdict::Inconclusive,
                (false, None) => Verdict::Conformant,
            };
        }
    }

    /// The verdict over all runs.
    pub(crate) fn verdict(&self) -> Verdict {
        let any = |verdict| self.runs.iter().any(|run| run.verdict == verdict);
        match () {
            () if any(Verdict::NotConformant) => Verdict::NotConformant,
            () if any(Verdict::Inconclusive) || self.runs.is_empty() => Verdict::Inconclusive,
            () => Verdict::Conformant,
        }
    }

    pub(crate) fn exit_code(&self) -> i32 {
        match self.verdict() {
            Verdict::Conformant => 0,
            Verdict::NotConformant => 1,
            Verdict::Inconclusive => 3,
        }
    }
}
