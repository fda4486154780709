//! Every fault of the reference agent is found, under its rule, and the clean agent is clean.
//!
//! The agent runs in this process, where silence is known at once: no waiting, no timing.

use std::fmt::Write as _;
use std::sync::Arc;

use acp_check::{Cli, check_in_process};
use acp_harness::reference_agent;
use acp_model::reference::{FAULTS, Faults, Setup};
use acp_model::spec::{Revision, Version};
use clap::Parser;
use expect_test::expect_file;
use serde_json::Value;

const AGENTS: [(&str, &[Version]); 3] =
    [("1", &[Version::V1]), ("2", &[Version::V2]), ("both", &Version::ALL)];

fn check(speaks: &[Version], faults: Faults, revision: Revision) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().to_str().unwrap();
    let arguments = ["acp-check", "--save", save, "--revision", revision.name()];
    let cli = Cli::parse_from(arguments);
    let setup = Setup { speaks: speaks.to_vec(), faults };
    check_in_process(&cli.check, Arc::new(reference_agent(setup))).unwrap()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn the_clean_agent_raises_nothing_and_exercises_the_rules() {
    for revision in Revision::ALL {
        for (name, speaks) in AGENTS {
            let report = check(speaks, Faults::default(), revision);
            assert_eq!(report["verdict"], "conformant", "{name}");
            assert_eq!(list(&report, "runs").len(), speaks.len());
            for run in list(&report, "runs") {
                assert_eq!(list(run, "findings"), [] as [Value; 0], "{name}");
                let passed = list(run, "rules").iter().filter(|r| r["status"] == "passed");
                assert!(passed.count() >= 70, "{name}: too few rules were exercised");
            }
        }
    }
}

#[test]
fn every_binding_rule_judged_so_far_is_exercised() {
    let areas = ["framing", "envelope", "batch", "initialize"];
    let left_out =
        ["RPC-24", "RPC-26", "RPC-36", "FRM-08", "FRM-09", "INIT-15", "INIT-21", "INIT-22"];
    let mut missing = Vec::new();
    for (name, speaks) in AGENTS {
        let report = check(speaks, Faults::default(), Revision::ErrorsPage);
        for rule in list(&report, "runs").iter().flat_map(|run| list(run, "rules")) {
            let id = rule["id"].as_str().unwrap();
            let known = acp_model::spec::RuleId::find(id).unwrap().get();
            let advertised = rule["reason"].as_str().is_some_and(|r| r.starts_with("the agent"));
            if areas.contains(&known.area)
                && !(name == "both" && ["INIT-09", "INIT-10"].contains(&id))
                && rule["status"] == "not-exercised"
                && !left_out.contains(&id)
                && !advertised
            {
                missing.push(format!("{id} with the agent of {name}"));
            }
        }
    }
    assert_eq!(missing, [] as [String; 0]);
}

#[test]
fn every_fault_is_found_under_its_rule() {
    let mut table = String::new();
    let mut missed = Vec::new();
    for info in FAULTS {
        for (name, speaks) in AGENTS.iter().filter(|(_, speaks)| info.shows_with(speaks)) {
            let report = check(speaks, Faults::default().with(info.fault), Revision::ErrorsPage);
            let mut found = false;
            writeln!(table, "{} (agent of {name})", info.name).unwrap();
            for run in list(&report, "runs") {
                let version =
                    Version::from_number(run["protocol"].as_u64().unwrap() as u16).unwrap();
                for finding in list(run, "findings") {
                    let names =
                        |rule: &Value| rule.as_str() == info.rule(version).map(|r| r.name());
                    found |= names(&finding["rule"]) || list(finding, "also").iter().any(names);
                    let text = |name: &str| finding[name].as_str().unwrap_or("").to_owned();
                    writeln!(
                        table,
                        "    v{version} {} {}: {} [{}]",
                        text("rule"),
                        text("level"),
                        finding["received"][0].as_str().unwrap(),
                        text("stability"),
                    )
                    .unwrap();
                }
            }
            if !found {
                missed.push(format!("{} with the agent of {name}", info.name));
            }
        }
    }
    assert_eq!(missed, [] as [String; 0]);
    expect_file!["faults.txt"].assert_eq(&table);
}
