//! The shared vectors of `spec/vectors`, more negatives than positives: the same that every other implementation runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use hap_desktop_logic::{canonical_json, parse_json, verify_export};
use serde_json::Value;

fn tests_of(name: &str) -> Vec<Value> {
    let path = format!("{}/../../../spec/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["tests"].as_array().unwrap().clone()
}

#[test]
fn canonical_json_vectors() {
    let tests = tests_of("canonical-json");
    assert!(tests.len() > 50);
    for test in tests {
        let given = test["input"]["text"].as_str().unwrap();
        let written = parse_json(given).and_then(|value| canonical_json(&value));
        match test["result"].as_str() {
            Some("valid") => assert_eq!(written.as_deref(), Ok(test["output"]["text"].as_str().unwrap()), "{}", test["id"]),
            _ => assert!(written.is_err(), "{} {}: {written:?}", test["id"], test["comment"]),
        }
    }
}

#[test]
fn event_chain_vectors() {
    let tests = tests_of("event-chain");
    assert!(tests.len() > 30);
    for test in tests {
        let events = test["input"]["events"].as_array().unwrap();
        let verified = verify_export(events);
        if test["result"] == "valid" {
            let (count, head) = verified.unwrap_or_else(|violation| panic!("{}: {}", test["id"], violation.message));
            assert_eq!(test["output"], serde_json::json!({ "events": count, "head": head }), "{}", test["id"]);
        } else {
            let violation = verified.expect_err(test["comment"].as_str().unwrap());
            assert!(violation.message.starts_with("Integrity violation at event "), "{}", violation.message);
        }
    }
}
