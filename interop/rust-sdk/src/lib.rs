//! Agents on the Rust SDK (`agent-client-protocol`), as programs and in this process.
//!
//! [`agent_v1`] and [`agent_v2`] do the least that the SDK asks for: what is wrong on
//! the wire is the SDK's. `examples/` serves them over stdio; [`RustSdk`] serves the
//! same agents in this process, thousands of conversations a second, through the reader
//! of lines that stdio has too.

mod agent_v1;
pub use agent_v1::agent_v1;

mod agent_v2;
pub use agent_v2::agent_v2;

mod in_process;
pub use in_process::RustSdk;

mod pipe;
mod turn;
