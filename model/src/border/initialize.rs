use super::said::messages;
use crate::spec::{Capabilities, Capability, Version};
use crate::wire::{Json, Text};

/// What the params of an `initialize` request say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestedVersion {
    /// `protocolVersion`, where it is an unsigned 16-bit integer by value.
    pub version: Option<u16>,
    /// The version is written with a fraction or an exponent, as in `2.0`.
    pub integral_float: bool,
    /// `info` is an object with the strings `name` and `version`.
    pub has_info: bool,
    /// `capabilities`, `clientCapabilities`, `clientInfo` or `_meta` is of the wrong type.
    pub malformed_lenient: bool,
    /// The client lets the agent offer logins of type `terminal` (INIT-16).
    pub terminal_login: bool,
}

impl RequestedVersion {
    pub(super) fn read(params: Option<Json<'_>>) -> RequestedVersion {
        let get = |name| params.and_then(|p: Json<'_>| p.get(name));
        let number = get("protocolVersion").and_then(|v| v.as_number());
        let of_wrong_type = |name| get(name).is_some_and(|v| !v.is_null() && v.members().is_none());
        let lenient = ["capabilities", "clientCapabilities", "clientInfo", "_meta"];
        RequestedVersion {
            version: number.and_then(|n| n.as_u16()),
            integral_float: number.is_some_and(|n| n.has_fraction_or_exponent()),
            has_info: get("info").is_some_and(is_implementation),
            malformed_lenient: lenient.into_iter().any(of_wrong_type),
            terminal_login: ["capabilities", "clientCapabilities"]
                .into_iter()
                .any(|name| advertised(get(name), "auth.terminal")),
        }
    }
}

/// `{name: string, version: string}`.
pub(super) fn is_implementation(info: Json<'_>) -> bool {
    let string = |name| info.get(name).is_some_and(|v| v.as_string().is_some());
    string("name") && string("version")
}

/// What a successful `initialize` response tells about an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initialized {
    /// The negotiated `protocolVersion`, where it is an unsigned 16-bit integer.
    pub version: Option<u16>,
    /// The version whose members the result has.
    pub shape: Version,
    /// The agent's name, if it tells.
    pub name: Option<String>,
    /// The version of the agent, if it tells.
    pub release: Option<String>,
    /// What it advertises.
    pub capabilities: Capabilities,
    /// The ids of its login methods.
    pub login_methods: Vec<String>,
}

/// Reads what the line of an `initialize` response tells; `None` where it is no result.
pub fn learn(line: &[u8]) -> Option<Initialized> {
    let result = messages(line).find_map(|m| m.result).filter(|r| r.members().is_some())?;
    let version =
        result.get("protocolVersion").and_then(|v| v.as_number()).and_then(|v| v.as_u16());
    let is_v2 = match version {
        Some(version) => version >= Version::V2.number(),
        None => result.get("info").is_some() || result.get("capabilities").is_some(),
    };
    let info = result.get(if is_v2 { "info" } else { "agentInfo" });
    let text = |name| {
        let text: Option<Text<'_>> = info.and_then(|i| i.get(name)).and_then(|v| v.as_string());
        text.and_then(|t| t.to_str()).map(|t| t.into_owned())
    };
    let id = if is_v2 { "methodId" } else { "id" };
    let methods = result.get("authMethods").and_then(|m| m.elements()).into_iter().flatten();
    let login_methods: Vec<String> =
        methods.filter_map(|m| m.get(id)?.as_string()?.to_str().map(|t| t.into_owned())).collect();
    let mut capabilities = if is_v2 { of_v2(result) } else { of_v1(result) };
    if !login_methods.is_empty() {
        capabilities = capabilities.with(Capability::Auth);
        if is_v2 {
            capabilities = capabilities.with(Capability::Logout);
        }
    }
    Some(Initialized {
        version,
        shape: if is_v2 { Version::V2 } else { Version::V1 },
        name: text("name"),
        release: text("version"),
        capabilities,
        login_methods,
    })
}

fn of_v1(result: Json<'_>) -> Capabilities {
    let at = |path| advertised(result.get("agentCapabilities"), path);
    use Capability::*;
    let told = [
        (Load, "loadSession"),
        (List, "sessionCapabilities.list"),
        (Resume, "sessionCapabilities.resume"),
        (Close, "sessionCapabilities.close"),
        (Delete, "sessionCapabilities.delete"),
        (AdditionalDirectories, "sessionCapabilities.additionalDirectories"),
        (SystemPrompt, "sessionCapabilities.systemPrompt"),
        (Logout, "auth.logout"),
    ];
    let told = told.into_iter().filter(|(_, path)| at(path)).map(|(c, _)| c);
    told.chain([Session]).collect()
}

fn of_v2(result: Json<'_>) -> Capabilities {
    let at = |path| advertised(result.get("capabilities"), path);
    use Capability::*;
    let told = [
        (Session, "session"),
        (List, "session"),
        (Resume, "session"),
        (Close, "session"),
        (Delete, "session.delete"),
        (AdditionalDirectories, "session.additionalDirectories"),
        (SystemPrompt, "session.systemPrompt"),
    ];
    told.into_iter().filter(|(_, path)| at(path)).map(|(c, _)| c).collect()
}

/// Whether a dotted path leads to a marker that means "supported": an object, or true.
fn advertised(root: Option<Json<'_>>, path: &str) -> bool {
    let marker = path.split('.').fold(root, |at, name| at.and_then(|v| v.get(name)));
    marker.is_some_and(|m| m.members().is_some() || m.as_bool() == Some(true))
}
