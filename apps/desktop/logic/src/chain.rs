//! The hash chain (D18, D20): sequence, links and hashes, checked by the generic rules alone, so that event types which this
//! program does not know verify as well.

use crate::canonical_json::{canonical_json, parse_json};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The `prev_hash` of the first event.
const GENESIS_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// One event as the store keeps it: the hashed text and its links.
#[derive(Debug, Clone, Copy)]
pub struct Link<'a> {
    /// Its place in the log.
    pub seq: i64,
    /// The stored text, which is what was hashed.
    pub payload: &'a str,
    /// The hash of the event before.
    pub prev_hash: &'a str,
    /// Its own hash.
    pub hash: &'a str,
}

/// The first event that breaks the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Where.
    pub seq: i64,
    /// In words, as `hap verify` says it.
    pub message: String,
}

/// How far a log was verified, and what was found: what the window shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum ChainState {
    /// Reading has not come to the end yet.
    Checking {
        /// Events checked so far.
        events: i64,
    },
    /// Every event up to the head links up.
    Verified {
        /// Events checked.
        events: i64,
        /// The hash of the last one.
        head: String,
    },
    /// Some event does not.
    Broken {
        /// Where, and how.
        violation: Violation,
    },
}

/// Verifies a log event by event; it goes on where it stopped when events are added.
#[derive(Debug, Clone)]
pub struct Chain {
    seq: i64,
    head: String,
}

impl Default for Chain {
    fn default() -> Self {
        Self { seq: 0, head: GENESIS_HASH.to_owned() }
    }
}

impl Chain {
    /// The place of the last event that was checked.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// The hash of the last event that was checked; 64 zeros before the first.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Check the next event.
    pub fn take(&mut self, link: Link<'_>) -> Result<(), Violation> {
        let seq = self.seq + 1;
        if link.seq != seq {
            return Err(violation(seq, None, &format!("event {seq} is missing")));
        }
        let payload = parse_json(link.payload).unwrap_or(Value::Null);
        let id = payload["id"].as_str();
        if link.prev_hash != self.head {
            return Err(violation(seq, id, "prev_hash is not the hash of the event before it"));
        }
        if link.hash != event_hash(&self.head, link.payload) {
            return Err(violation(seq, id, "hash mismatch"));
        }
        if payload["seq"].as_i64() != Some(seq) {
            return Err(violation(seq, id, "its seq is not that of its payload"));
        }
        if seq == 1 && payload["type"] != "log.genesis" {
            return Err(violation(seq, id, "the log does not begin with log.genesis"));
        }
        self.seq = seq;
        link.hash.clone_into(&mut self.head);
        Ok(())
    }
}

/// Verify an export (`hap events --json`) from its first event on; returns how many events it has and its head.
pub fn verify_export(events: &[Value]) -> Result<(i64, String), Violation> {
    let mut chain = Chain::default();
    for event in events {
        let expected = chain.seq() + 1;
        let id = event["id"].as_str();
        let text = canonical_json(&event["payload"]).map_err(|error| violation(expected, id, &error.to_string()))?;
        let seq = event["seq"].as_i64().unwrap_or(0);
        if seq != expected {
            return Err(violation(expected, id, &format!("it has seq {seq}, expected {expected}")));
        }
        let (prev_hash, hash) = (event["prev_hash"].as_str().unwrap_or(""), event["hash"].as_str().unwrap_or(""));
        chain.take(Link { seq, payload: &text, prev_hash, hash })?;
        for field in ["seq", "id", "type", "ts"] {
            if event[field] != event["payload"][field] {
                return Err(violation(seq, id, &format!("its {field} is not that of its payload")));
            }
        }
    }
    Ok((chain.seq, chain.head))
}

fn violation(seq: i64, id: Option<&str>, problem: &str) -> Violation {
    let named = id.map(|id| format!(" ({id})")).unwrap_or_default();
    Violation { seq, message: format!("Integrity violation at event {seq}{named}: {problem}.") }
}

fn event_hash(prev_hash: &str, payload: &str) -> String {
    hex(&Sha256::new().chain_update(prev_hash).chain_update("||").chain_update(payload).finalize())
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
