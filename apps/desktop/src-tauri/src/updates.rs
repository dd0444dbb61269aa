//! Updates of the app itself: built in, and off while the configuration names no place to look. Never by themselves.

use tauri::{AppHandle, Config, Manager};
use tauri_plugin_notification::NotificationExt;
use tauri_plugin_updater::UpdaterExt;

/// True when whoever packaged the app named a place for updates and the key that signs them.
pub(crate) fn are_in(config: &Config) -> bool {
    let updater = config.plugins.0.get("updater");
    let endpoints = updater.and_then(|updater| updater["endpoints"].as_array()).is_some_and(|list| !list.is_empty());
    endpoints && updater.and_then(|updater| updater["pubkey"].as_str()).is_some_and(|key| !key.is_empty())
}

/// The same for a running app.
pub(crate) fn are_configured(app: &AppHandle) -> bool {
    are_in(app.config())
}

/// Look for an update because the person asked, install it, and say what came of it.
pub(crate) fn check(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let words = match look(&app).await {
            Ok(Some(version)) => format!("HAP {version} is installed. It runs from the next start on."),
            Ok(None) => "This is the newest version.".to_owned(),
            Err(error) => format!("No update: {error}"),
        };
        let _ = app.notification().builder().title("HAP").body(words).show();
    });
}

async fn look(app: &AppHandle) -> tauri_plugin_updater::Result<Option<String>> {
    let Some(update) = app.app_handle().updater()?.check().await? else { return Ok(None) };
    update.download_and_install(|_, _| {}, || {}).await?;
    Ok(Some(update.version))
}
