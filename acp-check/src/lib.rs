//! Finds protocol errors in any Agent Client Protocol agent: what the command `acp-check` does.
//!
//! The command is [`run`]. [`check_in_process`] checks an agent of this process, as tests do.

mod agent;
mod check;
mod cli;
mod corpus;
mod interrupt;
mod progress;
mod replay;
mod report;
mod target;

pub use cli::{CheckArgs, Cli};

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use acp_harness::{Implementation, StartError};
use cli::{Color, Command};
use interrupt::Interrupt;
use progress::Progress;
use report::Report;
use target::Target;

/// Nothing could be judged.
const INCONCLUSIVE: i32 = 3;

/// Does what the command line asks for. Returns the exit code: 0 conformant, 1 findings at a
/// denied level, 2 a usage error, 3 inconclusive.
pub fn run(cli: &Cli) -> i32 {
    match cli.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    let result = match &cli.command {
        None => check(&cli.check),
        Some(Command::Check(args)) => check(args),
        Some(Command::Replay(args)) => {
            replay::run(args, &Interrupt::listen(), &mut anstream::stdout())
        }
        Some(Command::Agent(args)) => agent::run(args),
    };
    result.unwrap_or_else(|error| {
        // Standard error may be closed too: then there is nobody to tell.
        let _ = writeln!(io::stderr(), "error: {error}");
        INCONCLUSIVE
    })
}

/// Checks an agent of this process and returns the JSON report (`"format": 1`).
pub fn check_in_process(
    args: &CheckArgs,
    agent: Arc<dyn Implementation + Send>,
) -> Result<serde_json::Value, StartError> {
    let target = Target::in_process(args.reach.clone(), agent);
    let report = check::check(args, &target, &Interrupt::default(), &Progress::hidden())?;
    Ok(report::to_json(&report))
}

fn check(args: &CheckArgs) -> io::Result<i32> {
    let interrupt = Interrupt::listen();
    let progress = Progress::new();
    let target = Target::new(args.reach.clone(), &interrupt);
    let report = check::check(args, &target, &interrupt, &progress);
    progress.finish();
    interrupt.agents_are_gone();
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            let report = Report::not_started(args, &target, &error);
            write_reports(args, &report)?;
            return Ok(INCONCLUSIVE);
        }
    };
    write_reports(args, &report)?;
    Ok(report.exit_code())
}

/// Writes every report asked for. The text goes to standard error where a report takes
/// standard output.
fn write_reports(args: &CheckArgs, report: &Report) -> io::Result<()> {
    let mut failed = None;
    if let Some(path) = &args.json {
        let written = report::write_json(report, path);
        let to_stdout = path == Path::new("-");
        if let Err(error) = written.or_else(|error| forgive(error, to_stdout)) {
            failed = Some(io::Error::new(error.kind(), format!("{}: {error}", path.display())));
        }
    }
    let text = match args.json.as_deref() == Some(Path::new("-")) {
        true => report::print_text(report, &mut anstream::stderr()),
        false => report::print_text(report, &mut anstream::stdout()),
    };
    text.or_else(|error| forgive(error, true))?;
    io::stdout().flush().ok();
    failed.map_or(Ok(()), Err)
}

/// A reader of our output that has seen enough (`| head`) is no error.
fn forgive(error: io::Error, to_pipe: bool) -> io::Result<()> {
    match to_pipe && error.kind() == io::ErrorKind::BrokenPipe {
        true => Ok(()),
        false => Err(error),
    }
}
