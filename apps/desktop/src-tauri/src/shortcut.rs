//! The shortcut that brings the window to the front from anywhere. Where it cannot be had, the settings say so.

use crate::window;
use std::sync::{Mutex, PoisonError};
use tauri::{AppHandle, Manager};
use tauri_plugin_global_shortcut::{GlobalShortcutExt, ShortcutState};

/// Why it does not work.
#[derive(Default)]
struct Trouble(Mutex<Option<String>>);

/// Prepare to remember what went wrong.
pub(crate) fn prepare(app: &AppHandle) {
    app.manage(Trouble::default());
}

/// Use this shortcut from now on; an empty one means none.
pub(crate) fn register(app: &AppHandle, shortcut: &str) {
    let shortcuts = app.global_shortcut();
    let _ = shortcuts.unregister_all();
    let trouble = if shortcut.is_empty() {
        None
    } else {
        let registered = shortcuts.on_shortcut(shortcut, |app, _, event| {
            if event.state == ShortcutState::Pressed {
                window::toggle(app);
            }
        });
        registered.err().map(|error| format!("{shortcut} cannot be used here: {error}"))
    };
    if let Some(words) = &trouble {
        eprintln!("hap-desktop: {words}");
    }
    *app.state::<Trouble>().0.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
}

/// Why the shortcut does not work, or None.
pub(crate) fn problem(app: &AppHandle) -> Option<String> {
    app.state::<Trouble>().0.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
