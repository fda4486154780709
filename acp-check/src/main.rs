//! The command `acp-check`.

use std::process::ExitCode;

use acp_check::Cli;
use clap::Parser;

fn main() -> ExitCode {
    ExitCode::from(acp_check::run(&Cli::parse()) as u8)
}
