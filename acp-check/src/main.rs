//! Finds protocol errors in any Agent Client Protocol agent.

mod agent;
mod check;
mod cli;
mod corpus;
mod interrupt;
mod progress;
mod replay;
mod report;
mod target;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use cli::{CheckArgs, Cli, Color, Command};
use interrupt::Interrupt;
use progress::Progress;
use report::Report;
use target::Target;

/// Nothing could be judged.
const INCONCLUSIVE: i32 = 3;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    let result = match cli.command {
        None => check(&cli.check),
        Some(Command::Check(args)) => check(&args),
        Some(Command::Replay(args)) => {
            replay::run(&args, &Interrupt::listen(), &mut anstream::stdout())
        }
        Some(Command::Agent(args)) => agent::run(&args),
    };
    match result {
        Ok(code) => ExitCode::from(code as u8),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(INCONCLUSIVE as u8)
        }
    }
}

fn check(args: &CheckArgs) -> io::Result<i32> {
    let interrupt = Interrupt::listen();
    let progress = Progress::new();
    let target = Target::new(args.reach.clone());
    let report = check::check(args, &target, &interrupt, &progress);
    progress.finish();
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
        if let Err(error) = report::write_json(report, path) {
            failed = Some(io::Error::new(error.kind(), format!("{}: {error}", path.display())));
        }
    }
    let text = match args.json.as_deref() == Some(Path::new("-")) {
        true => report::print_text(report, &mut anstream::stderr()),
        false => report::print_text(report, &mut anstream::stdout()),
    };
    match text {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        result => result?,
    }
    io::stdout().flush().ok();
    failed.map_or(Ok(()), Err)
}
