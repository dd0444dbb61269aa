//! Watches the store: the tray's number, notices for what arrives, and the log's chain. It reads, in a thread of its own, and
//! works whether the engine is up or not.

use crate::commands::now;
use crate::desk::{Desk, Message};
use crate::{notify, tray, window};
use hap_desktop_logic::{Arrival, Chain, ChainState, Notice, Problem, Severity, Store, Waiting, notice_for};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager};

/// How often the store's version is looked at, which costs a look at shared memory.
const LOOK: Duration = Duration::from_millis(300);
/// What was put off comes back without a commit.
const AGAIN: Duration = Duration::from_secs(10);

/// Start watching.
pub(crate) fn start(app: AppHandle, path: PathBuf, person: String) {
    std::thread::spawn(move || {
        let mut watcher = Watcher { app, path, person, store: None, version: 0, seen: None, chain: Chain::default(), told: None };
        let mut looked = Instant::now();
        loop {
            let due = looked.elapsed() >= AGAIN;
            if due {
                looked = Instant::now();
            }
            let outcome = watcher.look(due);
            watcher.tell_problem(outcome.err());
            std::thread::sleep(LOOK);
        }
    });
}

struct Watcher {
    app: AppHandle,
    path: PathBuf,
    person: String,
    store: Option<Store>,
    version: i64,
    /// The newest ticket that was there when the app last looked; None before the first look.
    seen: Option<i64>,
    chain: Chain,
    told: Option<Problem>,
}

impl Watcher {
    fn look(&mut self, due: bool) -> Result<(), Problem> {
        if self.store.as_ref().is_some_and(Store::is_replaced) {
            self.store = None;
        }
        let mut fresh = due;
        if self.store.is_none() {
            self.store = Store::open(&self.path)?;
            fresh = true;
        }
        let Some(store) = &self.store else {
            // Whatever comes into a store that was not there is new.
            self.seen.get_or_insert(0);
            return Ok(());
        };
        let version = store.version()?;
        if version == self.version && !fresh {
            return Ok(());
        }
        let waiting = store.waiting(&self.person, now())?;
        let arrivals = match self.seen {
            Some(seen) if waiting.newest > seen => store.arrivals(&self.person, seen)?,
            _ => Vec::new(),
        };
        self.seen = Some(waiting.newest);
        self.show(waiting, &arrivals);
        loop {
            let chain = store.verify_on(&mut self.chain)?;
            let more = matches!(chain, ChainState::Checking { .. });
            self.app.state::<Desk>().tell(Message::Chain { chain });
            if !more {
                break;
            }
        }
        // Last, so that a failure on the way is looked at again.
        self.version = version;
        Ok(())
    }

    fn show(&self, waiting: Waiting, arrivals: &[Arrival]) {
        let desk = self.app.state::<Desk>();
        let changed = desk.waiting() != waiting;
        desk.set_waiting(waiting);
        if changed {
            tray::refresh(&self.app);
        }
        if let Some(notice) = notice_for(arrivals, &desk.settings(), window::is_looked_at(&self.app)) {
            notify::show(&self.app, &notice);
        }
    }

    /// Say once what is wrong, and once that it no longer is.
    fn tell_problem(&mut self, problem: Option<Problem>) {
        let problem = problem.filter(|problem| !problem.passes());
        if problem == self.told {
            return;
        }
        if let Some(Problem { message, .. }) = &problem {
            eprintln!("hap-desktop: {message}");
            self.store = None;
        }
        let words = problem.as_ref().map(|problem| problem.message.clone());
        self.app.state::<Desk>().tell(Message::Store { problem: words });
        self.told = problem;
    }
}

/// A server's page says in its title how many tickets wait: `(3) HAP`.
pub(crate) fn take_title(app: &AppHandle, title: &str) {
    let count = title.strip_prefix('(').and_then(|rest| rest.split([')', '+']).next()).and_then(|text| text.parse().ok());
    let desk = app.state::<Desk>();
    let (before, count) = (desk.waiting().count, count.unwrap_or(0));
    desk.set_waiting(Waiting { count, ..Waiting::default() });
    tray::refresh(app);
    let notified = count > before && !desk.settings().paused && !window::is_looked_at(app);
    if notified {
        let body = if count == 1 { "1 ticket waits".to_owned() } else { format!("{count} tickets wait") };
        let severity = Severity::Normal;
        notify::show(app, &Notice { title: "A new ticket".to_owned(), body, severity, ticket: None });
    }
}
