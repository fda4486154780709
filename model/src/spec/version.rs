use std::fmt;
use std::str::FromStr;

/// A protocol version that the model knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// Protocol version 1.
    V1,
    /// Protocol version 2.
    V2,
}

impl Version {
    /// All known versions, lowest first.
    pub const ALL: [Version; 2] = [Version::V1, Version::V2];

    /// The number on the wire (`protocolVersion`).
    pub const fn number(self) -> u16 {
        match self {
            Version::V1 => 1,
            Version::V2 => 2,
        }
    }

    /// The version with this number, if the model knows it.
    pub fn from_number(number: u16) -> Option<Version> {
        Version::ALL.into_iter().find(|v| v.number() == number)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A frozen set of rules. Protocol version 1 reads the same under both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Revision {
    /// The errors page decides; where it is silent, every published text is allowed.
    #[default]
    ErrorsPage,
    /// The comments and types of schema 1.20.0 decide.
    Schema1_20,
}

impl Revision {
    /// All revisions, the default first.
    pub const ALL: [Revision; 2] = [Revision::ErrorsPage, Revision::Schema1_20];

    /// The name used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Revision::ErrorsPage => "errors-page",
            Revision::Schema1_20 => "schema-1.20",
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Revision {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Revision::ALL
            .into_iter()
            .find(|r| r.name() == name)
            .ok_or_else(|| format!("no revision `{name}`: use errors-page or schema-1.20"))
    }
}
