//! Canonical JSON (D20): the one text of a value, as Python's `json.dumps(sort_keys=True, separators=(",", ":"))` writes it.

use serde_json::{Number, Value};
use std::fmt::Write;

const MAX_DEPTH: usize = 64;
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Why a text is not JSON that can be kept exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidJson(pub String);

impl std::fmt::Display for InvalidJson {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for InvalidJson {}

/// Parse JSON, refusing what canonical JSON could not print back.
pub fn parse_json(text: &str) -> Result<Value, InvalidJson> {
    if let Some(literal) = inexact_integer(text) {
        return Err(InvalidJson(format!("holds the integer {literal}, which a double cannot hold exactly")));
    }
    serde_json::from_str(text).map_err(|error| InvalidJson(format!("is not JSON: {error}")))
}

/// The canonical text of a value.
pub fn canonical_json(value: &Value) -> Result<String, InvalidJson> {
    let mut text = String::new();
    write_value(&mut text, value, 0)?;
    Ok(text)
}

fn write_value(text: &mut String, value: &Value, depth: usize) -> Result<(), InvalidJson> {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(flag) => text.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => write_number(text, number)?,
        Value::String(words) => write_string(text, words),
        Value::Array(_) | Value::Object(_) if depth >= MAX_DEPTH => {
            return Err(InvalidJson(format!("is nested deeper than {MAX_DEPTH} levels")));
        }
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_value(text, item, depth + 1)?;
            }
            text.push(']');
        }
        Value::Object(members) => {
            // Another crate may switch on serde_json's insertion order, so the order is never taken for granted.
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (index, (key, item)) in sorted.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_string(text, key);
                text.push(':');
                write_value(text, item, depth + 1)?;
            }
            text.push('}');
        }
    }
    Ok(())
}

fn write_string(text: &mut String, words: &str) {
    text.push('"');
    for char in words.chars() {
        match char {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            ' '..='~' => text.push(char),
            other => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
        }
    }
    text.push('"');
}

fn write_number(text: &mut String, number: &Number) -> Result<(), InvalidJson> {
    let value = number.as_f64().filter(|value| value.is_finite());
    let value = value.ok_or_else(|| InvalidJson("holds a number that is not finite".to_owned()))?;
    if value.fract() == 0.0 && value.abs() <= MAX_SAFE_INTEGER {
        let _ = write!(text, "{}", value as i64);
        return Ok(());
    }
    text.push_str(&python_float(value));
    Ok(())
}

/// Python's `repr` of a double: shortest digits, plain for exponents -4 to 15, else `d.ddde+XX`.
fn python_float(value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "" };
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(|char| *char != '.').collect();
    if !(-4..16).contains(&exponent) {
        let fraction = if digits.len() > 1 { format!(".{}", &digits[1..]) } else { String::new() };
        let direction = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{}{fraction}e{direction}{:02}", &digits[..1], exponent.abs());
    }
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        return format!("{sign}{digits:0<whole$}.0");
    }
    format!("{sign}{}.{}", &digits[..whole], &digits[whole..])
}

/// An integer literal beyond 2^53 - 1, outside of strings.
fn inexact_integer(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'-' | b'0'..=b'9' => {
                let start = at;
                while at < bytes.len() && matches!(bytes[at], b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') {
                    at += 1;
                }
                let literal = &text[start..at];
                let whole = !literal.contains(['.', 'e', 'E']);
                let digits = literal.trim_start_matches('-').trim_start_matches('0');
                // Longer texts are larger, and of equal length the order of digits is that of numbers.
                if whole && (digits.len() > 16 || (digits.len() == 16 && digits > "9007199254740991")) {
                    return Some(literal);
                }
            }
            _ => at += 1,
        }
    }
    None
}
