//! One response of an agent.

use crate::find_objects::find_objects;
use crate::{Keys, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an agent answers: a command to run, keys to type, words for the log, or that the task is complete.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The command to run.
    pub command: Option<String>,
    /// True when the task is finished.
    pub task_complete: bool,
    /// Words for the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Keys to type, in place of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keystrokes: Option<Vec<Keys>>,
    /// Tokens and cost of the model call behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl Response {
    /// Run a command.
    pub fn cmd(command: impl Into<String>) -> Self {
        Self { command: Some(command.into()), ..Self::default() }
    }

    /// Type keys into the terminal, for interactive programs; the next request has the screen.
    pub fn keys<K: Into<Keys>>(keys: impl IntoIterator<Item = K>) -> Self {
        Self { keystrokes: Some(keys.into_iter().map(Into::into).collect()), ..Self::default() }
    }

    /// Say something and run nothing; the next request follows at once.
    pub fn say(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// The task is complete.
    pub fn done() -> Self {
        Self { task_complete: true, ..Self::default() }
    }

    /// The same with other words.
    #[must_use]
    pub fn with_text(self, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..self }
    }

    /// The same, and the task is complete once its command has run.
    #[must_use]
    pub fn complete(self) -> Self {
        Self { task_complete: true, ..self }
    }

    /// The same with the tokens and cost of the model call behind it.
    #[must_use]
    pub fn with_usage(self, usage: Usage) -> Self {
        Self { usage: Some(usage), ..self }
    }

    /// The same with the name of the model behind it.
    #[must_use]
    pub fn with_model(self, model: impl Into<String>) -> Self {
        Self { model: Some(model.into()), ..self }
    }

    /// Read a model's answer: the last JSON object in it that has `command`, `keystrokes`, `task_complete` or `done`; without
    /// one, its only block of shell; otherwise the answer is words. It is never taken for completion unless it says so.
    pub fn from_llm(text: &str) -> Self {
        let fits = |object: &serde_json::Map<String, Value>| {
            ["command", "keystrokes", "task_complete", "done"].iter().any(|key| object.contains_key(*key))
        };
        if let Some(last) = find_objects(text).into_iter().rfind(|object| fits(object)) {
            let word = |name: &str| last.get(name).and_then(Value::as_str).map(str::to_owned);
            let command = word("command").filter(|command| !command.trim().is_empty());
            let keystrokes = if command.is_none() { read_keys(last.get("keystrokes")) } else { None };
            return Self {
                command,
                keystrokes,
                task_complete: means(last.get("task_complete")) || means(last.get("done")),
                text: word("text"),
                ..Self::default()
            };
        }
        if let Some(command) = only_shell_block(text) {
            return Self::cmd(command);
        }
        match text.trim() {
            "" => Self::default(),
            words => Self::say(words),
        }
    }
}

/// Keystrokes in a model's answer: text or a list; `None` if they cannot be typed.
fn read_keys(value: Option<&Value>) -> Option<Vec<Keys>> {
    match value? {
        Value::String(keys) => Some(vec![Keys::Text(keys.clone())]),
        Value::Array(entries) if !entries.is_empty() => {
            entries.iter().map(|entry| serde_json::from_value(entry.clone()).ok()).collect()
        }
        _ => None,
    }
}

fn means(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(truth)) => *truth,
        Some(Value::String(word)) => ["true", "1", "yes"].contains(&word.trim().to_lowercase().as_str()),
        _ => false,
    }
}

/// The body of the only fenced block, when its language is a shell or not named.
fn only_shell_block(text: &str) -> Option<String> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.split_inclusive('\n') {
        match (line.starts_with("```"), open.take()) {
            (true, Some(block)) => blocks.push(block),
            (true, None) => open = Some((line[3..].trim().to_lowercase(), String::new())),
            (false, Some((language, body))) => open = Some((language, body + line)),
            (false, None) => {}
        }
    }
    let [(language, body)] = blocks.as_slice() else { return None };
    let shell = ["", "sh", "bash", "shell", "zsh", "console"].contains(&language.as_str());
    (shell && !body.trim().is_empty()).then(|| body.trim().to_owned())
}
