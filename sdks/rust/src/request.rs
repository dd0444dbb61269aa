//! One request of the harness: what happened in the terminal since the last response.

use crate::Screen;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the harness tells an agent before each step. On step 1 there is no command, output or exit code yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The task, the same in every step.
    pub instruction: String,
    /// The number of the step, from 1 on.
    pub step: u64,
    /// The command that ran before this step.
    #[serde(default)]
    pub last_command: Option<String>,
    /// What it printed.
    #[serde(default)]
    pub output: Option<String>,
    /// How it ended.
    #[serde(default)]
    pub exit_code: Option<i64>,
    /// The folder that the terminal is in.
    #[serde(default = "root")]
    pub cwd: String,
    /// What the terminal shows, after a response with keystrokes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<Screen>,
}

fn root() -> String {
    "/".to_owned()
}

/// A line that is no request.
#[derive(Debug)]
pub struct RequestError(String);

impl fmt::Display for RequestError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "This is no request of the harness: {}", self.0)
    }
}

impl std::error::Error for RequestError {}

impl Request {
    /// Read one line. Keys that are left out are null, unknown ones are ignored.
    pub fn parse(line: &str) -> Result<Self, RequestError> {
        // A sequence would be read as the fields in order.
        if !line.trim_start().starts_with('{') {
            return Err(RequestError("it is not an object".to_owned()));
        }
        let request: Self = serde_json::from_str(line).map_err(|error| RequestError(error.to_string()))?;
        if request.step < 1 {
            return Err(RequestError("step must be a whole number from 1 on".to_owned()));
        }
        Ok(request)
    }

    /// True on the first step.
    pub fn is_first(&self) -> bool {
        self.step == 1
    }

    /// True when the last command ended with 0.
    pub fn is_ok(&self) -> bool {
        self.exit_code == Some(0)
    }

    /// True when the last command ended with anything but 0.
    pub fn failed(&self) -> bool {
        self.exit_code.is_some_and(|code| code != 0)
    }

    /// True when the output contains any of these; upper and lower case are the same.
    pub fn has(&self, patterns: &[&str]) -> bool {
        contains(self.output.as_deref(), patterns)
    }

    /// True when the screen shows any of these; upper and lower case are the same.
    pub fn shows(&self, patterns: &[&str]) -> bool {
        contains(self.screen.as_ref().map(|screen| screen.text.as_str()), patterns)
    }
}

fn contains(text: Option<&str>, patterns: &[&str]) -> bool {
    let Some(text) = text.map(str::to_lowercase) else {
        return false;
    };
    patterns.iter().any(|pattern| text.contains(&pattern.to_lowercase()))
}
