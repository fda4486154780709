use std::io::Write;
use std::path::{Path, PathBuf};

use acp_harness::{Case, LineEntry, Record, Side, Step};
use acp_model::border::answer_to;
use acp_model::judge::{Hits, Seen};
use acp_model::profile::Profile;
use acp_model::spec::{Answer, Level, Revision, Rule, RuleId, rules};

use super::{CoverageReport, FindingReport, Missing, RuleReport, RunReport, Status, Verdict};
use crate::check::{Confirmed, Coverage, Group, Selection};
use crate::cli::CheckArgs;
use crate::target::{Target, shell_words};

/// Bytes of a line that are shown.
const SHOWN_BYTES: usize = 300;
/// Lines of the agent's that are shown as received.
const SHOWN_LINES: usize = 3;
/// Lines of a trace that stand in the report; the case's trace file has them all.
const TRACE_LINES: usize = 40;

impl RunReport {
    /// A run of which nothing is known yet.
    pub(crate) fn new(profile: &Profile, revision: Revision, selection: &Selection) -> RunReport {
        let judged = |rule: &&Rule| selection.shows(rule.id, &[]);
        let row = |rule: &Rule| {
            let level = rule.level(profile.version)?;
            Some(RuleReport {
                id: rule.name,
                level: level.name(),
                status: Status::NotExercised,
                reason: Some(why_not(rule, profile)),
                hits: 0,
            })
        };
        RunReport {
            version: profile.version,
            revision: revision.name(),
            verdict: Verdict::Inconclusive,
            reason: None,
            rules: rules().iter().filter(judged).filter_map(row).collect(),
            findings: Vec::new(),
            coverage: CoverageReport::default(),
        }
    }

    /// Notes that the agent could not be judged, and why.
    pub(crate) fn give_up(&mut self, reason: String) {
        for row in self.rules.iter_mut().filter(|row| row.status == Status::NotExercised) {
            row.reason = Some("the agent could not be judged".to_owned());
        }
        self.reason = Some(reason);
    }

    /// Notes which rules were tested.
    pub(crate) fn count(&mut self, hits: &Hits) {
        for row in &mut self.rules {
            let Some(rule) = rules().iter().find(|r| r.name == row.id) else { continue };
            row.hits = hits.of(rule.id);
            if row.hits > 0 {
                row.status = Status::Passed;
                row.reason = None;
            }
        }
    }

    /// Notes which cells were visited.
    pub(crate) fn cover(&mut self, coverage: &Coverage) {
        let missing = coverage.missing.iter().map(|(stage, file, reason)| Missing {
            state: stage.name(),
            stimulus: file,
            reason: reason.clone(),
        });
        self.coverage = CoverageReport {
            cells: coverage.cells(),
            hit: coverage.hit,
            missing: missing.collect(),
        };
    }

    /// Adds a finding, and saves its case.
    pub(crate) fn add(
        &mut self,
        args: &CheckArgs,
        target: &Target,
        profile: &Profile,
        group: Group,
        confirmed: Confirmed,
    ) {
        let finding = &confirmed.finding;
        let rule = finding.rule.get();
        let level = group.level();
        let row = self.rules.iter_mut().find(|row| row.id == rule.name);
        if let Some(row) = row.filter(|_| level > Level::Info) {
            row.status = match (row.status, level) {
                (Status::Failed, _) | (_, Level::Must | Level::Derived) => Status::Failed,
                _ => Status::Warned,
            };
            row.reason = None;
            row.hits = row.hits.max(1);
        }
        // What a rule says of all output is not said by what one line may be answered with.
        let of_all_output =
            matches!(finding.seen, Seen::Garbage(_) | Seen::Misshapen | Seen::OneMore);
        for also in &finding.also {
            let row = self.rules.iter_mut().find(|row| row.id == also.name() && row.hits == 0);
            if let Some(row) = row.filter(|row| row.status == Status::NotExercised) {
                row.reason = Some(format!("only lines that broke {} exercised it", rule.name));
            }
        }
        let allowed: Vec<String> = match of_all_output || finding.allowed.is_empty() {
            true => vec![rule.title.to_owned()],
            false => finding.allowed.iter().map(Answer::to_string).collect(),
        };
        let case = Case {
            about: format!("{}: {}", rule.title, finding.seen),
            rule: finding.rule,
            received: finding.seen.to_string(),
            allowed: allowed.clone(),
            agent: target.command().to_vec(),
            revision: args.revision,
            profile: profile.clone(),
            steps: confirmed.steps.clone(),
        };
        let path = save(&args.save, &case, confirmed.record.as_ref());
        let sent = finding.step.and_then(|step| sent_text(&confirmed.steps, step, profile));
        let mut received = vec![finding.seen.to_string()];
        received.extend(
            confirmed
                .record
                .iter()
                .flat_map(|r| answers(r, finding.step, &confirmed.steps, profile)),
        );
        let shown_path = path.as_ref().map(|p| p.display().to_string());
        let repro = shown_path.as_ref().map_or(String::new(), |path| {
            let agent = match target.command().is_empty() {
                true => String::new(),
                false => format!(" -- {}", shell_words(target.command())),
            };
            format!("acp-check replay {}{agent}", shell_words(std::slice::from_ref(path)))
        });
        let mut also: Vec<RuleId> = finding.also.iter().chain(&group.explains).copied().collect();
        also.sort_unstable();
        also.dedup();
        let mut stages = group.stages.clone();
        stages.sort_unstable();
        self.findings.push(FindingReport {
            rule: rule.name,
            also: also.into_iter().map(RuleId::name).collect(),
            level,
            title: rule.title,
            citation: rule.citation,
            states: stages.iter().map(|s| s.name()).collect(),
            sent: sent.into_iter().collect(),
            allowed,
            received,
            trace: confirmed.record.iter().flat_map(trace_lines).collect(),
            case: shown_path,
            found_ms: group.first.as_millis() as u64,
            stability: confirmed.stability.to_string(),
            repro,
            shown_by: group.files,
        });
    }
}

/// Why a rule is not exercised, as far as can be told beforehand.
fn why_not(rule: &Rule, profile: &Profile) -> String {
    for need in &rule.needs {
        let Some(cap) = need.strip_prefix("cap:") else { continue };
        let (cap, wanted) = match cap.strip_prefix('!') {
            Some(cap) => (cap, false),
            None => (cap, true),
        };
        let known = acp_model::spec::Capability::ALL
            .into_iter()
            .filter(|c| c.is_told_by_initialize() && cap.split('/').any(|name| c.name() == name));
        let mut known = known.peekable();
        if known.peek().is_some() && known.any(|c| profile.capabilities.has(c)) != wanted {
            let not = if wanted { "does not advertise" } else { "advertises" };
            return format!("the agent {not} {cap}");
        }
        if cap == "both-versions" && !profile.speaks_both() {
            return "the agent speaks one version only".to_owned();
        }
    }
    match rule.needs.iter().find(|need| !need.starts_with("cap:")) {
        Some(&"turn") => "needs a live turn, which no stimulus makes yet".to_owned(),
        Some(&"session") => "needs a session, which no stimulus makes yet".to_owned(),
        Some(&"overlap") => "needs requests in flight, which no stimulus makes yet".to_owned(),
        Some(need) => format!("needs {need}: no stimulus exercises it yet"),
        None => "no stimulus exercises it yet".to_owned(),
    }
}

/// Bytes as text, shortened.
pub(super) fn shown(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(SHOWN_BYTES)];
    let mut text: String = String::with_capacity(cut.len());
    for chunk in cut.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    let text: String = text
        .chars()
        .map(|c| if is_invisible(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() })
        .collect();
    match bytes.len() > SHOWN_BYTES {
        true => format!("{text}… ({} bytes)", bytes.len()),
        false => text,
    }
}

/// What a reader would not see, or a terminal would obey.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn sent_text(steps: &[Step], step: usize, profile: &Profile) -> Option<String> {
    let bytes = steps.get(step)?.bytes(profile, step);
    Some(shown(bytes.strip_suffix(b"\n").unwrap_or(&bytes)))
}

/// What the agent printed after the step was sent, and before the next was.
fn answers(record: &Record, step: Option<usize>, steps: &[Step], profile: &Profile) -> Vec<String> {
    let lines: Vec<&LineEntry> = record.trace.lines().collect();
    let from = match step {
        None => 0,
        Some(step) => {
            let Some(bytes) = steps.get(step).map(|s| s.bytes(profile, step)) else {
                return Vec::new();
            };
            let first = bytes.split(|b| *b == b'\n').next().unwrap_or(&[]);
            let sent = lines.iter().position(|l| l.from == Side::Client && l.bytes == first);
            sent.map_or(lines.len(), |sent| sent + 1)
        }
    };
    // What answers a later probe says nothing about the line.
    let later = |l: &LineEntry| {
        let after = step.map_or(0, |step| step + 1);
        (after..steps.len()).any(|later| answer_to(&l.bytes, &Step::id(later)).is_some())
    };
    let answers = lines[from..].iter().filter(|l| l.from == Side::Agent && !later(l));
    answers.take(SHOWN_LINES).map(|line| shown(&line.bytes)).collect()
}

fn trace_lines(record: &Record) -> Vec<serde_json::Value> {
    let mut bytes = Vec::new();
    if record.trace.write(&mut bytes).is_err() {
        return Vec::new();
    }
    let lines = bytes.split(|b| *b == b'\n').skip(1).take(TRACE_LINES);
    lines
        .filter(|line| line.len() < 10_000)
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// Saves the case and its trace; `None`, with a warning, where that is not possible.
fn save(folder: &Path, case: &Case, record: Option<&Record>) -> Option<PathBuf> {
    let slug: String = case
        .received
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    let slug: Vec<&str> = slug.split('-').filter(|word| !word.is_empty()).take(8).collect();
    let name = format!("p{}-{}-{}", case.profile.version, case.rule, slug.join("-"));
    let path = folder.join(format!("{name}.json"));
    let saved = std::fs::create_dir_all(folder).map_err(|e| e.to_string()).and_then(|()| {
        case.write(&path).map_err(|e| e.to_string())?;
        if let Some(record) = record {
            let trace = folder.join(format!("{name}.trace.ndjson"));
            let file = std::fs::File::create(trace).map_err(|e| e.to_string())?;
            record.trace.write(std::io::BufWriter::new(file)).map_err(|e| e.to_string())?;
        }
        Ok(())
    });
    match saved {
        Ok(()) => Some(path),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "warning: the case is not saved: {error}");
            None
        }
    }
}
