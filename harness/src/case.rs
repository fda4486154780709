use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use acp_model::border::Kind;
use acp_model::profile::{BatchKind, Probe, Profile};
use acp_model::spec::{Capability, Revision, RuleId, Version};
use serde::{Deserialize, Serialize};

use crate::step::Step;

/// The version of the file format.
const FORMAT: u32 = 1;

/// A conversation that showed a finding, saved so that it can be replayed.
///
/// A case is one JSON object. It holds all that its judgement needs: the steps, and the profile
/// of the agent as it was learned when the case was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// What it shows, in a sentence.
    pub about: String,
    /// The rule that was broken.
    pub rule: RuleId,
    /// What the agent did, in words.
    pub received: String,
    /// What is allowed there, in words.
    pub allowed: Vec<String>,
    /// The command of the agent that it was found in; empty for the embedded agent.
    pub agent: Vec<String>,
    /// The rule set.
    pub revision: Revision,
    /// What was learned about the agent before judging.
    pub profile: Profile,
    /// What the client sends.
    pub steps: Vec<Step>,
}

/// Why a case file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not the JSON of a case.
    #[error("{path} is no case file: {source}")]
    Json {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// It is a case of another format, or names what this version does not know.
    #[error("{path}: {what}")]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What is unknown.
        what: String,
    },
}

#[derive(Serialize, Deserialize)]
struct CaseFile {
    format: u32,
    about: String,
    rule: String,
    received: String,
    allowed: Vec<String>,
    agent: Vec<String>,
    protocol: u16,
    revision: String,
    profile: ProfileFile,
    steps: Vec<Step>,
}

#[derive(Serialize, Deserialize)]
struct ProfileFile {
    speaks: Vec<u16>,
    capabilities: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_method: Option<String>,
    probe: String,
    answers_early: bool,
}

impl Case {
    /// Reads a case file.
    pub fn read(path: &Path) -> Result<Case, CaseError> {
        let path = path.to_owned();
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(source) => return Err(CaseError::Io { path, source }),
        };
        match serde_json::from_slice::<CaseFile>(&text) {
            Ok(file) => file.into_case().map_err(|what| CaseError::Unknown { path, what }),
            Err(source) => Err(CaseError::Json { path, source }),
        }
    }

    /// Writes the case; what stood there is replaced whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), CaseError> {
        let mut text = serde_json::to_string_pretty(&CaseFile::of(self)).unwrap_or_default();
        text.push('\n');
        let part = path.with_extension("part");
        fs::write(&part, text)
            .and_then(|()| fs::rename(&part, path))
            .map_err(|source| CaseError::Io { path: path.to_owned(), source })
    }
}

impl CaseFile {
    fn of(case: &Case) -> CaseFile {
        let profile = &case.profile;
        CaseFile {
            format: FORMAT,
            about: case.about.clone(),
            rule: case.rule.name().to_owned(),
            received: case.received.clone(),
            allowed: case.allowed.clone(),
            agent: case.agent.clone(),
            protocol: profile.version.number(),
            revision: case.revision.name().to_owned(),
            profile: ProfileFile {
                speaks: profile.speaks.iter().map(|v| v.number()).collect(),
                capabilities: profile.capabilities.iter().map(|c| c.name().to_owned()).collect(),
                batch: profile.batch.map(|b| batch_name(b).to_owned()),
                unknown_method: profile.unknown_method.map(kind_name),
                probe: probe_name(profile.probe).to_owned(),
                answers_early: profile.answers_early,
            },
            steps: case.steps.clone(),
        }
    }

    fn into_case(self) -> Result<Case, String> {
        if self.format != FORMAT {
            return Err(format!(
                "format {} is not known, only {FORMAT}: a newer acp-check wrote it",
                self.format
            ));
        }
        let version = |number: u16| {
            Version::from_number(number).ok_or_else(|| format!("no protocol version {number}"))
        };
        let profile = self.profile;
        let speaks = profile.speaks.into_iter().map(version).collect::<Result<_, _>>()?;
        let named = |name: &String| {
            let known = Capability::ALL.into_iter().find(|c| c.name() == name);
            known.ok_or_else(|| format!("no capability `{name}`"))
        };
        let batch = match profile.batch {
            Some(name) => Some(
                [BatchKind::Array, BatchKind::Refused]
                    .into_iter()
                    .find(|b| batch_name(*b) == name)
                    .ok_or_else(|| format!("no way to take batches is called `{name}`"))?,
            ),
            None => None,
        };
        let unknown_method = match profile.unknown_method {
            Some(name) => Some(kind_named(&name).ok_or_else(|| format!("no outcome `{name}`"))?),
            None => None,
        };
        let probe = Probe::ALL.into_iter().find(|p| probe_name(*p) == profile.probe);
        Ok(Case {
            about: self.about,
            rule: RuleId::find(&self.rule).ok_or_else(|| format!("no rule `{}`", self.rule))?,
            received: self.received,
            allowed: self.allowed,
            agent: self.agent,
            revision: self.revision.parse()?,
            profile: Profile {
                version: version(self.protocol)?,
                speaks,
                capabilities: profile.capabilities.iter().map(named).collect::<Result<_, _>>()?,
                batch,
                unknown_method,
                probe: probe.ok_or_else(|| format!("no probe `{}`", profile.probe))?,
                answers_early: profile.answers_early,
            },
            steps: self.steps,
        })
    }
}

fn batch_name(kind: BatchKind) -> &'static str {
    match kind {
        BatchKind::Array => "array",
        BatchKind::Refused => "refused",
    }
}

fn probe_name(probe: Probe) -> &'static str {
    match probe {
        Probe::UnknownMethod => "unknown method",
        Probe::List => "session/list",
        Probe::Initialize => "initialize",
    }
}

fn kind_name(kind: Kind) -> String {
    match kind {
        Kind::Result => "result".to_owned(),
        Kind::Error(code) => format!("error {code}"),
    }
}

fn kind_named(name: &str) -> Option<Kind> {
    match name.strip_prefix("error ") {
        Some(code) => code.parse().ok().map(Kind::Error),
        None => (name == "result").then_some(Kind::Result),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Case {
        Case {
            about: "a line that is not JSON".to_owned(),
            rule: RuleId::find("FRM-03").unwrap(),
            received: "no response".to_owned(),
            allowed: vec!["error -32700, id null".to_owned()],
            agent: vec!["python3".to_owned(), "agent.py".to_owned()],
            revision: Revision::Schema1_20,
            profile: Profile {
                version: Version::V2,
                speaks: vec![Version::V1, Version::V2],
                capabilities: [Capability::Session, Capability::List].into_iter().collect(),
                batch: Some(BatchKind::Refused),
                unknown_method: Some(Kind::Error(-32601)),
                probe: Probe::List,
                answers_early: false,
            },
            steps: vec![Step::Initialize, Step::Send(vec![0xff, 0xfe]), Step::Probe],
        }
    }

    #[test]
    fn a_case_survives_being_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("case.json");
        sample().write(&path).unwrap();
        assert_eq!(Case::read(&path).unwrap(), sample());
    }

    #[test]
    fn bad_files_are_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("case.json");
        let check = |from: &str, to: &str, reason: &str| {
            sample().write(&path).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{text}");
            fs::write(&path, text.replacen(from, to, 1)).unwrap();
            let error = Case::read(&path).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        check(r#""format": 1"#, r#""format": 9"#, "format 9 is not known");
        check("FRM-03", "FRM-99", "no rule `FRM-99`");
        check("schema-1.20", "schema-0.1", "no revision `schema-0.1`");
        check(r#""protocol": 2"#, r#""protocol": 7"#, "no protocol version 7");
        check("refused", "swallowed", "no way to take batches is called `swallowed`");
        check(r#""steps": ["#, r#""steps": [5, "#, "is no case file");
        assert!(Case::read(&folder.path().join("none.json")).is_err());
    }
}
