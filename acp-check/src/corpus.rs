use acp_harness::Step;
use acp_model::spec::{RuleId, Version};
use include_dir::{Dir, include_dir};
use serde::Deserialize;

static LINES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../corpus/lines");
static CONVERSATIONS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../corpus/conversations");

/// One file of `corpus/lines`: what a client sends in one go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    /// The file's name without its ending.
    pub(crate) name: &'static str,
    /// The rule that its name gives.
    pub(crate) rule: RuleId,
    pub(crate) bytes: &'static [u8],
}

/// One file of `corpus/conversations`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Script {
    /// The file's name without its ending.
    #[serde(skip)]
    pub(crate) name: &'static str,
    /// The version of the file format.
    #[serde(rename = "format")]
    _format: u32,
    /// What it shows.
    #[serde(rename = "about")]
    _about: String,
    /// The versions that it is for.
    protocols: Vec<u16>,
    pub(crate) steps: Vec<Step>,
}

/// The lines, one of every rule first, then the second of every rule, and so on: what is wrong
/// with a whole kind of line shows early. The seed shuffles the files of a rule.
pub(crate) fn lines(seed: u64) -> Vec<Line> {
    let mut lines: Vec<(u64, Line)> = LINES
        .files()
        .filter_map(|file| {
            let name = file.path().file_stem()?.to_str()?;
            let rule = name.split('_').find_map(RuleId::find)?;
            Some((mixed(seed, name), Line { name, rule, bytes: file.contents() }))
        })
        .collect();
    lines.sort_by_key(|(order, line)| (line.rule, *order, line.name));
    let mut place = 0;
    let mut last = None;
    let mut placed: Vec<(usize, Line)> = Vec::with_capacity(lines.len());
    for (_, line) in lines {
        place = if last == Some(line.rule) { place + 1 } else { 0 };
        last = Some(line.rule);
        placed.push((place, line));
    }
    placed.sort_by_key(|(place, line)| (*place, line.rule));
    placed.into_iter().map(|(_, line)| line).collect()
}

/// The conversations for agents of `version`, by name.
pub(crate) fn conversations(version: Version) -> Vec<Script> {
    let mut scripts: Vec<Script> = CONVERSATIONS
        .files()
        .filter_map(|file| {
            let name = file.path().file_stem()?.to_str()?;
            // The test below proves that every file is read.
            let script: Script = serde_json::from_slice(file.contents()).ok()?;
            Some(Script { name, ..script })
        })
        .filter(|script| script.protocols.contains(&version.number()))
        .collect();
    scripts.sort_by_key(|script| script.name);
    scripts
}

/// FNV-1a over the seed and the name: an order that looks random and is the same everywhere.
fn mixed(seed: u64, name: &str) -> u64 {
    let bytes = seed.to_le_bytes().into_iter().chain(name.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read() {
        assert_eq!(lines(0).len(), LINES.files().count());
        let read: std::collections::BTreeSet<&str> =
            Version::ALL.into_iter().flat_map(conversations).map(|s| s.name).collect();
        assert_eq!(read.len(), CONVERSATIONS.files().count());
    }

    #[test]
    fn a_seed_decides_the_order_and_every_rule_comes_early() {
        let names = |seed| lines(seed).iter().map(|l| l.name).collect::<Vec<_>>();
        assert_eq!(names(1), names(1));
        assert_ne!(names(1), names(2));
        let all = lines(7);
        let rules: std::collections::BTreeSet<RuleId> = all.iter().map(|l| l.rule).collect();
        let first: std::collections::BTreeSet<RuleId> =
            all[..rules.len()].iter().map(|l| l.rule).collect();
        assert_eq!(first, rules);
    }
}
