//! What acp-check finds in the in-process agents: the same as in the programs.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use acp_check::{Cli, check_in_process};
use acp_interop_rust_sdk::RustSdk;
use clap::Parser;
use serde_json::Value;

#[test]
fn the_v1_agent_has_the_findings_of_its_program() {
    check(RustSdk::V1, include_str!("../../expected/rust-sdk-v1.json"));
}

#[test]
fn the_v2_agent_has_the_findings_of_its_program() {
    check(RustSdk::V2, include_str!("../../expected/rust-sdk-v2.json"));
}

fn check(agent: RustSdk, expected: &str) {
    let save = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{agent:?}"));
    let cli = Cli::parse_from(["acp-check", "--save", save.to_str().unwrap()]);
    let report = check_in_process(&cli.check, Arc::new(agent)).unwrap();

    let mut found = BTreeSet::new();
    for run in entries(&report["runs"]) {
        assert_ne!(run["verdict"], "inconclusive");
        assert!(entries(&run["rules"]).iter().any(|rule| rule["status"] == "passed"));
        for finding in entries(&run["findings"]).iter().filter(|f| f["level"] != "info") {
            found.insert(describe(&run["protocol"], finding, &finding["received"][0]));
        }
    }

    let expected: Value = serde_json::from_str(expected).unwrap();
    let expected: BTreeSet<String> =
        entries(&expected).iter().map(|e| describe(&e["protocol"], e, &e["received"])).collect();
    assert_eq!(found, expected);
}

fn entries(list: &Value) -> &Vec<Value> {
    list.as_array().unwrap()
}

fn describe(protocol: &Value, finding: &Value, received: &Value) -> String {
    format!("protocol {protocol}: {} ({}): {received}", finding["rule"], finding["level"])
}
