//! Keeps one engine running: whatever ends it, the next one starts after a pause.

use super::Line;
use super::launch::{Program, Reason, launch};
use hap_desktop_logic::Backoff;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a request waits for an engine that failed before.
const AFTER_FAILURE: Duration = Duration::from_secs(3);

/// Where the engine stands.
#[derive(Debug, Clone)]
pub(crate) enum State {
    /// It is being started.
    Starting,
    /// It answers.
    Ready(Line),
    /// It ended or did not start; the next attempt comes by itself.
    Failed(Reason),
}

/// The engine as the rest of the app sees it.
#[derive(Clone)]
pub(crate) struct Engine {
    state: watch::Receiver<State>,
}

impl Engine {
    /// Start it, and keep it running until the app ends. `ready` is called each time it answers.
    pub(crate) fn start(program: Program, store: PathBuf, person: String, ready: impl Fn() + Send + 'static) -> Self {
        let (tell, state) = watch::channel(State::Starting);
        tauri::async_runtime::spawn(async move {
            let mut backoff = Backoff::default();
            loop {
                let started = Instant::now();
                let reason = match launch(&program, &store, &person).await {
                    Ok(mut running) => {
                        let _ = tell.send(State::Ready(running.line.clone()));
                        ready();
                        let status = running.child.wait().await;
                        let ended = status.map_or_else(|error| error.to_string(), |status| status.to_string());
                        running.said.reason().unwrap_or_else(|| Reason {
                            code: "server_unreachable".to_owned(),
                            message: format!("The engine ended ({ended}) and is being started again."),
                        })
                    }
                    Err(reason) => reason,
                };
                eprintln!("hap-desktop: {}", reason.message);
                let _ = tell.send(State::Failed(reason));
                tokio::time::sleep(backoff.pause_after(started.elapsed())).await;
            }
        });
        Self { state }
    }

    /// The app ends. The engine ends with its pipe, by itself; what is left to do is to remove the folder of its socket.
    pub(crate) fn leave(&self) {
        let folder = self.line().and_then(|line| line.socket.parent().map(std::path::Path::to_owned));
        if let (Some(folder), true) = (folder, cfg!(unix)) {
            let _ = std::fs::remove_dir_all(folder);
        }
    }

    /// The line to it, if it answers now.
    pub(crate) fn line(&self) -> Option<Line> {
        match &*self.state.borrow() {
            State::Ready(line) => Some(line.clone()),
            _ => None,
        }
    }

    /// The line to it, once it answers; the reason when it does not within the time.
    pub(crate) async fn wait(&self, patience: Duration) -> Result<Line, Reason> {
        let mut state = self.state.clone();
        // Why it failed is worth more than waiting long for what failed before.
        let failed = matches!(&*state.borrow(), State::Failed(_));
        let patience = if failed { patience.min(AFTER_FAILURE) } else { patience };
        let ready = state.wait_for(|state| matches!(state, State::Ready(_)));
        if let Ok(Ok(found)) = tokio::time::timeout(patience, ready).await
            && let State::Ready(line) = &*found
        {
            return Ok(line.clone());
        }
        match &*self.state.borrow() {
            State::Ready(line) => Ok(line.clone()),
            State::Failed(reason) => Err(reason.clone()),
            State::Starting => Err(Reason {
                code: "server_unreachable".to_owned(),
                message: "The engine is still starting. Try again in a moment.".to_owned(),
            }),
        }
    }
}
