//! What the app reads: the inbox, one ticket, what waits, and the log's links.

use super::open::Store;
use super::problem::Problem;
use super::view::{Names, Parts, view_ticket};
use crate::chain::{Chain, ChainState, Link};
use crate::notice::Arrival;
use rusqlite::{OptionalExtension, Row, params};
use serde_json::{Value, json};
use std::collections::HashMap;

const RECORD: &str = "seq, record, intent, artifact, lease";
/// Events that are checked in one read: a longer one would keep the write-ahead log from being folded in.
const PAGE: i64 = 2_000;
/// Arrivals that one notice could speak of.
const MOST_ARRIVALS: i64 = 100;

/// What waits for a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Waiting {
    /// How many tickets.
    pub count: usize,
    /// The one to decide first.
    pub next: Option<String>,
    /// The place of the newest ticket of the store, whoever has it.
    pub newest: i64,
}

struct Found {
    seq: i64,
    parts: [String; 4],
}

fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    Ok(Found { seq: row.get(0)?, parts: [row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?] })
}

impl Store {
    /// The first page of a person's inbox, as `GET /v1/inbox` gives it: by priority, then oldest first.
    pub fn inbox(&self, person: &str, limit: usize, now: i64) -> Result<Value, Problem> {
        let Some(handle) = self.handle_of(person)? else { return Ok(json!({ "tickets": [], "next": null })) };
        let query = format!(
            r#"SELECT {RECORD} FROM tickets INDEXED BY idx_tickets_inbox WHERE "to"=? AND open=1
               AND (snoozed_until IS NULL OR snoozed_until<=?) ORDER BY rank, seq LIMIT ?"#
        );
        let most = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
        let mut rows =
            self.explain(self.database.prepare_cached(&query).and_then(|mut statement| {
                statement.query_map(params![handle, now, most], found)?.collect::<Result<Vec<_>, _>>()
            }))?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let tickets = rows.iter().map(|row| self.view(row, now)).collect::<Result<Vec<_>, _>>()?;
        let next = match rows.last() {
            Some(last) if more => Value::String(self.cursor_at(last.seq)?),
            _ => Value::Null,
        };
        Ok(json!({ "tickets": tickets, "next": next }))
    }

    /// One ticket, as `GET /v1/tickets/ID` gives it.
    pub fn ticket(&self, id: &str, now: i64) -> Result<Option<Value>, Problem> {
        let query = format!("SELECT {RECORD} FROM tickets WHERE id=?");
        let row = self.explain(self.database.query_row(&query, [id], found).optional())?;
        row.map(|row| self.view(&row, now)).transpose()
    }

    /// How many tickets wait for a person, and which comes first.
    pub fn waiting(&self, person: &str, now: i64) -> Result<Waiting, Problem> {
        let newest = "SELECT ifnull(max(seq), 0) FROM tickets";
        let newest: i64 = self.explain(self.database.query_row(newest, [], |row| row.get(0)))?;
        let Some(handle) = self.handle_of(person)? else { return Ok(Waiting { newest, ..Waiting::default() }) };
        let awake = r#""to"=?1 AND open=1 AND (snoozed_until IS NULL OR snoozed_until<=?2)"#;
        let count = format!("SELECT count(*) FROM tickets WHERE {awake}");
        let count: i64 = self.explain(self.database.query_row(&count, params![handle, now], |row| row.get(0)))?;
        let next = format!("SELECT id FROM tickets INDEXED BY idx_tickets_inbox WHERE {awake} ORDER BY rank, seq LIMIT 1");
        let next = self.explain(self.database.query_row(&next, params![handle, now], |row| row.get(0)).optional())?;
        Ok(Waiting { count: usize::try_from(count).unwrap_or(0), next, newest })
    }

    /// Tickets of a person that were opened after a place in the log and still wait.
    pub fn arrivals(&self, person: &str, after: i64) -> Result<Vec<Arrival>, Problem> {
        let Some(handle) = self.handle_of(person)? else { return Ok(Vec::new()) };
        let query =
            r#"SELECT id, "from", kind, priority, tier FROM tickets WHERE seq>? AND "to"=? AND open=1 ORDER BY seq LIMIT ?"#;
        let read = |row: &Row<'_>| {
            Ok(Arrival { id: row.get(0)?, from: row.get(1)?, kind: row.get(2)?, priority: row.get(3)?, tier: row.get(4)? })
        };
        self.explain(self.database.prepare_cached(query).and_then(|mut statement| {
            statement.query_map(params![after, handle, MOST_ARRIVALS], read)?.collect::<Result<Vec<_>, _>>()
        }))
    }

    /// The end of the log, as `GET /v1/log` gives it.
    pub fn log(&self) -> Result<Value, Problem> {
        let head = "SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1";
        let head: Option<(i64, String)> =
            self.explain(self.database.query_row(head, [], |row| Ok((row.get(0)?, row.get(1)?))).optional())?;
        let violation = "SELECT value FROM config WHERE key='violation'";
        let violation: Option<String> = self.explain(self.database.query_row(violation, [], |row| row.get(0)).optional())?;
        let (seq, hash) = head.unwrap_or_else(|| (0, Chain::default().head().to_owned()));
        let cursor = if seq == 0 { Value::Null } else { Value::String(cursor(seq, &hash)) };
        Ok(json!({
            "seq": seq, "hash": hash, "cursor": cursor, "trust": "open", "violation": violation, "last_verification": null,
        }))
    }

    /// Check the next events of the log, one page of them. A log that was rewritten since is checked from its start.
    pub fn verify_on(&self, chain: &mut Chain) -> Result<ChainState, Problem> {
        if chain.seq() > 0 && self.hash_at(chain.seq())?.as_deref() != Some(chain.head()) {
            *chain = Chain::default();
        }
        let query = "SELECT seq, payload, prev_hash, hash FROM events WHERE seq>? ORDER BY seq LIMIT ?";
        let mut statement = self.explain(self.database.prepare_cached(query))?;
        let mut rows = self.explain(statement.query(params![chain.seq(), PAGE]))?;
        let mut read = 0;
        while let Some(row) = self.explain(rows.next())? {
            read += 1;
            let text = |at: usize| self.explain(row.get_ref(at)).map(|value| value.as_str().unwrap_or("").to_owned());
            let (payload, prev_hash, hash) = (text(1)?, text(2)?, text(3)?);
            let seq = self.explain(row.get(0))?;
            let link = Link { seq, payload: &payload, prev_hash: &prev_hash, hash: &hash };
            if let Err(violation) = chain.take(link) {
                return Ok(ChainState::Broken { violation });
            }
        }
        let (events, head) = (chain.seq(), chain.head().to_owned());
        Ok(if read == PAGE { ChainState::Checking { events } } else { ChainState::Verified { events, head } })
    }

    fn view(&self, row: &Found, now: i64) -> Result<Value, Problem> {
        let [record, intent, artifact, lease] = &row.parts;
        let parse = |text: &String| serde_json::from_str::<Value>(text).map_err(|_| Problem::unreadable_ticket());
        let parts = Parts { record: parse(record)?, intent: parse(intent)?, artifact: parse(artifact)?, lease: parse(lease)? };
        let last = parts.record["lastSeq"].as_i64().ok_or_else(Problem::unreadable_ticket)?;
        let contents = self.contents(row.seq)?;
        let directory = self.directory(&parts)?;
        let names = Names { contents: &contents, directory: &directory };
        view_ticket(&parts, &names, &self.cursor_at(last)?, now).ok_or_else(Problem::unreadable_ticket)
    }

    fn contents(&self, seq: i64) -> Result<HashMap<String, String>, Problem> {
        let query = "SELECT lower(hex(digest)), body FROM contents WHERE ticket_seq=?";
        self.explain(self.database.prepare_cached(query).and_then(|mut statement| {
            statement.query_map([seq], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<HashMap<_, _>, _>>()
        }))
    }

    /// Names for the handles that a ticket holds.
    fn directory(&self, parts: &Parts) -> Result<HashMap<String, String>, Problem> {
        let mut names = HashMap::new();
        for handle in parts.handles() {
            let query = "SELECT name FROM directory WHERE handle=?";
            let name: Option<String> = self.explain(self.database.query_row(query, [&handle], |row| row.get(0)).optional())?;
            names.extend(name.map(|name| (handle, name)));
        }
        Ok(names)
    }

    fn handle_of(&self, name: &str) -> Result<Option<String>, Problem> {
        let query = "SELECT handle FROM directory WHERE name=?";
        self.explain(self.database.query_row(query, [name], |row| row.get(0)).optional())
    }

    fn hash_at(&self, seq: i64) -> Result<Option<String>, Problem> {
        self.explain(self.database.query_row("SELECT hash FROM events WHERE seq=?", [seq], |row| row.get(0)).optional())
    }

    fn cursor_at(&self, seq: i64) -> Result<String, Problem> {
        Ok(cursor(seq, &self.hash_at(seq)?.unwrap_or_default()))
    }
}

/// The opaque cursor of an event (D12).
fn cursor(seq: i64, hash: &str) -> String {
    format!("cur_{}", base64_url(format!("default/{seq}/{}", hash.get(..16).unwrap_or("")).as_bytes()))
}

fn base64_url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(group >> (18 - 6 * place) & 63) as usize]));
        }
    }
    text
}
