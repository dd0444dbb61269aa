//! Prints what the app reads of a store: `cargo run --example read -- inbox STORE PERSON NOW`, or `chain STORE`.
//! Tests compare it with what the engine says.

use hap_desktop_logic::{Chain, ChainState, Problem, Query, Store};
use std::path::Path;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(text) => println!("{text}"),
        Err(problem) => println!("{}: {}", problem.code, problem.message),
    }
}

fn run(words: &[&str]) -> Result<String, Problem> {
    let path = words.get(1).copied().unwrap_or_default();
    let Some(store) = Store::open(Path::new(path))? else { return Ok("no store".to_owned()) };
    match words {
        ["inbox", _, person, now] => {
            let now = now.parse().unwrap_or(0);
            Ok(Query::Inbox { limit: 60 }.answer(&store, person, now)?.body.to_string())
        }
        ["ticket", _, id, now] => Ok(store.ticket(id, now.parse().unwrap_or(0))?.unwrap_or_default().to_string()),
        ["log", _] => Ok(store.log()?.to_string()),
        ["chain", _] => {
            let mut chain = Chain::default();
            loop {
                let state = store.verify_on(&mut chain)?;
                if !matches!(state, ChainState::Checking { .. }) {
                    return Ok(serde_json::to_string(&state).unwrap_or_default());
                }
            }
        }
        _ => Ok("usage: inbox STORE PERSON NOW | ticket STORE ID NOW | log STORE | chain STORE".to_owned()),
    }
}
