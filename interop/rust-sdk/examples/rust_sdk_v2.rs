//! The agent for protocol version 2, over stdio.

use agent_client_protocol::{Result, Stdio};
use futures::executor::block_on;

fn main() -> Result<()> {
    block_on(acp_interop_rust_sdk::agent_v2().connect_to(Stdio::new()))
}
