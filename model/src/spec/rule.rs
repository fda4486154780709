use std::fmt;
use std::sync::LazyLock;

use super::allowed::Allowed;
use super::version::{Revision, Version};

/// The rule table: one line a rule. Columns: id, area, level in v1 and v2, needs, the
/// allowed set under errors-page and under schema-1.20, title, citation.
static TABLE: &str = include_str!("rules.tsv");

/// Rules of the catalogue that no revision judges: id, subject, and why.
pub const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("AUTH-19", "auth/status", UNSTABLE),
    ("SES-12", "configOptions on setup", UNSTABLE),
    ("SES-70", "fork, archive, status, options, set_title: unknown session", UNSTABLE),
    ("SES-71", "fork", UNSTABLE),
    ("SES-72", "archive, unarchive", UNSTABLE),
    ("SES-73", "status, options: no side effects", UNSTABLE),
    ("SES-74", "set_title", UNSTABLE),
];
const UNSTABLE: &str = "unstable only, in neither revision";

/// How binding a rule is for one protocol version.
///
/// The order is by weight: `Info < Should < Derived < Must`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Unspecified, or merely tolerated: shown, never judged.
    Info,
    /// The text says SHOULD: a warning.
    Should,
    /// Follows from JSON-RPC, the code table or a strict type: fails like must.
    Derived,
    /// The text says MUST: fails.
    Must,
}

impl Level {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Info => "info",
            Level::Should => "should",
            Level::Derived => "derived",
            Level::Must => "must",
        }
    }

    fn parse(text: &str) -> Option<Level> {
        [Level::Info, Level::Should, Level::Derived, Level::Must]
            .into_iter()
            .find(|l| l.name() == text)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of a rule, as an index into the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(u8);

impl RuleId {
    /// The rule's line in the table.
    pub fn get(self) -> &'static Rule {
        &rules()[self.0 as usize]
    }

    /// The id as written, such as `FRM-03`.
    pub fn name(self) -> &'static str {
        self.get().name
    }

    /// Its place in the table, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether the rule only repeats what more specific rows say (`spec/revisions.md`, "Which row
    /// decides"): it stands beside them and never explains them.
    pub fn is_general(self) -> bool {
        const GENERAL: [RuleId; 8] = [
            rule("RPC-01"),
            rule("RPC-04"),
            rule("ERR-01"),
            rule("ERR-02"),
            rule("ERR-03"),
            rule("ERR-08"),
            rule("ERR-09"),
            rule("CAP-14"),
        ];
        GENERAL.contains(&self)
    }

    /// The rule of that name, if there is one.
    pub fn find(name: &str) -> Option<RuleId> {
        rules().iter().find(|r| r.name == name).map(|r| r.id)
    }
}

impl fmt::Debug for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One testable statement about an agent.
#[derive(Debug)]
pub struct Rule {
    /// Its place in the table.
    pub id: RuleId,
    /// Its name, such as `FRM-03`.
    pub name: &'static str,
    /// What it is about: framing, envelope, batch, initialize, ...
    pub area: &'static str,
    levels: [Option<Level>; 2],
    /// What exercising it takes: `session`, `turn`, `auth`, `overlap`, `cap:x`, ...
    pub needs: Vec<&'static str>,
    allowed: [Allowed; 2],
    /// The statement in a few words.
    pub title: &'static str,
    /// Where it is written.
    pub citation: &'static str,
}

impl Rule {
    /// How binding the rule is for agents of `version`; `None` where it does not apply.
    pub fn level(&self, version: Version) -> Option<Level> {
        self.levels[version as usize]
    }

    /// The outcomes that the rule allows. Version 1 reads the errors-page column.
    pub fn allowed(&self, version: Version, revision: Revision) -> &Allowed {
        match (version, revision) {
            (Version::V2, Revision::Schema1_20) => &self.allowed[1],
            _ => &self.allowed[0],
        }
    }
}

/// Every rule, in the order of the table.
pub fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let lines = TABLE.lines().skip(1);
        lines.enumerate().map(|(index, line)| parse(index, line)).collect()
    });
    &RULES
}

/// The rule named `name`; in a constant, a name that is not in the table does not compile.
///
/// ```
/// use acp_model::spec::{rule, RuleId};
/// const NOT_JSON: RuleId = rule("FRM-03");
/// assert_eq!(NOT_JSON.get().title, "a line that is not JSON");
/// ```
pub const fn rule(name: &str) -> RuleId {
    let (table, name) = (TABLE.as_bytes(), name.as_bytes());
    let mut line = 1;
    while line < LINES {
        let start = STARTS[line];
        let mut i = 0;
        while i < name.len() && table[start + i] == name[i] {
            i += 1;
        }
        if i == name.len() && table[start + i] == b'\t' {
            return RuleId(line as u8 - 1);
        }
        line += 1;
    }
    panic!("no such rule in rules.tsv")
}

const LINES: usize = {
    let mut count = 0;
    let mut at = 0;
    while at < TABLE.len() {
        count += (TABLE.as_bytes()[at] == b'\n') as usize;
        at += 1;
    }
    count
};

const STARTS: [usize; LINES] = {
    let mut starts = [0; LINES];
    let (mut line, mut at) = (1, 0);
    while line < LINES {
        if TABLE.as_bytes()[at] == b'\n' {
            starts[line] = at + 1;
            line += 1;
        }
        at += 1;
    }
    starts
};

fn parse(index: usize, line: &'static str) -> Rule {
    let columns: Vec<&str> = line.split('\t').collect();
    let [name, area, v1, v2, needs, page, schema, title, citation] = columns[..] else {
        panic!("rules.tsv, rule {}: {} columns in place of 9", index + 1, columns.len());
    };
    let allowed = |text| match Allowed::parse(text) {
        Ok(allowed) => allowed,
        Err(token) => panic!("rules.tsv, {name}: cannot read the allowed outcome `{token}`"),
    };
    Rule {
        id: RuleId(index as u8),
        name,
        area,
        levels: [Level::parse(v1), Level::parse(v2)],
        needs: needs.split(',').filter(|n| *n != "-").collect(),
        allowed: [allowed(page), allowed(if schema == "same" { page } else { schema })],
        title,
        citation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_parses_and_is_named_once() {
        assert_eq!(rules().len(), 232);
        for rule in rules() {
            assert_eq!(RuleId::find(rule.name), Some(rule.id), "{} stands twice", rule.name);
            assert!(!rule.citation.is_empty(), "{} has no citation", rule.name);
            assert!(
                Version::ALL.iter().any(|v| rule.level(*v).is_some()),
                "{} applies to no version",
                rule.name
            );
        }
    }

    #[test]
    fn constant_lookup_and_table_agree() {
        const LAST: RuleId = rule("EXT-05");
        assert_eq!(rule("FRM-01").get().name, "FRM-01");
        assert_eq!(LAST.get().name, "EXT-05");
        assert_eq!(RuleId::find("EXT-05"), Some(LAST));
    }

    #[test]
    fn rules_left_out_are_not_in_the_table() {
        for (name, _, reason) in LEFT_OUT {
            assert_eq!(RuleId::find(name), None);
            assert!(!reason.is_empty());
        }
    }
}
