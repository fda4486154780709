//! The only place where bytes and symbols meet.
//!
//! [`Border::sent`] reads what a client wrote, [`Border::said`] what the agent printed. Behind
//! them nothing sees JSON: the judge works on [`Sent`] and [`Said`].

mod answer;
mod compose;
mod flaw;
mod initialize;
mod said;
mod sent;

pub use answer::answer_agent;
pub use compose::{batch_line, initialize_line, probe_line};
pub use flaw::{Flaw, Flaws};
pub use initialize::{Initialized, RequestedVersion, learn};
pub use said::{Answered, Facts, Garbage, Kind, Said, SaidId, answer_to, batch_kind};
pub use sent::{Batch, Call, Form, Sent, Unknown};

use std::collections::HashMap;

use crate::wire::Id;

/// An id of a conversation, by order of first appearance. Equal exactly when JSON type and
/// value are equal (RPC-01).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdRef(u32);

impl IdRef {
    /// The JSON null.
    pub const NULL: IdRef = IdRef(0);
}

/// Translates between bytes and symbols, and remembers which symbol stands for which id.
#[derive(Debug, Clone)]
pub struct Border {
    ids: HashMap<Id, IdRef>,
}

impl Border {
    /// A border that has seen nothing.
    pub fn new() -> Border {
        Border { ids: HashMap::from([(Id::Null, IdRef::NULL)]) }
    }

    fn intern(&mut self, id: Id) -> IdRef {
        let next = IdRef(self.ids.len() as u32);
        *self.ids.entry(id).or_insert(next)
    }
}

impl Default for Border {
    fn default() -> Self {
        Border::new()
    }
}
