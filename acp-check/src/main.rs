//! Finds protocol errors in any Agent Client Protocol agent.
fn main() {}
