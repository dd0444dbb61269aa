//! What the page of the local store may ask the app for. Each command needs a permission of `capabilities/main.json`.

use crate::desk::{Desk, Message};
use crate::engine::{self, Failure};
use crate::{shortcut, tray, window};
use hap_desktop_logic::{Answer, Place, Problem, Query, Settings, Store, problem_body, read_query};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tauri::ipc::{Channel, Response};
use tauri::{AppHandle, Manager, State};
use tauri_plugin_autostart::ManagerExt;

/// How long a request waits for an engine that starts.
const PATIENCE: Duration = Duration::from_secs(15);
const UNREACHABLE: u16 = 503;

/// The page is there, and hears of the app from now on.
#[tauri::command]
pub(crate) fn attend(desk: State<'_, Desk>, line: Channel<Message>) {
    desk.attend(line);
}

/// One request to the engine. While it is not up, reading requests are answered from the store.
#[tauri::command]
pub(crate) async fn call(app: AppHandle, method: String, path: String, body: Option<String>) -> Result<Response, String> {
    if !matches!(method.as_str(), "GET" | "POST" | "DELETE") || !is_api_path(&path) {
        return Err("The page asked for something that is not the API.".to_owned());
    }
    let desk = app.state::<Desk>();
    let Some(engine) = &desk.engine else { return Err("There is no engine here.".to_owned()) };
    if engine.line().is_none()
        && let Some(answer) = answer_from_store(&desk.place, read_query(&method, &path)).await
    {
        return Ok(packed(answer.status, answer.body.to_string().as_bytes()));
    }
    let mut tried = 0;
    loop {
        let line = match engine.wait(PATIENCE).await {
            Ok(line) => line,
            Err(reason) => return Ok(problem(&reason.code, &reason.message)),
        };
        match engine::request(&line, &method, &path, body.clone()).await {
            Ok((status, bytes)) => return Ok(packed(status, &bytes)),
            // An engine that just ended: what it cannot have seen, and what only reads, is asked of the next one.
            Err(Failure { sent, .. }) if tried < 3 && (!sent || method == "GET") => {
                tried += 1;
                tokio::time::sleep(Duration::from_millis(150)).await;
            }
            Err(Failure { words, .. }) => {
                let said =
                    format!("The engine ended before it answered ({words}). Look whether it was done before you repeat it.");
                return Ok(problem("server_unreachable", &said));
            }
        }
    }
}

/// Only paths of the API, and nothing that could be read as another header or host.
fn is_api_path(path: &str) -> bool {
    path.starts_with("/v1/") && path.len() < 4_000 && path.bytes().all(|byte| byte.is_ascii_graphic())
}

async fn answer_from_store(place: &Place, query: Option<Query>) -> Option<Answer> {
    let (Place::Local { store, person }, Some(query)) = (place.clone(), query) else { return None };
    let read = move || match Store::open(&store) {
        Ok(Some(store)) => query.answer(&store, &person, now()),
        // There is none yet: the engine makes it.
        Ok(None) => Err(Problem::new("store_busy", String::new())),
        Err(problem) => Err(problem),
    };
    match tauri::async_runtime::spawn_blocking(read).await.ok()? {
        Ok(answer) => Some(answer),
        Err(problem) if problem.passes() => None,
        Err(problem) => Some(Answer { status: 500, body: problem_body(&problem, 500) }),
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn problem(code: &str, message: &str) -> Response {
    let body =
        serde_json::json!({ "type": "about:blank", "title": code, "status": UNREACHABLE, "detail": message, "code": code });
    packed(UNREACHABLE, body.to_string().as_bytes())
}

/// The status in two bytes, then the body.
fn packed(status: u16, body: &[u8]) -> Response {
    let mut bytes = Vec::with_capacity(body.len() + 2);
    bytes.extend_from_slice(&status.to_be_bytes());
    bytes.extend_from_slice(body);
    Response::new(bytes)
}

/// Pieces of an answer that never ends by itself.
#[derive(Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Piece {
    /// Text as it came.
    Text { text: String },
    /// It is over: the engine ended, or refused with a status and words.
    End { status: u16, body: String },
}

/// Follow the log; the pieces of the stream go to the channel until `unfollow`.
#[tauri::command]
pub(crate) fn follow(app: AppHandle, path: String, pieces: Channel<Piece>) -> Result<u32, String> {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    if !is_api_path(&path) {
        return Err("The page asked for something that is not the API.".to_owned());
    }
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let handle = app.clone();
    let work = tokio_spawn(async move {
        let end = follow_to_end(&handle, &path, &pieces).await;
        let _ = pieces.send(end);
        handle.state::<Desk>().end_follow(id);
    });
    app.state::<Desk>().keep_follow(id, work);
    Ok(id)
}

fn tokio_spawn(work: impl Future<Output = ()> + Send + 'static) -> tokio::task::AbortHandle {
    let tauri::async_runtime::JoinHandle::Tokio(handle) = tauri::async_runtime::spawn(work);
    handle.abort_handle()
}

async fn follow_to_end(app: &AppHandle, path: &str, pieces: &Channel<Piece>) -> Piece {
    let end = |words: String| Piece::End { status: UNREACHABLE, body: words };
    let desk = app.state::<Desk>();
    let Some(engine) = &desk.engine else { return end("There is no engine here.".to_owned()) };
    let line = match engine.wait(PATIENCE).await {
        Ok(line) => line,
        Err(reason) => return end(reason.message),
    };
    let mut refused: Option<(u16, Vec<u8>)> = None;
    // A piece may end inside a character.
    let mut rest = Vec::new();
    let outcome = engine::stream(&line, path, |status, data| {
        if status != 200 {
            refused.get_or_insert((status, Vec::new())).1.extend_from_slice(data);
            return true;
        }
        rest.extend_from_slice(data);
        let whole = match std::str::from_utf8(&rest) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let text = String::from_utf8_lossy(&rest[..whole]).into_owned();
        rest.drain(..whole);
        text.is_empty() || pieces.send(Piece::Text { text }).is_ok()
    })
    .await;
    match (refused, outcome) {
        (Some((status, body)), _) => Piece::End { status, body: String::from_utf8_lossy(&body).into_owned() },
        (None, Err(failure)) => end(failure.words),
        (None, Ok(())) => end("The engine ended the stream.".to_owned()),
    }
}

/// End a stream.
#[tauri::command]
pub(crate) fn unfollow(desk: State<'_, Desk>, id: u32) {
    desk.end_follow(id);
}

/// The settings as the page shows them.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Shown {
    #[serde(flatten)]
    settings: Settings,
    /// The app starts when the person signs in to this machine; None where that cannot be told.
    autostart: Option<bool>,
    /// Why the shortcut does not work, or None.
    #[serde(default)]
    shortcut_problem: Option<String>,
}

fn shown(app: &AppHandle, settings: Settings) -> Shown {
    let autostart = app.autolaunch().is_enabled().ok();
    Shown { shortcut_problem: shortcut::problem(app), settings, autostart }
}

/// What the person chose for the app on this machine.
#[tauri::command]
pub(crate) fn settings(app: AppHandle, desk: State<'_, Desk>) -> Shown {
    shown(&app, desk.settings())
}

/// Change it; what comes back is what holds now.
#[tauri::command]
pub(crate) fn change_settings(app: AppHandle, desk: State<'_, Desk>, to: Shown) -> Result<Shown, String> {
    if let Some(wanted) = to.autostart {
        set_autostart(&app, wanted)?;
    }
    let before = desk.settings();
    let after = desk.change(|settings| *settings = to.settings);
    if after.shortcut != before.shortcut {
        shortcut::register(&app, &after.shortcut);
    }
    tray::refresh(&app);
    Ok(shown(&app, after))
}

/// Start with the person's session, or not.
pub(crate) fn set_autostart(app: &AppHandle, wanted: bool) -> Result<(), String> {
    let autostart = app.autolaunch();
    if autostart.is_enabled().unwrap_or(!wanted) == wanted {
        return Ok(());
    }
    let changed = if wanted { autostart.enable() } else { autostart.disable() };
    changed.map_err(|error| format!("Starting with the session could not be changed: {error}."))
}

/// Make the page larger (1), smaller (-1), or as it was (0).
#[tauri::command]
pub(crate) fn zoom(app: AppHandle, desk: State<'_, Desk>, direction: i32) {
    let zoom = desk.change(|settings| settings.zoom = settings.zoom_step(direction)).zoom;
    window::set_zoom(&app, zoom);
}
