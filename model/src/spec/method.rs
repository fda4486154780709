use super::version::Version;

/// What an agent may advertise, under neutral names (`spec/revisions.md`, "needs").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capability {
    /// Sessions at all: always in v1, `capabilities.session` in v2.
    Session,
    /// `session/list`.
    List,
    /// `session/resume`.
    Resume,
    /// `session/close`.
    Close,
    /// `session/delete`.
    Delete,
    /// v1 `session/load`.
    Load,
    /// v1 `session/set_mode`, known from the modes returned for a session.
    Modes,
    /// Login: `authMethods` is not empty.
    Auth,
    /// Logout: `auth.logout` in v1, part of `Auth` in v2.
    Logout,
    /// Extra workspace roots.
    AdditionalDirectories,
    /// A system prompt of the client's.
    SystemPrompt,
    /// Config options, known from those returned for a session.
    ConfigOptions,
}

impl Capability {
    /// All of them.
    pub const ALL: [Capability; 12] = [
        Capability::Session,
        Capability::List,
        Capability::Resume,
        Capability::Close,
        Capability::Delete,
        Capability::Load,
        Capability::Modes,
        Capability::Auth,
        Capability::Logout,
        Capability::AdditionalDirectories,
        Capability::SystemPrompt,
        Capability::ConfigOptions,
    ];

    /// The name used in the rule table and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Capability::Session => "session",
            Capability::List => "list",
            Capability::Resume => "resume",
            Capability::Close => "close",
            Capability::Delete => "delete",
            Capability::Load => "load",
            Capability::Modes => "modes",
            Capability::Auth => "auth",
            Capability::Logout => "logout",
            Capability::AdditionalDirectories => "additionalDirectories",
            Capability::SystemPrompt => "systemPrompt",
            Capability::ConfigOptions => "configOptions",
        }
    }

    /// Whether `initialize` tells about it; the others show only once a session is made.
    pub const fn is_told_by_initialize(self) -> bool {
        !matches!(self, Capability::Modes | Capability::ConfigOptions)
    }
}

/// A set of capabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Capabilities(u16);

impl Capabilities {
    /// The set with `capability` added.
    pub const fn with(self, capability: Capability) -> Capabilities {
        Capabilities(self.0 | 1 << capability as u16)
    }

    /// Whether `capability` is in the set.
    pub const fn has(self, capability: Capability) -> bool {
        self.0 & 1 << capability as u16 != 0
    }

    /// The members of the set.
    pub fn iter(self) -> impl Iterator<Item = Capability> {
        Capability::ALL.into_iter().filter(move |c| self.has(*c))
    }
}

impl FromIterator<Capability> for Capabilities {
    fn from_iter<I: IntoIterator<Item = Capability>>(iter: I) -> Self {
        iter.into_iter().fold(Capabilities::default(), Capabilities::with)
    }
}

/// Whether a method is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It has an id and is answered once.
    Request,
    /// It has no id and is never answered.
    Notification,
}

/// The type of a member of params.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// Any string.
    String,
    /// A string that is an absolute path.
    Path,
    /// An unsigned 16-bit integer.
    U16,
    /// An array of absolute paths.
    Paths,
    /// An array.
    Array,
    /// An object.
    Object,
    /// Any JSON value.
    Any,
}

/// What a value of the wrong type owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// -32602.
    Strict,
    /// Treated as absent, or -32602: neither may be asserted.
    Lenient,
}

/// One member of a method's params. Every params object also takes a lenient `_meta`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub of: Type,
    /// Whether it must be there.
    pub required: bool,
    /// What a wrong type owes.
    pub strictness: Strictness,
}

/// A method that a client may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    /// Its name on the wire.
    pub name: &'static str,
    /// Whether it is answered.
    pub kind: Kind,
    /// What the agent must have advertised; without it the method owes -32601.
    pub gate: Option<Capability>,
    /// The members of its params.
    pub params: &'static [Param],
    /// The members that its result must have.
    pub result: &'static [&'static str],
}

impl Method {
    /// Whether params may be left out: no member is required.
    pub fn takes_no_params(&self) -> bool {
        self.params.iter().all(|p| !p.required)
    }
}

const fn required(name: &'static str, of: Type) -> Param {
    Param { name, of, required: true, strictness: Strictness::Strict }
}

const fn optional(name: &'static str, of: Type) -> Param {
    Param { name, of, required: false, strictness: Strictness::Strict }
}

const fn lenient(name: &'static str, of: Type) -> Param {
    Param { name, of, required: false, strictness: Strictness::Lenient }
}

const fn request(
    name: &'static str,
    gate: Option<Capability>,
    params: &'static [Param],
    result: &'static [&'static str],
) -> Method {
    Method { name, kind: Kind::Request, gate, params, result }
}

const fn notification(name: &'static str, params: &'static [Param]) -> Method {
    Method { name, kind: Kind::Notification, gate: None, params, result: &[] }
}

const SESSION_ID: Param = required("sessionId", Type::String);
const CWD: Param = required("cwd", Type::Path);
const ROOTS: Param = optional("additionalDirectories", Type::Paths);
const SERVERS: Param = optional("mcpServers", Type::Array);
const SYSTEM_PROMPT: Param = optional("systemPrompt", Type::Object);
const CANCEL_REQUEST: Method =
    notification("$/cancel_request", &[required("requestId", Type::Any)]);
const SESSION_CANCEL: Method = notification("session/cancel", &[SESSION_ID]);
const LIST_PARAMS: &[Param] = &[optional("cwd", Type::Path), optional("cursor", Type::String)];

// schema 1.20.0, v1; `spec/rules.md` section 3.3.
const V1: &[Method] = &[
    request(
        "initialize",
        None,
        &[
            required("protocolVersion", Type::U16),
            lenient("clientCapabilities", Type::Object),
            lenient("clientInfo", Type::Object),
        ],
        &["protocolVersion"],
    ),
    request("authenticate", None, &[required("methodId", Type::String)], &[]),
    request("logout", Some(Capability::Logout), &[], &[]),
    request(
        "session/new",
        None,
        &[CWD, required("mcpServers", Type::Array), ROOTS, SYSTEM_PROMPT],
        &["sessionId"],
    ),
    request(
        "session/load",
        Some(Capability::Load),
        &[SESSION_ID, CWD, required("mcpServers", Type::Array), ROOTS, SYSTEM_PROMPT],
        &[],
    ),
    request(
        "session/resume",
        Some(Capability::Resume),
        &[SESSION_ID, CWD, SERVERS, ROOTS, SYSTEM_PROMPT],
        &[],
    ),
    request("session/list", Some(Capability::List), LIST_PARAMS, &["sessions"]),
    request("session/close", Some(Capability::Close), &[SESSION_ID], &[]),
    request("session/delete", Some(Capability::Delete), &[SESSION_ID], &[]),
    request(
        "session/prompt",
        None,
        &[SESSION_ID, required("prompt", Type::Array)],
        &["stopReason"],
    ),
    request("session/set_mode", None, &[SESSION_ID, required("modeId", Type::String)], &[]),
    request(
        "session/set_config_option",
        None,
        &[SESSION_ID, required("configId", Type::String), required("value", Type::Any)],
        &["configOptions"],
    ),
    SESSION_CANCEL,
    CANCEL_REQUEST,
];

// schema 1.20.0, v2; `spec/rules.md` section 3.1.
const V2: &[Method] = &[
    request(
        "initialize",
        None,
        &[
            required("protocolVersion", Type::U16),
            required("info", Type::Object),
            lenient("capabilities", Type::Object),
        ],
        &["protocolVersion", "info"],
    ),
    request("auth/login", Some(Capability::Auth), &[required("methodId", Type::String)], &[]),
    request("auth/logout", Some(Capability::Auth), &[], &[]),
    request(
        "session/new",
        Some(Capability::Session),
        &[CWD, ROOTS, SERVERS, SYSTEM_PROMPT],
        &["sessionId"],
    ),
    request("session/list", Some(Capability::Session), LIST_PARAMS, &["sessions"]),
    request(
        "session/resume",
        Some(Capability::Session),
        &[SESSION_ID, CWD, ROOTS, SERVERS, optional("replayFrom", Type::Object), SYSTEM_PROMPT],
        &[],
    ),
    request("session/close", Some(Capability::Session), &[SESSION_ID], &[]),
    request(
        "session/prompt",
        Some(Capability::Session),
        &[SESSION_ID, required("prompt", Type::Array), optional("idempotencyKey", Type::String)],
        &[],
    ),
    request(
        "session/set_config_option",
        Some(Capability::Session),
        &[
            SESSION_ID,
            required("configId", Type::String),
            required("type", Type::String),
            required("value", Type::Any),
        ],
        &["configOptions"],
    ),
    request("session/delete", Some(Capability::Delete), &[SESSION_ID], &[]),
    request("tool_call/cancel", None, &[SESSION_ID, required("toolCallId", Type::String)], &[]),
    request("terminal/cancel", None, &[SESSION_ID, required("terminalId", Type::String)], &[]),
    SESSION_CANCEL,
    CANCEL_REQUEST,
];

/// Methods that only a client serves, in either version (`spec/rules.md` 3.2 and 3.4).
pub const CLIENT_METHODS: &[&str] = &[
    "session/update",
    "session/request_permission",
    "elicitation/create",
    "elicitation/complete",
    "fs/read_text_file",
    "fs/write_text_file",
    "terminal/create",
    "terminal/output",
    "terminal/release",
    "terminal/wait_for_exit",
    "terminal/kill",
];

/// The methods that an agent of `version` may serve.
pub const fn methods(version: Version) -> &'static [Method] {
    match version {
        Version::V1 => V1,
        Version::V2 => V2,
    }
}

/// The method called `name` in `version`.
pub fn method(version: Version, name: &str) -> Option<&'static Method> {
    methods(version).iter().find(|m| m.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_once_and_no_method_is_on_both_sides() {
        for version in Version::ALL {
            for (index, method) in methods(version).iter().enumerate() {
                let first = methods(version).iter().position(|m| m.name == method.name);
                assert_eq!(first, Some(index), "{} stands twice", method.name);
                assert!(!CLIENT_METHODS.contains(&method.name));
            }
        }
    }

    #[test]
    fn list_and_logout_take_no_params() {
        assert!(method(Version::V2, "session/list").unwrap().takes_no_params());
        assert!(method(Version::V2, "auth/logout").unwrap().takes_no_params());
        assert!(!method(Version::V1, "session/new").unwrap().takes_no_params());
    }

    #[test]
    fn capabilities_are_a_set() {
        let some: Capabilities = [Capability::List, Capability::Auth].into_iter().collect();
        assert!(some.has(Capability::List) && !some.has(Capability::Close));
        assert_eq!(some.iter().collect::<Vec<_>>(), [Capability::List, Capability::Auth]);
    }
}
