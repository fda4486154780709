//! Reaches an implementation of the Agent Client Protocol and records every byte.

mod connection;
pub use connection::{Connection, Ended, Implementation, Received, StartError};
