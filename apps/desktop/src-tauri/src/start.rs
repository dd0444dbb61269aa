//! Puts the app together: plugins, engine, watcher, tray, window.

use crate::desk::{Desk, Message};
use crate::engine::{Engine, Program};
use crate::{commands, notify, shortcut, tray, updates, watch, window};
use hap_desktop_logic::{Place, ticket_in_link};
use tauri::{App, AppHandle, Manager, RunEvent, WindowEvent};
use tauri_plugin_deep_link::DeepLinkExt;
use tauri_plugin_window_state::StateFlags;

/// Given by the entry that starts the app with the session: no window then.
const HIDDEN: &str = "--hidden";

/// Run the app until it is quit.
pub(crate) fn run(place: Place) -> tauri::Result<()> {
    let context = tauri::generate_context!();
    // The size and place of the window, but not whether it was in view: that is for whoever starts the app to say.
    let remembered = StateFlags::all() - StateFlags::VISIBLE;
    let mut builder = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|app, words, _| again(app, &words)))
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_global_shortcut::Builder::new().build())
        .plugin(tauri_plugin_autostart::Builder::new().arg(HIDDEN).build())
        .plugin(tauri_plugin_window_state::Builder::new().with_state_flags(remembered).build());
    if updates::are_in(context.config()) {
        builder = builder.plugin(tauri_plugin_updater::Builder::new().build());
    }
    builder
        .invoke_handler(tauri::generate_handler![
            commands::attend,
            commands::call,
            commands::follow,
            commands::unfollow,
            commands::settings,
            commands::change_settings,
            commands::zoom,
        ])
        .setup(move |app| Ok(set_up(app, place)?))
        .on_window_event(|window, event| {
            if let WindowEvent::CloseRequested { api, .. } = event
                && window.state::<Desk>().settings().keep_in_tray
            {
                api.prevent_close();
                let _ = window.hide();
            }
        })
        .build(context)?
        .run(|app, event| {
            if let RunEvent::Exit = event
                && let Some(engine) = app.try_state::<Desk>().and_then(|desk| desk.engine.clone())
            {
                engine.leave();
            }
        });
    Ok(())
}

fn set_up(app: &mut App, place: Place) -> tauri::Result<()> {
    let handle = app.handle().clone();
    let engine = match &place {
        Place::Server { .. } => None,
        Place::Local { store, person } => {
            let program = Program::find(&app.path().resource_dir()?);
            Some(Engine::start(program, store.clone(), person.clone(), tell_when_ready(handle.clone())))
        }
    };
    let settings = app.path().app_config_dir()?.join("settings.json");
    app.manage(Desk::new(place.clone(), engine, settings));
    shortcut::prepare(&handle);
    window::open(&handle, !std::env::args().any(|word| word == HIDDEN))?;
    if let Err(error) = notify::listen(&handle) {
        eprintln!("hap-desktop: clicks on notifications are not heard: {error}");
    }
    tray::make(&handle)?;
    shortcut::register(&handle, &app.state::<Desk>().settings().shortcut);
    if let Place::Local { store, person } = place {
        watch::start(handle.clone(), store, person);
    }
    follow_links(app, handle);
    Ok(())
}

/// The engine may be up before there is anybody to tell.
fn tell_when_ready(app: AppHandle) -> impl Fn() + Send + 'static {
    move || {
        if let Some(desk) = app.try_state::<Desk>() {
            desk.tell(Message::Ready);
        }
    }
}

/// Links that start the app, and links that reach it while it runs.
fn follow_links(app: &App, handle: AppHandle) {
    let links = app.deep_link();
    if let Ok(Some(urls)) = links.get_current() {
        urls.iter().for_each(|url| open_link(&handle, url.as_str()));
    }
    links.on_open_url(move |event| event.urls().iter().for_each(|url| open_link(&handle, url.as_str())));
}

fn open_link(app: &AppHandle, link: &str) {
    match ticket_in_link(link) {
        Some(ticket) => window::show_ticket(app, Some(ticket)),
        None => eprintln!("hap-desktop: a link that names no ticket was not followed"),
    }
}

/// The app was started a second time: this one comes to the front instead. Its links come through the deep-link plugin.
fn again(app: &AppHandle, words: &[String]) {
    if !words.iter().any(|word| word == HIDDEN) {
        window::focus(app);
    }
}
