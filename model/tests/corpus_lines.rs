//! Every file of `corpus/lines` against the border and the lifecycle: the name of a file says
//! which rule it exercises and which code is owed, written down by hand; the model says the same
//! from the bytes alone.

use std::fs;
use std::path::Path;

use acp_model::border::{Border, Call, Sent};
use acp_model::lifecycle::{Expectation, Situation, Stage, expect};
use acp_model::profile::Profile;
use acp_model::spec::{
    Answer, Capabilities, Capability, Level, Pattern, Revision, RuleId, Version,
};

struct File {
    name: String,
    class: String,
    rule: RuleId,
    bytes: Vec<u8>,
}

fn corpus() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/lines");
    let mut files: Vec<File> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let mut words = name.split('_');
            let mut class = words.next().unwrap().to_owned();
            if class == "n" {
                class += words.next().unwrap();
            }
            let rule = words.next().unwrap();
            File {
                class,
                rule: RuleId::find(rule).unwrap_or_else(|| panic!("{name}: no rule {rule}")),
                bytes: fs::read(&path).unwrap(),
                name,
            }
        })
        .collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

fn profile(version: Version) -> Profile {
    let capabilities: Capabilities = [Capability::Session, Capability::List].into_iter().collect();
    Profile { capabilities, ..Profile::of(version) }
}

fn expectation(version: Version, revision: Revision, line: &[u8]) -> (Sent, Expectation) {
    let profile = profile(version);
    let sent = Border::new().sent(line, version);
    let situation = Situation {
        profile: &profile,
        revision,
        stage: Stage::Ready,
        version,
        initializing: false,
        locked: false,
    };
    let expectation = expect(&situation, &sent);
    (sent, expectation)
}

#[test]
fn there_are_enough_files_of_each_class() {
    let files = corpus();
    let count = |class: &str| files.iter().filter(|f| f.class == class).count();
    assert!(files.len() >= 150, "{} files", files.len());
    for class in ["n", "y", "i"] {
        let like = files.iter().filter(|f| f.class.starts_with(class)).count();
        assert!(like >= 30, "{like} files of class {class}");
    }
    assert_eq!(count("n32700") + count("n32600") + count("y") + count("i"), files.len());
}

#[test]
fn the_model_reads_from_the_bytes_what_each_name_says() {
    let mut wrong = Vec::new();
    for file in corpus() {
        for (version, revision) in
            Version::ALL.into_iter().flat_map(|v| Revision::ALL.map(|r| (v, r)))
        {
            for line in file.bytes.split(|b| *b == b'\n') {
                let (sent, got) = expectation(version, revision, line);
                // Where a rule is of one version only, the other has a row of its own.
                let applies = file.rule.get().level(version).is_some()
                    && !matches!(sent.call, Some(Call::Known(_)) if file.rule.name() == "INIT-26");
                let several = file.bytes.contains(&b'\n');
                let named = got.rule == file.rule || got.also.contains(&file.rule);
                if applies && !named && !several {
                    wrong.push(format!(
                        "{} v{version}: {} {:?} {:?}",
                        file.name,
                        got.rule,
                        got.also,
                        sent.flaws.iter().collect::<Vec<_>>()
                    ));
                }
                let code = match file.class.as_str() {
                    "n32700" => -32700,
                    "n32600" => -32600,
                    _ => continue,
                };
                let only = got.answers.iter().all(|answer| {
                    matches!(answer, Answer::Response { pattern: Pattern::Code(c), .. } if *c == code)
                });
                if !only || got.answers.is_empty() || got.level < Level::Derived {
                    wrong.push(format!(
                        "{} v{version} {revision}: allows {:?}",
                        file.name, got.answers
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
