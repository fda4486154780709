use std::io::{self, BufRead, Write};

use acp_model::reference::{Agent, FAULTS, Fault, Faults, Flow, Setup};
use acp_model::spec::Version;

use crate::cli::{AgentArgs, Speaks};

/// Runs the reference agent on standard input and output.
pub(crate) fn run(args: &AgentArgs) -> io::Result<i32> {
    if args.list_faults {
        return list_faults(&mut io::stdout().lock()).map(|()| 0);
    }
    let mut faults = Faults::default();
    let mut speaks: &[Version] = &Version::ALL;
    for name in &args.fault {
        let Some(fault) = Fault::find(name) else {
            eprintln!("error: no fault `{name}`; `acp-check agent --list-faults` names them all");
            return Ok(2);
        };
        faults = faults.with(fault);
        speaks = fault.info().speaks();
    }
    let speaks = match args.protocol {
        Some(Speaks::V1) => &[Version::V1],
        Some(Speaks::V2) => &[Version::V2],
        Some(Speaks::Both) => &Version::ALL[..],
        None => speaks,
    };
    serve(Agent::new(Setup { speaks: speaks.to_vec(), faults }))
}

fn serve(mut agent: Agent) -> io::Result<i32> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let (mut line, mut printed) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(0);
        }
        let flow = agent.line(line.strip_suffix(b"\n").unwrap_or(&line), &mut printed);
        match output.write_all(&printed).and_then(|()| output.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(0),
            result => result?,
        }
        printed.clear();
        if let Flow::Exit(code) = flow {
            return Ok(code);
        }
    }
}

fn list_faults(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:<36} {:<8} {:<8} it", "fault", "rule v1", "rule v2")?;
    for info in FAULTS {
        let name = |version| info.rule(version).map_or("-", |rule| rule.name());
        let (v1, v2) = (name(Version::V1), name(Version::V2));
        writeln!(out, "{:<36} {v1:<8} {v2:<8} {}", info.name, info.about)?;
    }
    Ok(())
}
