//! Events one by one, findings out.
//!
//! [`Observer`] takes the bytes of a conversation as they go over the wire, reads them at the
//! border and hands symbols to the [`Judge`]. The judge itself never sees JSON, never waits and
//! never sends: who drives a conversation asks it what is still owed.

mod attribution;
mod batches;
mod event;
mod finding;
mod hits;
mod ledger;
mod observer;
mod verdict;
mod weighing;

pub use event::{End, Event};
pub use finding::{Finding, Seen};
pub use hits::Hits;
pub use ledger::Owed;
pub use observer::Observer;
pub use verdict::Judge;
