use std::fmt;

/// The outcomes that a rule allows, as written in the table.
///
/// Notation (`spec/revisions.md`): alternatives are separated by ` | ` inside braces; a set
/// may be named for a variant of the stimulus, as in `{-32700 null} bom{-32700 null | served}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    sets: Vec<(Variant, Vec<Answer>)>,
}

/// For which stimuli a set of the table holds: the rest, or a named variant such as `bom`.
pub type Variant = &'static str;

/// One allowed outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// No response.
    Silent,
    /// What the same message would get without its oddity.
    Served,
    /// What the rule for that malformed message says.
    Row,
    /// The process ends by itself.
    Exit,
    /// One array after JSON-RPC 2.0 section 6.
    Array,
    /// A statement about all output, with a named fact or none.
    Holds(Option<&'static str>),
    /// One response.
    Response {
        /// Which kind.
        pattern: Pattern,
        /// The id that it carries.
        id: IdForm,
        /// Facts that hold about it, such as `sid` or `protocolVersion=2`.
        facts: Vec<&'static str>,
        /// What was sent before it: `replay`, `state_update`, `idle=cancelled`.
        after: Option<&'static str>,
    },
}

/// The kind of one response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Any response.
    Any,
    /// A result.
    Result,
    /// An error of any code.
    Error,
    /// An error whose code is outside the reserved range.
    OwnError,
    /// An error of this code.
    Code(i64),
    /// Any response but an error of this code.
    Not(i64),
}

/// The id that an allowed response carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdForm {
    /// The request's id.
    Echoed,
    /// JSON null.
    Null,
    /// Either.
    EchoedOrNull,
}

impl Allowed {
    /// Reads a cell of the table. The error is the token that could not be read.
    pub fn parse(text: &'static str) -> Result<Allowed, &'static str> {
        let mut sets = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let open = rest.find('{').ok_or(rest)?;
            let close = rest.find('}').ok_or(rest)?;
            let answers = rest[open + 1..close].split(" | ").map(Answer::parse);
            sets.push((rest[..open].trim(), answers.collect::<Result<_, _>>()?));
            rest = rest[close + 1..].trim_start();
        }
        if sets.is_empty() { Err(text) } else { Ok(Allowed { sets }) }
    }

    /// The set for `variant`, or the unnamed one (for `""` and for variants without a set).
    pub fn set(&self, variant: &str) -> &[Answer] {
        let named = |name: &str| self.sets.iter().find(|(v, _)| *v == name);
        named(variant).or_else(|| named("")).map_or(&[], |(_, answers)| answers)
    }

    /// Every set with the variant that it is for.
    pub fn sets(&self) -> impl Iterator<Item = (Variant, &[Answer])> {
        self.sets.iter().map(|(variant, answers)| (*variant, answers.as_slice()))
    }
}

impl Answer {
    /// A response of this kind with the request's id.
    pub const fn response(pattern: Pattern, id: IdForm) -> Answer {
        Answer::Response { pattern, id, facts: Vec::new(), after: None }
    }

    fn parse(token: &'static str) -> Result<Answer, &'static str> {
        match token {
            "silent" => return Ok(Answer::Silent),
            "served" => return Ok(Answer::Served),
            "row" => return Ok(Answer::Row),
            "exit" => return Ok(Answer::Exit),
            "array" => return Ok(Answer::Array),
            "holds" => return Ok(Answer::Holds(None)),
            _ => {}
        }
        if let Some(fact) = token.strip_prefix("holds+") {
            return Ok(Answer::Holds(Some(fact)));
        }
        let mut words = token.split(' ');
        let mut parts = words.next().unwrap_or("").split('+');
        let kind = parts.next().unwrap_or("");
        let (mut id, mut after) = (IdForm::Echoed, None);
        while let Some(word) = words.next() {
            match word {
                "null" => id = IdForm::Null,
                "id|null" => id = IdForm::EchoedOrNull,
                "each" => {}
                "after" => after = Some(words.next().ok_or(token)?),
                _ => return Err(token),
            }
        }
        let code = |text: &str| text.parse::<i64>().map_err(|_| token);
        let pattern = match kind {
            "any" => Pattern::Any,
            "result" => Pattern::Result,
            "error" => Pattern::Error,
            "own" => Pattern::OwnError,
            _ => match kind.strip_prefix('!') {
                Some(number) => Pattern::Not(code(number)?),
                None => Pattern::Code(code(kind)?),
            },
        };
        Ok(Answer::Response { pattern, id, facts: parts.collect(), after })
    }
}

impl fmt::Display for Answer {
    /// In plain words, for reports.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Silent => f.write_str("no response"),
            Answer::Served => f.write_str("what the plain message gets"),
            Answer::Row => f.write_str("what its own rule says"),
            Answer::Exit => f.write_str("the process ends"),
            Answer::Array => f.write_str("one array with a response for each request"),
            Answer::Holds(None) => f.write_str("the statement holds"),
            Answer::Holds(Some(fact)) => write!(f, "the statement holds, with {fact}"),
            Answer::Response { pattern, id, facts, after } => {
                match pattern {
                    Pattern::Any => f.write_str("one response")?,
                    Pattern::Result => f.write_str("a result")?,
                    Pattern::Error => f.write_str("an error")?,
                    Pattern::OwnError => f.write_str("an error with a code of its own")?,
                    Pattern::Code(code) => write!(f, "error {code}")?,
                    Pattern::Not(code) => write!(f, "one response, any but error {code}")?,
                }
                for fact in facts {
                    match *fact {
                        "sid" => f.write_str(" with data.sessionId")?,
                        "versions" => f.write_str(" with data.requested and data.supported")?,
                        fact => write!(f, " with {fact}")?,
                    }
                }
                match id {
                    IdForm::Echoed => f.write_str(", same id")?,
                    IdForm::Null => f.write_str(", id null")?,
                    IdForm::EchoedOrNull => f.write_str(", same id or null")?,
                }
                match after {
                    Some(what) => write!(f, ", after {what}"),
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_alternatives_variants_and_facts() {
        let allowed = Allowed::parse("{-32700 null} bom{-32700 null | served}").unwrap();
        assert_eq!(allowed.set(""), [Answer::response(Pattern::Code(-32700), IdForm::Null)]);
        assert_eq!(allowed.set("bom").len(), 2);
        assert_eq!(allowed.set("fraction"), allowed.set(""));

        let close = Allowed::parse("v1{result | -32002+sid} v2{-32002+sid}").unwrap();
        assert_eq!(close.set("v1").len(), 2);
        assert_eq!(close.set("v2")[0].to_string(), "error -32002 with data.sessionId, same id");
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert_eq!(Allowed::parse("{maybe}"), Err("maybe"));
        assert_eq!(Allowed::parse("{result of a kind}"), Err("result of a kind"));
        assert_eq!(Allowed::parse("-32602"), Err("-32602"));
    }
}
