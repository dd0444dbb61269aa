//! What the desktop app knows without a window: reading the store, verifying its hash chain, links, notices and settings.
//! Invariant: nothing here writes to the store, and nothing here knows Tauri, so that its tests compile in a minute.

mod answer;
mod backoff;
mod canonical_json;
mod chain;
mod deep_link;
mod notice;
mod place;
mod settings;
mod store;

pub use answer::{Answer, Query, problem_body, read_query};
pub use backoff::Backoff;
pub use canonical_json::{InvalidJson, canonical_json, parse_json};
pub use chain::{Chain, ChainState, Link, Violation, verify_export};
pub use deep_link::{page_path, ticket_in_link};
pub use notice::{Arrival, Notice, Severity, notice_for, tray_words};
pub use place::{Place, find_place, local_person};
pub use settings::{NotifyFrom, Settings};
pub use store::{Problem, Store, Waiting};
