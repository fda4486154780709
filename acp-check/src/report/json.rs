use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::{AgentInfo, CoverageReport, FindingReport, Report, RuleReport, RunReport, Verdict};

#[derive(Serialize)]
struct ReportFile<'a> {
    format: u32,
    agent: &'a AgentInfo,
    verdict: Verdict,
    runs: Vec<RunFile<'a>>,
    seed: u64,
    elapsed_ms: u64,
}

#[derive(Serialize)]
struct RunFile<'a> {
    protocol: u16,
    revision: &'a str,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    rules: &'a [RuleReport],
    findings: &'a [FindingReport],
    coverage: &'a CoverageReport,
}

impl<'a> ReportFile<'a> {
    fn of(report: &'a Report) -> ReportFile<'a> {
        ReportFile {
            format: 1,
            agent: &report.agent,
            verdict: report.verdict(),
            runs: report.runs.iter().map(RunFile::of).collect(),
            seed: report.seed,
            elapsed_ms: report.elapsed.as_millis() as u64,
        }
    }
}

impl<'a> RunFile<'a> {
    fn of(run: &'a RunReport) -> RunFile<'a> {
        RunFile {
            protocol: run.version.number(),
            revision: run.revision,
            verdict: run.verdict,
            reason: run.reason.as_deref(),
            rules: &run.rules,
            findings: &run.findings,
            coverage: &run.coverage,
        }
    }
}

/// The report as one JSON object.
pub(crate) fn to_json(report: &Report) -> serde_json::Value {
    serde_json::to_value(ReportFile::of(report)).unwrap_or_default()
}

/// Writes the report as one JSON object; `-` is standard output.
pub(crate) fn write_json(report: &Report, path: &Path) -> io::Result<()> {
    let mut text = serde_json::to_string_pretty(&ReportFile::of(report))?;
    text.push('\n');
    match path == Path::new("-") {
        true => io::stdout().write_all(text.as_bytes()),
        false => std::fs::write(path, text),
    }
}
