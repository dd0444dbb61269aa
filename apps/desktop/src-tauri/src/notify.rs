//! Native notifications: a click opens the ticket, and a button pauses them.

use crate::desk::Desk;
use crate::{tray, window};
use hap_desktop_logic::{Notice, Severity};
use std::sync::atomic::{AtomicI32, Ordering};
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::{Action, ActionPerformed, ActionType, NotificationExt};

const KIND: &str = "ticket";
const TICKET: &str = "ticket";

/// Say what the buttons are, and hear of clicks.
pub(crate) fn listen(app: &AppHandle) -> tauri_plugin_notification::Result<()> {
    let buttons = vec![Action::builder("open", "Open").build(), Action::builder("pause", "Pause notifications").build()];
    app.notification().register_action_types(vec![ActionType::builder(KIND).actions(buttons).build()])?;
    let handle = app.clone();
    app.notification().on_action(move |performed| act(&handle, performed))
}

fn act(app: &AppHandle, performed: &ActionPerformed) {
    match performed.action_id() {
        "tap" | "open" => {
            let ticket = performed.notification().and_then(|shown| shown.extra().get(TICKET)).and_then(|id| id.as_str());
            window::show_ticket(app, ticket);
        }
        "pause" => {
            app.state::<Desk>().change(|settings| settings.paused = true);
            tray::refresh(app);
        }
        _ => {}
    }
}

/// Show a notice.
pub(crate) fn show(app: &AppHandle, notice: &Notice) {
    static NEXT: AtomicI32 = AtomicI32::new(1);
    let mut builder = app
        .notification()
        .builder()
        .id(NEXT.fetch_add(1, Ordering::Relaxed))
        .title(&notice.title)
        .body(&notice.body)
        .action_type_id(KIND);
    if let Some(ticket) = &notice.ticket {
        builder = builder.extra(TICKET, ticket);
    }
    if notice.severity == Severity::Critical {
        builder = builder.sound(if cfg!(target_os = "linux") { "message-new-instant" } else { "Default" });
    }
    if let Err(error) = builder.show() {
        eprintln!("hap-desktop: no notification can be shown: {error}");
    }
}
