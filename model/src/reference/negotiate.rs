use super::output::Failure;
use super::{Agent, Fault};
use crate::spec::{Code, Version};
use crate::wire::Json;

/// The release that the agent tells.
const RELEASE: &str = env!("CARGO_PKG_VERSION");

impl Agent {
    /// Answers `initialize`, and negotiates where that succeeds.
    pub(super) fn initialize(&mut self, params: Option<Json<'_>>) -> Result<String, Failure> {
        if self.failed && self.has(Fault::FailedInitializeIsFinal) {
            return Err(Code::InvalidRequest.into());
        }
        let repeated = self.negotiated.is_some();
        if repeated && self.negotiated == Some(Version::V2) {
            if self.has(Fault::RepeatedInitializeFails) {
                return Err(Code::InternalError.into());
            }
            if self.ready {
                return Err(Code::InvalidRequest.into());
            }
        }
        let negotiated = self.negotiate(params);
        self.failed |= negotiated.is_err();
        let version = negotiated?;
        self.negotiated = Some(version);
        self.ready = false;
        Ok(self.initialize_result(version))
    }

    fn negotiate(&self, params: Option<Json<'_>>) -> Result<Version, Failure> {
        let get = |name| params.and_then(|p: Json<'_>| p.get(name));
        let highest = self.setup.speaks.last().copied().unwrap_or(Version::V2);
        let number = get("protocolVersion").and_then(|v| v.as_number());
        let number = number.filter(|n| !n.has_fraction_or_exponent()).and_then(|n| n.as_u16());
        let requested = match number {
            Some(number) => number,
            None if self.has(Fault::VersionTypeUnchecked) => highest.number(),
            None => return Err(Code::InvalidParams.into()),
        };
        let lenient = ["capabilities", "clientCapabilities"];
        let malformed = |name| get(name).is_some_and(|v| !v.is_null() && v.members().is_none());
        if self.has(Fault::MalformedCapabilitiesFail) && lenient.into_iter().any(malformed) {
            return Err(Code::InternalError.into());
        }
        let below = self.setup.speaks.iter().rev().find(|v| v.number() <= requested);
        let version = match below {
            Some(version) => *version,
            // A v1 agent answers its own version to any other.
            None if self.speaks(Version::V1) => Version::V1,
            None if self.has(Fault::LowerVersionAnswered) => highest,
            None => return Err(unsupported(requested, &self.setup.speaks)),
        };
        let above = requested > highest.number();
        if above && highest == Version::V2 && self.has(Fault::HigherVersionRefused) {
            return Err(unsupported(requested, &self.setup.speaks));
        }
        if requested != 1 && highest == Version::V1 && self.has(Fault::OtherVersionRefused) {
            return Err(Code::InvalidParams.into());
        }
        if above && self.has(Fault::LowestVersionPicked) {
            return Ok(self.setup.speaks[0]);
        }
        if version == Version::V2 && requested == 2 && !self.has(Fault::ClientInfoUnchecked) {
            let info = get("info");
            let string = |name| {
                info.and_then(|i: Json<'_>| i.get(name)).is_some_and(|v| v.as_string().is_some())
            };
            if !(string("name") && string("version")) {
                return Err(Code::InvalidParams.into());
            }
        }
        Ok(version)
    }

    fn initialize_result(&self, version: Version) -> String {
        let title = if self.has(Fault::RawNewlineInString) {
            "reference\nagent"
        } else {
            "reference agent"
        };
        let info =
            format!(r#"{{"name":"acp-check-reference","title":"{title}","version":"{RELEASE}"}}"#);
        let number = version.number() + u16::from(self.has(Fault::AnswersNextVersion));
        let number = match self.has(Fault::VersionLeftOut) && version == Version::V1 {
            true => String::new(),
            false => format!(r#""protocolVersion":{number},"#),
        };
        let login = match (self.has(Fault::TerminalLoginUnasked), version) {
            (false, _) => "",
            (true, Version::V1) => r#"{"id":"terminal","name":"Terminal","type":"terminal"}"#,
            (true, Version::V2) => r#"{"methodId":"terminal","name":"Terminal","type":"terminal"}"#,
        };
        let shape = match (version, self.has(Fault::MembersOfOtherVersion)) {
            (Version::V1, true) => Version::V2,
            (Version::V2, true) => Version::V1,
            (version, false) => version,
        };
        let members = match shape {
            Version::V1 => format!(
                r#""agentCapabilities":{{"loadSession":true,"sessionCapabilities":{{"list":{{}},"resume":{{}},"close":{{}},"delete":{{}}}}}},"agentInfo":{info}"#
            ),
            Version::V2 if self.has(Fault::InfoLeftOut) => {
                r#""capabilities":{"session":{"delete":{}}}"#.to_owned()
            }
            Version::V2 => {
                format!(r#""capabilities":{{"session":{{"delete":{{}}}}}},"info":{info}"#)
            }
        };
        format!(r#"{{{number}{members},"authMethods":[{login}]}}"#)
    }
}

fn unsupported(requested: u16, speaks: &[Version]) -> Failure {
    let supported: Vec<String> = speaks.iter().map(|v| v.to_string()).collect();
    let data = format!(r#"{{"requested":{requested},"supported":[{}]}}"#, supported.join(","));
    Failure { data: Some(data), ..Code::UnsupportedProtocolVersion.into() }
}
