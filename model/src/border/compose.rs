use crate::profile::Probe;
use crate::spec::Version;

/// A well-formed `initialize` request for `version`, as a line without its newline. It
/// advertises nothing, so the agent may call none of the optional client methods.
pub fn initialize_line(version: Version, id: &str) -> Vec<u8> {
    let release = env!("CARGO_PKG_VERSION");
    let info = format!(r#"{{"name":"acp-check","version":"{release}"}}"#);
    let params = match version {
        Version::V1 => format!(r#""clientCapabilities":{{}},"clientInfo":{info}"#),
        Version::V2 => format!(r#""info":{info},"capabilities":{{}}"#),
    };
    format!(
        r#"{{"jsonrpc":"2.0","id":"{id}","method":"initialize","params":{{"protocolVersion":{version},{params}}}}}"#
    )
    .into_bytes()
}

/// A cheap request that must be answered, as a line without its newline.
pub fn probe_line(probe: Probe, version: Version, id: &str) -> Vec<u8> {
    match probe {
        Probe::UnknownMethod => {
            format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"_acp_check/probe"}}"#).into_bytes()
        }
        Probe::List => {
            format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"session/list","params":{{}}}}"#)
                .into_bytes()
        }
        Probe::Initialize => initialize_line(version, id),
    }
}

/// A batch of two requests for methods that no agent has.
pub fn batch_line(id: &str) -> Vec<u8> {
    let entry =
        |n: u8| format!(r#"{{"jsonrpc":"2.0","id":"{id}-{n}","method":"_acp_check/probe"}}"#);
    format!("[{},{}]", entry(1), entry(2)).into_bytes()
}
