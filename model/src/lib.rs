//! What the Agent Client Protocol allows, as an executable model without I/O.

pub mod spec;
pub mod wire;
