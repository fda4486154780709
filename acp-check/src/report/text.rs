use std::io::{self, Write};

use acp_model::spec::Level;
use anstyle::{AnsiColor, Style};

use super::{FindingReport, Report, RunReport, Status, Verdict};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();

/// Findings of level info that are listed by name only.
const WIDTH: usize = 78;

/// Tells a person what was found.
pub(crate) fn print_text(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let agent = &report.agent;
    write!(out, "{BOLD}acp-check{BOLD:#} {} · {}", env!("CARGO_PKG_VERSION"), agent.shown)?;
    if let Some(name) = &agent.name {
        write!(out, " · {name} {}", agent.version.as_deref().unwrap_or(""))?;
    }
    writeln!(out)?;
    for run in &report.runs {
        writeln!(out)?;
        print_run(report, run, out)?;
    }
    for note in &report.notes {
        writeln!(out)?;
        for line in wrapped(note) {
            writeln!(out, "{line}")?;
        }
    }
    writeln!(out)?;
    let seconds = report.elapsed.as_secs_f64();
    let (style, word) = match report.verdict() {
        Verdict::Conformant => (GREEN, "conformant"),
        Verdict::NotConformant => (RED, "not conformant"),
        Verdict::Inconclusive => (YELLOW, "inconclusive"),
    };
    writeln!(out, "{style}{word}{style:#} {DIM}· {seconds:.1} s · seed {}{DIM:#}", report.seed)
}

fn print_run(report: &Report, run: &RunReport, out: &mut impl Write) -> io::Result<()> {
    let count = |status| run.rules.iter().filter(|rule| rule.status == status).count();
    writeln!(out, "{BOLD}protocol {} · {}{BOLD:#}", run.version, run.revision)?;
    if run.coverage.cells > 0 {
        writeln!(
            out,
            "  {DIM}sent{DIM:#} {} of {} lines and conversations",
            run.coverage.hit, run.coverage.cells
        )?;
        for (reason, count) in run.coverage.reasons() {
            writeln!(out, "        {DIM}{count} not sent: {reason}{DIM:#}")?;
        }
        writeln!(
            out,
            "  {DIM}rules{DIM:#} {} passed, {} failed, {} warned, {} not exercised (--json says why)",
            count(Status::Passed),
            count(Status::Failed),
            count(Status::Warned),
            count(Status::NotExercised),
        )?;
    }
    if let Some(reason) = &run.reason {
        for line in wrapped(reason) {
            writeln!(out, "  {line}")?;
        }
    }
    let (shown, info): (Vec<_>, Vec<_>) =
        run.findings.iter().partition(|finding| finding.level > Level::Info);
    for finding in &shown {
        writeln!(out)?;
        print_finding(report, finding, out)?;
    }
    if !info.is_empty() {
        writeln!(out)?;
        writeln!(out, "{DIM}only noted, never judged (level info):{DIM:#}")?;
        for finding in info {
            let seen = finding.received.first().map_or("", |seen| seen.as_str());
            writeln!(out, "{DIM}  {} {}: {seen}{DIM:#}", finding.rule, finding.title)?;
        }
    }
    Ok(())
}

fn print_finding(report: &Report, finding: &FindingReport, out: &mut impl Write) -> io::Result<()> {
    let (style, mark) = match report.denies(finding.level) {
        true => (RED, "✗"),
        false => (YELLOW, "!"),
    };
    let level = finding.level.name();
    writeln!(
        out,
        "{style}{mark} {}{style:#} {BOLD}{}{BOLD:#} {DIM}({level}){DIM:#}",
        finding.rule, finding.title
    )?;
    let mut row = |name: &str, value: &str| -> io::Result<()> {
        match value.is_empty() {
            true => Ok(()),
            false => writeln!(out, "    {DIM}{name:<9}{DIM:#} {value}"),
        }
    };
    row("state", &finding.states.join(", "))?;
    for sent in &finding.sent {
        row("sent", sent)?;
    }
    let (seen, lines) = match finding.received.split_first() {
        Some((seen, lines)) => (seen.as_str(), lines),
        None => ("", &[][..]),
    };
    row("received", seen)?;
    for line in lines {
        row("", line)?;
    }
    row("allowed", &finding.allowed.join(" · or "))?;
    row("written", finding.citation)?;
    row("also", &finding.also.join(", "))?;
    let more = match finding.shown_by.len() {
        0 | 1 => String::new(),
        files => format!("; shown by {files} files of the corpus"),
    };
    row("seen", &format!("{}{more}", finding.stability))?;
    row("again", &finding.repro)
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let indent: String = paragraph.chars().take_while(|c| *c == ' ').collect();
        let mut line = indent.clone();
        for word in paragraph.split_whitespace() {
            if line.trim().is_empty() {
                line = format!("{indent}{word}");
            } else if line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
            } else {
                line.push(' ');
                line.push_str(word);
            }
        }
        lines.push(line);
    }
    lines
}
