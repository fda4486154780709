#!/usr/bin/env python3
"""Compares a JSON report of acp-check with the findings that are expected of the agent.

    compare.py NAME EXPECTED REPORT EXIT_STATUS

Prints one line for the agent, and below it a line for each difference: `+` is a finding
that is not expected, `-` an expected one that is gone, `!` a run that proves nothing.
Findings of level info are never expected and never compared.
"""

import json
import sys

COMPARED = ("protocol", "rule", "received", "level")


def main(name, expected_path, report_path, status):
    with open(expected_path, encoding="utf-8") as file:
        expected = {key(entry): entry for entry in json.load(file)}
    try:
        with open(report_path, encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError) as error:
        print(f"{name}  FAILED\n  ! no report, exit status {status}: {error}")
        return 1

    found = dict(findings(report))
    differences = [f"! {problem}" for problem in proves_nothing(report, status)]
    for finding in found.keys() - expected.keys():
        differences.append(f"+ {describe(finding)}\n      sent {shown(found[finding]['sent'])}")
    for finding in expected.keys() - found.keys():
        differences.append(f"- {describe(finding)}\n      {expected[finding]['reason']}")

    outcome = "FAILED" if differences else "ok"
    seconds = report["elapsed_ms"] / 1000
    print(f"{name:15} {seconds:6.1f} s  {len(found):3} findings  {report['verdict']}  {outcome}")
    for difference in sorted(differences):
        print(f"  {difference}")
    return 1 if differences else 0


def findings(report):
    for run in report["runs"]:
        for finding in run["findings"]:
            if finding["level"] != "info":
                received = finding["received"][0]
                entry = {**finding, "protocol": run["protocol"], "received": received}
                yield key(entry), entry


def key(entry):
    return tuple(entry[member] for member in COMPARED)


def describe(finding):
    protocol, rule, received, level = finding
    return f"protocol {protocol}: {rule} ({level}): {received}"


def shown(lines):
    text = " ⏎ ".join(lines)
    return text if len(text) <= 200 else text[:200] + "…"


def proves_nothing(report, status):
    if status not in ("0", "1"):
        yield f"exit status {status}"
    if not report["runs"]:
        yield "no protocol version was judged"
    for run in report["runs"]:
        if run["verdict"] == "inconclusive":
            yield f"protocol {run['protocol']}: inconclusive"
        if not any(rule["status"] == "passed" for rule in run["rules"]):
            yield f"protocol {run['protocol']}: no rule passed"
    if report["verdict"] == "inconclusive":
        yield "the verdict is inconclusive"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
