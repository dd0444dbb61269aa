//! What the parts of the app share: where the tickets are, what the person chose, and the line to the page.

use crate::engine::Engine;
use hap_desktop_logic::{ChainState, Place, Settings, Waiting};
use serde::Serialize;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tauri::ipc::Channel;
use tokio::task::AbortHandle;

/// What the app tells the page.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Message {
    /// Show this address of the page.
    Go { path: String },
    /// The engine answers from now on: what came from the store alone is to be fetched again.
    Ready,
    /// How far the log's chain was verified.
    Chain { chain: ChainState },
    /// The store cannot be read, and why; null when it can be again.
    Store { problem: Option<String> },
}

/// Shared by every part; lives as long as the app.
pub(crate) struct Desk {
    pub(crate) place: Place,
    pub(crate) engine: Option<Engine>,
    pub(crate) settings_path: PathBuf,
    settings: Mutex<Settings>,
    waiting: Mutex<Waiting>,
    page: Mutex<Page>,
    follows: Mutex<HashMap<u32, AbortHandle>>,
}

/// The line to the page, and what it has to be told when it comes up.
#[derive(Default)]
struct Page {
    line: Option<Channel<Message>>,
    path: Option<String>,
    chain: Option<ChainState>,
    problem: Option<String>,
    ready: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    pub(crate) fn new(place: Place, engine: Option<Engine>, settings_path: PathBuf) -> Self {
        let settings = Mutex::new(Settings::read(&settings_path));
        Self {
            place,
            engine,
            settings_path,
            settings,
            waiting: Mutex::default(),
            page: Mutex::default(),
            follows: Mutex::default(),
        }
    }

    pub(crate) fn settings(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Change the settings and keep them; what could not be kept holds until the app ends.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Settings)) -> Settings {
        let mut settings = lock(&self.settings);
        change(&mut settings);
        *settings = settings.clone().checked();
        if let Err(error) = settings.write(&self.settings_path) {
            eprintln!("hap-desktop: {} cannot be written: {error}", self.settings_path.display());
        }
        settings.clone()
    }

    pub(crate) fn waiting(&self) -> Waiting {
        lock(&self.waiting).clone()
    }

    pub(crate) fn set_waiting(&self, waiting: Waiting) {
        *lock(&self.waiting) = waiting;
    }

    /// The page is there: tell it everything that it missed.
    pub(crate) fn attend(&self, line: Channel<Message>) {
        let mut page = lock(&self.page);
        let chain = page.chain.clone().map(|chain| Message::Chain { chain });
        let problem = page.problem.clone().map(|problem| Message::Store { problem: Some(problem) });
        let ready = page.ready.then_some(Message::Ready);
        let go = page.path.take().map(|path| Message::Go { path });
        for message in [chain, problem, ready, go].into_iter().flatten() {
            let _ = line.send(message);
        }
        page.line = Some(line);
    }

    /// Tell the page, now or when it is there.
    pub(crate) fn tell(&self, message: Message) {
        let mut page = lock(&self.page);
        match &message {
            Message::Chain { chain } => page.chain = Some(chain.clone()),
            Message::Store { problem } => page.problem.clone_from(problem),
            Message::Ready => page.ready = true,
            Message::Go { path } if page.line.is_none() => page.path = Some(path.clone()),
            Message::Go { .. } => {}
        }
        // A page that is being loaded anew has dropped its line, and asks for a new one.
        let sent = page.line.as_ref().map(|line| line.send(message));
        if matches!(sent, Some(Err(_))) {
            page.line = None;
        }
    }

    /// The page is loaded anew: what follows the log for the old one ends.
    pub(crate) fn page_left(&self) {
        lock(&self.page).line = None;
        for (_, follow) in lock(&self.follows).drain() {
            follow.abort();
        }
    }

    pub(crate) fn keep_follow(&self, id: u32, follow: AbortHandle) {
        lock(&self.follows).insert(id, follow);
    }

    pub(crate) fn end_follow(&self, id: u32) {
        if let Some(follow) = lock(&self.follows).remove(&id) {
            follow.abort();
        }
    }
}
