//! The command `acp-check`.

use std::io::Write;
use std::process::ExitCode;

use acp_check::Cli;
use clap::Parser;
use clap::error::ErrorKind;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            let words = [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand];
            if words.contains(&error.kind()) {
                let _ = writeln!(
                    std::io::stderr(),
                    "\nThe agent's command comes behind `--`: acp-check -- your-agent --its --arguments"
                );
            }
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    ExitCode::from(acp_check::run(&cli) as u8)
}
