//! The tray: how many tickets wait, and what can be done without the window.

use crate::commands::set_autostart;
use crate::desk::Desk;
use crate::{updates, window};
use hap_desktop_logic::tray_words;
use tauri::menu::{CheckMenuItem, Menu, MenuEvent, MenuItem, PredefinedMenuItem};
use tauri::tray::{MouseButton, MouseButtonState, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Manager, Wry};
use tauri_plugin_autostart::ManagerExt;

const ID: &str = "hap";

/// The items whose state changes.
struct Items {
    next: MenuItem<Wry>,
    pause: CheckMenuItem<Wry>,
    autostart: CheckMenuItem<Wry>,
}

/// Put the icon into the tray.
pub(crate) fn make(app: &AppHandle) -> tauri::Result<()> {
    let items = Items {
        next: MenuItem::with_id(app, "next", "Next ticket", false, None::<&str>)?,
        pause: CheckMenuItem::with_id(app, "pause", "Pause notifications", true, false, None::<&str>)?,
        autostart: CheckMenuItem::with_id(app, "autostart", "Start at login", true, false, None::<&str>)?,
    };
    let open = MenuItem::with_id(app, "open", "Open HAP", true, None::<&str>)?;
    let quit = MenuItem::with_id(app, "quit", "Quit", true, None::<&str>)?;
    let line = || PredefinedMenuItem::separator(app);
    let menu = Menu::with_items(app, &[&items.next, &open, &line()?, &items.pause, &items.autostart, &line()?])?;
    if updates::are_configured(app) {
        menu.append(&MenuItem::with_id(app, "update", "Check for updates", true, None::<&str>)?)?;
    }
    menu.append(&quit)?;
    let mut tray = TrayIconBuilder::with_id(ID).menu(&menu).show_menu_on_left_click(false).tooltip("HAP");
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.on_menu_event(|app, event| choose(app, &event))
        .on_tray_icon_event(|tray, event| {
            if let TrayIconEvent::Click { button: MouseButton::Left, button_state: MouseButtonState::Up, .. } = event {
                window::toggle(tray.app_handle());
            }
        })
        .build(app)?;
    app.manage(items);
    refresh(app);
    Ok(())
}

fn choose(app: &AppHandle, event: &MenuEvent) {
    match event.id().as_ref() {
        "next" => window::show_ticket(app, app.state::<Desk>().waiting().next.as_deref()),
        "open" => window::focus(app),
        "pause" => {
            app.state::<Desk>().change(|settings| settings.paused = !settings.paused);
            refresh(app);
        }
        "autostart" => {
            let wanted = !app.autolaunch().is_enabled().unwrap_or(false);
            if let Err(words) = set_autostart(app, wanted) {
                eprintln!("hap-desktop: {words}");
            }
            refresh(app);
        }
        "update" => updates::check(app),
        "quit" => app.exit(0),
        _ => {}
    }
}

/// Show what is true now.
pub(crate) fn refresh(app: &AppHandle) {
    let (Some(tray), Some(items)) = (app.tray_by_id(ID), app.try_state::<Items>()) else { return };
    let desk = app.state::<Desk>();
    let waiting = desk.waiting();
    let count = waiting.count.to_string();
    // Linux and macOS show words beside the icon; Windows shows them when it is pointed at.
    let _ = tray.set_title(if waiting.count == 0 { None } else { Some(&count) });
    let _ = tray.set_tooltip(Some(tray_words(waiting.count)));
    let _ = items.next.set_enabled(waiting.next.is_some());
    let _ = items.pause.set_checked(desk.settings().paused);
    let _ = items.autostart.set_checked(app.autolaunch().is_enabled().unwrap_or(false));
}
