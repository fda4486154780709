//! The protocol as plain data: versions, revisions, methods, codes and the rule table.
//!
//! A new revision of the protocol is an edit here: a column of `rules.tsv`, rows of the
//! method tables. Nothing in this module decides anything about a conversation.

mod allowed;
mod code;
mod method;
mod rule;
mod version;

pub use allowed::{Allowed, Answer, IdForm, Pattern, Variant};
pub use code::{Code, RESERVED};
pub use method::{
    CLIENT_METHODS, Capabilities, Capability, Kind, Method, Param, Strictness, Type, method,
    methods,
};
pub use rule::{LEFT_OUT, Level, Rule, RuleId, rule, rules};
pub use version::{Revision, Version};
