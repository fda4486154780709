use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which home directory an agent sees.
#[derive(Debug, Clone)]
pub enum Home {
    /// An empty one, shared by everything that has this value, and removed after the last of it.
    Temporary(Arc<TempHome>),
    /// The user's own.
    Real,
}

impl Home {
    /// A new, empty home.
    pub fn temporary() -> io::Result<Home> {
        Ok(Home::Temporary(Arc::new(TempHome::new()?)))
    }
}

/// An empty home directory, with `tmp` for temporary files and `cwd` to start in. It is removed
/// when dropped, what was made read-only in it too.
#[derive(Debug)]
pub struct TempHome {
    path: PathBuf,
}

impl TempHome {
    /// Makes the directory among the system's temporary ones.
    pub fn new() -> io::Result<TempHome> {
        // The path is kept short: agents put sockets in it, which may have 107 bytes.
        let directory = tempfile::Builder::new().prefix("acp-").tempdir()?;
        let home = TempHome { path: directory.keep().canonicalize()? };
        fs::create_dir(home.temporary_files())?;
        fs::create_dir(home.working_directory())?;
        Ok(home)
    }

    /// The home directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where an agent starts that is not given another directory.
    pub fn working_directory(&self) -> PathBuf {
        self.path.join("cwd")
    }

    fn temporary_files(&self) -> PathBuf {
        self.path.join("tmp")
    }

    /// The variables that make this the home of an agent. `ours` looks up the variables of our
    /// own environment.
    ///
    /// So that launchers still work, the homes and caches of toolchains (cargo, rustup, pyenv,
    /// nvm, npm, uv) stay the real ones: where a variable names one already it is left alone,
    /// otherwise it is set if the usual place exists.
    pub(crate) fn variables(
        &self,
        ours: impl Fn(&str) -> Option<OsString>,
    ) -> Vec<(&'static str, OsString)> {
        let mut variables = vec![
            ("HOME", self.path.clone().into()),
            ("XDG_CONFIG_HOME", self.path.join(".config").into()),
            ("XDG_CACHE_HOME", self.path.join(".cache").into()),
            ("XDG_DATA_HOME", self.path.join(".local/share").into()),
            ("XDG_STATE_HOME", self.path.join(".local/state").into()),
            ("TMPDIR", self.temporary_files().into()),
        ];
        let Some(real) = ours("HOME").map(PathBuf::from).filter(|home| home.is_absolute()) else {
            return variables;
        };
        let cache = ours("XDG_CACHE_HOME").map_or_else(|| real.join(".cache"), PathBuf::from);
        let data = ours("XDG_DATA_HOME").map_or_else(|| real.join(".local/share"), PathBuf::from);
        let toolchains = [
            ("CARGO_HOME", real.join(".cargo")),
            ("RUSTUP_HOME", real.join(".rustup")),
            ("PYENV_ROOT", real.join(".pyenv")),
            ("NVM_DIR", real.join(".nvm")),
            ("npm_config_cache", real.join(".npm")),
            ("UV_CACHE_DIR", cache.join("uv")),
            ("UV_TOOL_DIR", data.join("uv/tools")),
            ("UV_PYTHON_INSTALL_DIR", data.join("uv/python")),
        ];
        for (name, place) in toolchains {
            let is_set = |name: &str| ours(name).is_some_and(|value| !value.is_empty());
            if !is_set(name) && !is_set(&name.to_uppercase()) && place.is_dir() {
                variables.push((name, place.into()));
            }
        }
        variables
    }
}

impl Drop for TempHome {
    fn drop(&mut self) {
        // What cannot be removed is left: there is nobody to tell.
        if fs::remove_dir_all(&self.path).is_err() {
            make_writable(&self.path);
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Gives us back the right to remove what is in a directory. Links are not followed.
fn make_writable(directory: &Path) {
    let _ = fs::set_permissions(directory, Permissions::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_removed_with_what_was_made_read_only() {
        let home = TempHome::new().unwrap();
        let path = home.path().to_owned();
        let inner = path.join("cwd/go/pkg");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "").unwrap();
        fs::set_permissions(&inner, Permissions::from_mode(0o500)).unwrap();
        fs::set_permissions(path.join("cwd"), Permissions::from_mode(0o000)).unwrap();
        drop(home);
        assert!(!path.exists());
    }

    #[test]
    fn toolchains_stay_where_they_are() {
        let real = tempfile::tempdir().unwrap();
        for place in [".cargo", ".rustup", ".npm", ".nvm", "cache/uv"] {
            fs::create_dir_all(real.path().join(place)).unwrap();
        }
        let home = TempHome::new().unwrap();
        let variables = home.variables(|name| match name {
            "HOME" => Some(real.path().into()),
            "XDG_CACHE_HOME" => Some(real.path().join("cache").into()),
            "RUSTUP_HOME" => Some("/opt/rustup".into()),
            "NPM_CONFIG_CACHE" => Some("/opt/npm".into()),
            "NVM_DIR" => Some("".into()),
            _ => None,
        });
        let place = |name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, place)| PathBuf::from(place))
        };
        assert_eq!(place("HOME"), Some(home.path().into()));
        assert_eq!(place("TMPDIR"), Some(home.path().join("tmp")));
        assert_eq!(place("CARGO_HOME"), Some(real.path().join(".cargo")));
        assert_eq!(place("RUSTUP_HOME"), None, "set already, so inherited");
        assert_eq!(place("npm_config_cache"), None, "set already in capitals");
        assert_eq!(place("NVM_DIR"), Some(real.path().join(".nvm")), "empty is not set");
        assert_eq!(place("UV_CACHE_DIR"), Some(real.path().join("cache/uv")));
        assert_eq!(place("PYENV_ROOT"), None, "does not exist");
    }
}
