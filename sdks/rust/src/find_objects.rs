//! Finds JSON objects inside other text, such as a model's answer.

use serde_json::{Deserializer, Map, Value};

/// Every outermost JSON object in a text, in order. What is not JSON is passed over.
pub fn find_objects(text: &str) -> Vec<Map<String, Value>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(offset) = text[from..].find('{') {
        let start = from + offset;
        let mut values = Deserializer::from_str(&text[start..]).into_iter::<Map<String, Value>>();
        if let Some(Ok(object)) = values.next() {
            found.push(object);
            from = start + values.byte_offset();
        } else {
            from = start + 1;
        }
    }
    found
}
