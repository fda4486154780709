use std::fmt;
use std::ops::RangeInclusive;

/// The codes that JSON-RPC 2.0 and ACP keep to themselves (errors page, "Error Codes").
pub const RESERVED: RangeInclusive<i64> = -32768..=-32000;

/// One of the nine error codes of the errors page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// -32700: the message is not valid JSON.
    ParseError,
    /// -32600: no valid request object, or a request before initialization.
    InvalidRequest,
    /// -32601: the receiver does not implement the method.
    MethodNotFound,
    /// -32602: malformed parameters or an unsupported value.
    InvalidParams,
    /// -32603: the receiver failed unexpectedly.
    InternalError,
    /// -32800: the request was cancelled.
    RequestCancelled,
    /// -32000: the request requires authentication first.
    AuthenticationRequired,
    /// -32002: a referenced resource, such as a session, does not exist.
    ResourceNotFound,
    /// -32022: no protocol version at or below the requested one is supported.
    UnsupportedProtocolVersion,
}

impl Code {
    /// The nine codes in the order of the errors page.
    pub const ALL: [Code; 9] = [
        Code::ParseError,
        Code::InvalidRequest,
        Code::MethodNotFound,
        Code::InvalidParams,
        Code::InternalError,
        Code::RequestCancelled,
        Code::AuthenticationRequired,
        Code::ResourceNotFound,
        Code::UnsupportedProtocolVersion,
    ];

    /// The number on the wire.
    pub const fn number(self) -> i64 {
        match self {
            Code::ParseError => -32700,
            Code::InvalidRequest => -32600,
            Code::MethodNotFound => -32601,
            Code::InvalidParams => -32602,
            Code::InternalError => -32603,
            Code::RequestCancelled => -32800,
            Code::AuthenticationRequired => -32000,
            Code::ResourceNotFound => -32002,
            Code::UnsupportedProtocolVersion => -32022,
        }
    }

    /// The message text of the errors page.
    pub const fn message(self) -> &'static str {
        match self {
            Code::ParseError => "Parse error",
            Code::InvalidRequest => "Invalid request",
            Code::MethodNotFound => "Method not found",
            Code::InvalidParams => "Invalid params",
            Code::InternalError => "Internal error",
            Code::RequestCancelled => "Request cancelled",
            Code::AuthenticationRequired => "Authentication required",
            Code::ResourceNotFound => "Resource not found",
            Code::UnsupportedProtocolVersion => "Unsupported protocol version",
        }
    }

    /// The code with this number.
    pub fn from_number(number: i64) -> Option<Code> {
        Code::ALL.into_iter().find(|c| c.number() == number)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}
