use acp_model::border::{initialize_line, probe_line};
use acp_model::profile::Profile;
use serde::{Deserialize, Serialize};

/// One step of a conversation: what the client sends.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// A well-formed `initialize` for the version of the run.
    Initialize,
    /// A cheap request that must be answered, to see whether the agent still serves.
    Probe,
    /// These bytes, then a newline. Newlines inside make several lines of it.
    Send(Vec<u8>),
}

impl Step {
    /// The id of the request that an initialize or a probe makes as number `index`.
    pub fn id(index: usize) -> String {
        format!("acp-check-{index}")
    }

    /// The bytes of the step, its last newline included, when it is number `index` of a
    /// conversation with an agent of this profile.
    pub fn bytes(&self, profile: &Profile, index: usize) -> Vec<u8> {
        let id = Step::id(index);
        let mut bytes = match self {
            Step::Initialize => initialize_line(profile.version, &id),
            Step::Probe => probe_line(profile.probe, profile.version, &id),
            Step::Send(bytes) => bytes.clone(),
        };
        bytes.push(b'\n');
        bytes
    }
}

/// A step as it stands in a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Written {
    Initialize(Empty),
    Probe(Empty),
    Send(String),
    SendHex(String),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

impl Serialize for Step {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Step::Initialize => Written::Initialize(Empty {}),
            Step::Probe => Written::Probe(Empty {}),
            Step::Send(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Written::Send(text.to_owned()),
                Err(_) => Written::SendHex(to_hex(bytes)),
            },
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match Written::deserialize(from)? {
            Written::Initialize(_) => Step::Initialize,
            Written::Probe(_) => Step::Probe,
            Written::Send(text) => Step::Send(text.into_bytes()),
            Written::SendHex(hex) => Step::Send(from_hex(&hex).ok_or_else(|| {
                serde::de::Error::custom("`send_hex` takes pairs of hexadecimal digits")
            })?),
        })
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let value = |digit: u8| (digit as char).to_digit(16);
    let byte = |pair: &[u8]| Some((value(pair[0])? * 16 + value(pair[1])?) as u8);
    digits.chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_survive_being_written_and_read() {
        let steps = vec![
            Step::Initialize,
            Step::Send(b"{not \"json\"".to_vec()),
            Step::Send(vec![0xff, 0x00, b'\n']),
            Step::Probe,
        ];
        let text = serde_json::to_string(&steps).unwrap();
        assert_eq!(
            text,
            r#"[{"initialize":{}},{"send":"{not \"json\""},{"send_hex":"ff000a"},{"probe":{}}]"#
        );
        assert_eq!(serde_json::from_str::<Vec<Step>>(&text).unwrap(), steps);
    }

    #[test]
    fn what_is_no_step_is_refused() {
        for text in [r#"{"send_hex":"f"}"#, r#"{"send_hex":"zz"}"#, r#"{"wait":1}"#, "{}"] {
            assert!(serde_json::from_str::<Step>(text).is_err(), "{text}");
        }
    }
}
