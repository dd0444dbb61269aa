//! HAP as a desktop app: the page's own code in a native window, on the local store or as a window on a server.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod desk;
mod engine;
mod notify;
mod shortcut;
mod start;
mod tray;
mod updates;
mod watch;
mod window;

use hap_desktop_logic::find_place;
use std::process::ExitCode;

fn main() -> ExitCode {
    // A program that another one can click through is not one that a person decides with.
    if !cfg!(feature = "automation") && std::env::var_os("TAURI_WEBVIEW_AUTOMATION").is_some() {
        eprintln!("hap-desktop: TAURI_WEBVIEW_AUTOMATION is set, and this app lets no other program drive its window. Unset it.");
        return ExitCode::FAILURE;
    }
    let home = std::env::home_dir().unwrap_or_default();
    let folder = std::env::current_dir().unwrap_or_else(|_| home.clone());
    let user = std::env::var("USER").or_else(|_| std::env::var("USERNAME")).unwrap_or_default();
    let place = match find_place(|name| std::env::var(name).ok(), &home, &folder, &user) {
        Ok(place) => place,
        Err(words) => {
            eprintln!("hap-desktop: {words}");
            return ExitCode::from(2);
        }
    };
    match start::run(place) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hap-desktop: the window could not be opened: {error}");
            ExitCode::FAILURE
        }
    }
}
