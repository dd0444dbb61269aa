//! The extension of the protocol for interactive programs and for tokens. Agents that do not use it never see it.

use serde::{Deserialize, Serialize};

/// Keys to type: text, or the name of a key (`Escape`, `C-c`, `Up`, as in tmux).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Keys {
    /// With the usual wait of a second.
    Text(String),
    /// With a wait of its own.
    Timed {
        /// The keys; empty, they only wait.
        keys: String,
        /// The seconds to wait afterwards.
        #[serde(default = "second")]
        wait: f64,
    },
}

fn second() -> f64 {
    1.0
}

impl Keys {
    /// Keys with the seconds to wait afterwards.
    pub fn timed(keys: impl Into<String>, wait: f64) -> Self {
        Self::Timed { keys: keys.into(), wait }
    }
}

impl From<&str> for Keys {
    fn from(keys: &str) -> Self {
        Self::Text(keys.to_owned())
    }
}

impl From<String> for Keys {
    fn from(keys: String) -> Self {
        Self::Text(keys)
    }
}

/// Where the cursor is. Rows and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// The row.
    pub row: u32,
    /// The column.
    pub column: u32,
}

/// What the terminal shows after keystrokes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    /// The text, a line a row.
    pub text: String,
    /// The cursor.
    pub cursor: Cursor,
    /// True while a full-screen program has the terminal.
    pub full_screen: bool,
    /// How many rows there are.
    pub rows: u32,
    /// How many columns there are.
    pub columns: u32,
}

/// Tokens and cost of the model call behind a response. What is not known is `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// All input tokens, cached ones included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Output tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<u64>,
    /// Those of `prompt_tokens` that came from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}
