use std::borrow::Cow;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::child::ChildConnection;
use crate::connection::{Connection, Implementation, StartError};
use crate::home::Home;
use crate::pipes::Pipes;
use crate::process::Process;
use crate::tree::{MARK_VARIABLE, Mark, Tree};

/// A command that speaks the protocol on its standard input and output.
///
/// It runs in a process group of its own, and everything it started is gone when the connection
/// has been finished or dropped.
///
/// Where it starts in another directory than ours, paths relative to ours would break. A program
/// given with a slash (`./agent`) is therefore made absolute, and so is every argument that names
/// an existing file relative to our directory (`agent.py`). Other arguments stay as they are.
///
/// ```
/// use std::time::{Duration, Instant};
/// use acp_harness::{ChildCommand, Ended, Home, Implementation, Received};
///
/// let cat = ChildCommand::new("cat", Home::temporary().unwrap());
/// let mut connection = cat.start().unwrap();
/// connection.send(b"hello\n");
/// let deadline = Instant::now() + Duration::from_secs(5);
/// assert_eq!(connection.receive(deadline), Received::Line(b"hello".to_vec()));
/// assert_eq!(connection.finish(Duration::from_secs(5)), Ended::Exit(0));
/// ```
#[derive(Debug, Clone)]
pub struct ChildCommand {
    /// The program: a name to be looked up in `PATH`, or a path.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables that are set besides the inherited ones; they win over those of `home`.
    pub env: Vec<(String, String)>,
    /// Where it starts. Without one: in the temporary home, or with the real home where we are.
    pub cwd: Option<PathBuf>,
    /// The home directory that it sees.
    pub home: Home,
    /// Once true, [`Connection::receive`] waits no more: it says that the agent was
    /// [stopped](crate::Ended::Stopped), and [`Connection::finish`] remains to be called.
    pub stop: Arc<AtomicBool>,
}

impl ChildCommand {
    /// A command without arguments.
    pub fn new(program: impl Into<String>, home: Home) -> ChildCommand {
        ChildCommand {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
            home,
            stop: Arc::default(),
        }
    }

    /// The same command with these arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> ChildCommand {
        self.args = args.into_iter().map(Into::into).collect();
        self
    }

    fn working_directory(&self) -> Option<PathBuf> {
        match (&self.cwd, &self.home) {
            (Some(given), _) => Some(given.clone()),
            (None, Home::Temporary(home)) => Some(home.working_directory()),
            (None, Home::Real) => None,
        }
    }

    fn command(&self, mark: &Mark) -> io::Result<Command> {
        let mut command;
        if let Some(cwd) = self.working_directory() {
            let ours = std::env::current_dir()?;
            if !cwd.is_dir() {
                return Err(io::Error::new(
                    io::ErrorKind::NotFound,
                    format!("the directory {} to start it in does not exist", cwd.display()),
                ));
            }
            command = Command::new(&*absolute_program(&self.program, &ours));
            command.args(self.args.iter().map(|arg| absolute_file(arg, &ours).into_owned()));
            command.current_dir(cwd);
        } else {
            command = Command::new(&self.program);
            command.args(&self.args);
        }
        if let Home::Temporary(home) = &self.home {
            command.envs(home.variables(|name| std::env::var_os(name)));
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command.env(MARK_VARIABLE, mark.value(std::env::var_os(MARK_VARIABLE).as_deref()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        Ok(command)
    }
}

impl Implementation for ChildCommand {
    fn start(&self) -> Result<Box<dyn Connection>, StartError> {
        let failed = |source| StartError::Spawn { command: self.name(), source };
        let mark = Mark::new();
        let mut child = self.command(&mark).and_then(|mut it| it.spawn()).map_err(failed)?;
        let pipes = Pipes::of(&mut child);
        let process = Process::new(child);
        let tree = Tree::new(process.id(), mark);
        let home = match &self.home {
            Home::Temporary(home) => Some(home.clone()),
            Home::Real => None,
        };
        match pipes {
            Ok(pipes) => {
                let stop = self.stop.clone();
                Ok(Box::new(ChildConnection::new(process, tree, pipes, home, stop)))
            }
            Err(error) => {
                let (mut process, mut tree) = (process, tree);
                process.kill();
                tree.kill_all();
                process.reap();
                Err(failed(error))
            }
        }
    }

    fn name(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.args);
        words.map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// A path stays the same program in another directory.
fn absolute_program<'a>(program: &'a str, ours: &Path) -> Cow<'a, Path> {
    let path = Path::new(program);
    if program.contains('/') && path.is_relative() { ours.join(path).into() } else { path.into() }
}

/// A file that exists stays the same file in another directory.
fn absolute_file<'a>(arg: &'a str, ours: &Path) -> Cow<'a, Path> {
    let path = Path::new(arg);
    let file = ours.join(path);
    if path.is_relative() && !arg.starts_with('-') && file.is_file() {
        file.into()
    } else {
        path.into()
    }
}

/// A word as it would be typed into a shell.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=+:,./@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''")).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_names_a_file_here_is_made_absolute() {
        let ours = tempfile::tempdir().unwrap();
        std::fs::create_dir(ours.path().join("dist")).unwrap();
        for file in ["agent.py", "dist/main.mjs", "-x"] {
            std::fs::write(ours.path().join(file), "").unwrap();
        }
        let check = |arg: &str, changed: bool| {
            let expected = if changed { ours.path().join(arg) } else { arg.into() };
            assert_eq!(absolute_file(arg, ours.path()), expected, "{arg}");
        };
        check("agent.py", true);
        check("dist/main.mjs", true);
        check("dist", false);
        check("-x", false);
        check("missing.py", false);
        check("", false);
        check("/bin/sh", false);

        assert_eq!(absolute_program("./agent", ours.path()), ours.path().join("./agent"));
        assert_eq!(absolute_program("node", ours.path()), Path::new("node"));
        assert_eq!(absolute_program("/bin/sh", ours.path()), Path::new("/bin/sh"));
    }

    #[test]
    fn the_name_can_be_typed() {
        let command = ChildCommand::new("npx", Home::Real).args(["-y", "@a/b@1.0", "it's", ""]);
        assert_eq!(command.name(), r"npx -y @a/b@1.0 'it'\''s' ''");
    }
}
