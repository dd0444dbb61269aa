//! Which of the page's requests the app answers from the store itself while the engine is not up: reading ones only.

use crate::store::{Problem, Store};
use serde_json::{Value, json};

/// An answer as the engine would give it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// JSON.
    pub body: Value,
}

/// A request that needs nothing but reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// Who one is here.
    Me,
    /// The end of the log.
    Log,
    /// The first page of the inbox.
    Inbox {
        /// How many tickets.
        limit: usize,
    },
    /// One ticket.
    Ticket {
        /// Its id.
        id: String,
    },
}

const DEFAULT_LIMIT: usize = 50;
const MOST: usize = 1000;

/// The query that a request is; None when only the engine can answer it.
pub fn read_query(method: &str, path: &str) -> Option<Query> {
    if method != "GET" {
        return None;
    }
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    match path {
        "/v1/me" if query.is_empty() => Some(Query::Me),
        "/v1/log" if query.is_empty() => Some(Query::Log),
        "/v1/inbox" => Some(Query::Inbox { limit: read_limit(query)? }),
        _ => {
            let id = path.strip_prefix("/v1/tickets/").filter(|id| query.is_empty() && !id.contains('/'))?;
            crate::ticket_in_link(&format!("hap://ticket/{id}")).map(|id| Query::Ticket { id: id.to_owned() })
        }
    }
}

/// Only the first page: a cursor is the engine's to read.
fn read_limit(query: &str) -> Option<usize> {
    if query.is_empty() {
        return Some(DEFAULT_LIMIT);
    }
    let limit = query.strip_prefix("limit=")?.parse().ok()?;
    (1..=MOST).contains(&limit).then_some(limit)
}

impl Query {
    /// Answer it from the store, for one person, as of a moment in milliseconds.
    pub fn answer(&self, store: &Store, person: &str, now: i64) -> Result<Answer, Problem> {
        let body = match self {
            // The weakest class and no role: what the engine says a moment later can only add to it.
            Self::Me => json!({
                "kind": "person", "id": person, "role": null, "scopes": [], "trust": "open", "place": "app",
            }),
            Self::Log => store.log()?,
            Self::Inbox { limit } => store.inbox(person, *limit, now)?,
            Self::Ticket { id } => match store.ticket(id, now)? {
                Some(ticket) => ticket,
                None => {
                    let problem = Problem::new("ticket_not_found", format!("There is no ticket {id} that you may see."));
                    return Ok(Answer { status: 404, body: problem_body(&problem, 404) });
                }
            },
        };
        Ok(Answer { status: 200, body })
    }
}

/// A problem as the page reads it (RFC 9457, with HAP's code).
pub fn problem_body(problem: &Problem, status: u16) -> Value {
    json!({ "type": "about:blank", "title": problem.code, "status": status, "detail": problem.message, "code": problem.code })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_requests_are_understood() {
        assert_eq!(read_query("GET", "/v1/me"), Some(Query::Me));
        assert_eq!(read_query("GET", "/v1/log"), Some(Query::Log));
        assert_eq!(read_query("GET", "/v1/inbox?limit=60"), Some(Query::Inbox { limit: 60 }));
        assert_eq!(read_query("GET", "/v1/tickets/tk_abc"), Some(Query::Ticket { id: "tk_abc".to_owned() }));
    }

    #[test]
    fn everything_else_is_the_engines() {
        for (method, path) in [
            ("POST", "/v1/me"),
            ("GET", "/v1/inbox?limit=60&cursor=cur_x"),
            ("GET", "/v1/inbox?limit=0"),
            ("GET", "/v1/inbox?limit=9999"),
            ("GET", "/v1/tickets/tk_abc/history"),
            ("GET", "/v1/tickets/tk_abc?wait=5"),
            ("GET", "/v1/tickets/..%2f"),
            ("POST", "/v1/tickets/tk_abc/deliver"),
            ("GET", "/v1/tickets?state=open"),
            ("GET", "/metrics"),
        ] {
            assert_eq!(read_query(method, path), None, "{method} {path}");
        }
    }
}
