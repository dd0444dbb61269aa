//! From a stored record to the ticket that the page shows, as the engine's own view makes it: names for handles, words for
//! references, a lease as of now. A test compares both, field by field.

use serde_json::{Map, Value, json};
use std::collections::HashMap;

const ERASED: &str = "[erased]";
const OPEN: [&str; 3] = ["PENDING", "DELIVERED", "ACKED"];

/// A ticket's row: the record, and the parts that have columns of their own.
pub(super) struct Parts {
    pub(super) record: Value,
    pub(super) intent: Value,
    pub(super) artifact: Value,
    pub(super) lease: Value,
}

impl Parts {
    /// Every handle of a person or a project that stands in it.
    pub(super) fn handles(&self) -> Vec<String> {
        let mut found = Vec::new();
        for part in [&self.record, &self.intent, &self.artifact, &self.lease] {
            collect_handles(part, &mut found);
        }
        found.sort();
        found.dedup();
        found
    }
}

fn collect_handles(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if is_handle(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_handles(item, found)),
        Value::Object(members) => members.values().for_each(|item| collect_handles(item, found)),
        _ => {}
    }
}

/// What stands behind references and handles.
pub(super) struct Names<'a> {
    pub(super) contents: &'a HashMap<String, String>,
    pub(super) directory: &'a HashMap<String, String>,
}

impl Names<'_> {
    /// The words or the value behind a reference; None when it was erased.
    fn content(&self, reference: &str) -> Option<Value> {
        let (media, digest) = reference.split_once(":sha256:")?;
        let body = self.contents.get(digest)?;
        if media == "json" { serde_json::from_str(body).ok() } else { Some(Value::String(body.clone())) }
    }

    fn name(&self, handle: &str) -> String {
        self.directory.get(handle).cloned().unwrap_or_else(|| handle.to_owned())
    }

    /// The value with words for references and names for handles, wherever a whole string is one.
    fn resolve(&self, value: &Value) -> Value {
        match value {
            Value::String(text) if is_reference(text) => self.content(text).unwrap_or_else(|| Value::String(ERASED.to_owned())),
            Value::String(text) if is_handle(text) => Value::String(self.name(text)),
            Value::Array(items) => items.iter().map(|item| self.resolve(item)).collect(),
            Value::Object(members) => members.iter().map(|(key, item)| (key.clone(), self.resolve(item))).collect(),
            other => other.clone(),
        }
    }

    fn resolve_or(&self, value: &Value, erased: Value) -> Value {
        value.as_str().map_or(Value::Null, |reference| self.content(reference).unwrap_or(erased))
    }
}

/// The whole ticket; None when the record is not what a record is.
pub(super) fn view_ticket(parts: &Parts, names: &Names<'_>, cursor: &str, now: i64) -> Option<Value> {
    let record = &parts.record;
    let stored = record["ticket"].as_object()?;
    let clock = &record["clock"];
    let state = record["state"].as_str()?;
    // Fields that this program does not know are shown as they are.
    let mut ticket: Map<String, Value> = stored
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "ask" | "ask_type" | "allow_edits" | "to"))
        .map(|(key, value)| (key.clone(), names.resolve(value)))
        .collect();
    let mut intent = names.resolve(&parts.intent);
    intent["details"] = names.resolve_or(&parts.intent["details"], json!({ "erased": true }));
    ticket.insert("intent".to_owned(), intent);
    // Sentences that were erased are none, not the word for it.
    if let Some(reference) = stored.get("findings") {
        ticket.insert("findings".to_owned(), names.resolve_or(reference, json!([])));
    }
    ticket.insert("artifact".to_owned(), names.resolve(&parts.artifact));
    ticket.insert("ask".to_owned(), view_ask(stored, names));
    ticket.insert("lease".to_owned(), view_lease(parts, names, state, clock, now));
    let more = [
        ("space", json!("default")),
        ("to", names.resolve(&record["to"])),
        ("state", json!(state)),
        ("updated_at", record["updatedAt"].clone()),
        ("delivered_at", record["deliveredAt"].clone()),
        ("resolution", view_resolution(&record["resolution"], names)),
        ("consumed", record["consumed"].clone()),
        ("heard_at", record["heardAt"].clone()),
        ("ticket_hash", json!(format!("sha256:{}", record["hash"].as_str()?))),
        ("cursor", json!(cursor)),
        ("seq", record["seq"].clone()),
    ];
    ticket.extend(more.map(|(key, value)| (key.to_owned(), value)));
    Some(Value::Object(ticket))
}

fn view_ask(stored: &Map<String, Value>, names: &Names<'_>) -> Value {
    let approval = stored.get("ask_type").is_none_or(|kind| kind == "approval");
    match stored.get("ask") {
        Some(reference @ Value::String(_)) if !approval => {
            names.resolve_or(reference, json!({ "type": "text", "prompt": ERASED }))
        }
        _ => json!({ "type": "approval", "allow_edits": stored.get("allow_edits") }),
    }
}

fn view_lease(parts: &Parts, names: &Names<'_>, state: &str, clock: &Value, now: i64) -> Value {
    let open = OPEN.contains(&state);
    let left = clock["remaining"].as_f64().or_else(|| Some((clock["deadline"].as_f64()? - now as f64).max(0.0)));
    let snoozed = parts.record["snoozedUntil"].as_i64().filter(|until| *until > now);
    let mut lease = names.resolve(&parts.lease);
    let seconds = if open { (left.unwrap_or(0.0) / 1000.0).ceil() as i64 } else { 0 };
    for (key, value) in [
        ("remaining_seconds", json!(seconds)),
        ("deadline_at", clock["deadline"].as_i64().map_or(Value::Null, iso)),
        ("paused", json!(state == "ACKED")),
        ("ack_lapses_at", clock["lapseAt"].as_i64().map_or(Value::Null, iso)),
        ("snoozed_until", snoozed.map_or(Value::Null, iso)),
        ("escalations", parts.record["depth"].clone()),
    ] {
        lease[key] = value;
    }
    lease
}

fn view_resolution(resolution: &Value, names: &Names<'_>) -> Value {
    if resolution.is_null() {
        return Value::Null;
    }
    let mut view = names.resolve(resolution);
    for key in ["answer", "edits"] {
        view[key] = names.resolve_or(&resolution[key], Value::Null);
    }
    view["unproven"] = json!(is_unproven(resolution));
    view
}

/// True for a person's yes without a signature: a program of the same user could have made it (D3).
fn is_unproven(resolution: &Value) -> bool {
    let yes = matches!(resolution["outcome"].as_str(), Some("approved" | "answered"));
    let unsigned = matches!(resolution["assurance"].as_str(), Some("local" | "session"));
    yes && unsigned && resolution["actor"]["kind"] == "human"
}

/// `text:` or `json:`, then `sha256:` and 64 hexadecimal digits.
fn is_reference(text: &str) -> bool {
    let digest = text.strip_prefix("text:sha256:").or_else(|| text.strip_prefix("json:sha256:"));
    digest.is_some_and(|digest| digest.len() == 64 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
}

/// `human:` or `prj_`, then 26 characters of Crockford's base32.
fn is_handle(text: &str) -> bool {
    let rest = text.strip_prefix("human:").or_else(|| text.strip_prefix("prj_"));
    let allowed = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'z') && !matches!(byte, b'i' | b'l' | b'o' | b'u');
    rest.is_some_and(|rest| rest.len() == 26 && rest.bytes().all(allowed))
}

/// A moment in milliseconds as ISO 8601, as JavaScript writes it.
fn iso(ms: i64) -> Value {
    let (days, in_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    // Days since 1970 to a civil date: eras of 400 years that begin in March.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hours, minutes, seconds) = (in_day / 3_600_000, in_day / 60_000 % 60, in_day / 1000 % 60);
    json!(format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{:03}Z", in_day % 1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_javascript_writes_them() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_769_853_600_123, "2026-01-31T10:00:00.123Z"),
            (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(iso(ms), json!(text));
        }
    }

    #[test]
    fn only_whole_references_and_handles_are_resolved() {
        assert!(is_reference(&format!("text:sha256:{}", "a".repeat(64))));
        assert!(!is_reference(&format!("text:sha256:{}", "g".repeat(64))));
        assert!(!is_reference(&format!("see text:sha256:{}", "a".repeat(64))));
        assert!(is_handle("human:040g2081040g2081040g208104"));
        assert!(!is_handle("human:alex"));
    }
}
