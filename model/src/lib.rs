//! What the Agent Client Protocol allows, as an executable model without I/O.

pub mod border;
pub mod judge;
pub mod lifecycle;
pub mod profile;
pub mod reference;
pub mod spec;
pub mod wire;
