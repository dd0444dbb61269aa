//! The one window: the page of the local store, or a server's own page, which gets no command of the app at all.

use crate::desk::{Desk, Message};
use crate::{tray, watch};
use hap_desktop_logic::{Place, page_path};
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::{AppHandle, Manager, Theme, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

/// The label that the capability names.
const LOCAL: &str = "main";
/// No capability names this one.
const REMOTE: &str = "server";

/// The window, whichever it is.
pub(crate) fn find(app: &AppHandle) -> Option<WebviewWindow> {
    app.get_webview_window(LOCAL).or_else(|| app.get_webview_window(REMOTE))
}

/// Open it, hidden or in view.
pub(crate) fn open(app: &AppHandle, visible: bool) -> tauri::Result<()> {
    let desk = app.state::<Desk>();
    let builder = match &desk.place {
        Place::Local { .. } => local(app),
        Place::Server { url } => remote(app, url)?,
    };
    let window = builder
        .title("HAP")
        .inner_size(1280.0, 820.0)
        .min_inner_size(380.0, 420.0)
        .visible(visible)
        .theme(None::<Theme>)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .disable_drag_drop_handler()
        .build()?;
    window.set_zoom(desk.settings().zoom)
}

fn local(app: &AppHandle) -> WebviewWindowBuilder<'_, tauri::Wry, AppHandle> {
    WebviewWindowBuilder::new(app, LOCAL, WebviewUrl::App("index.html".into()))
        // The page and nothing else: a link to anywhere else leads nowhere.
        .on_navigation(|url| url.scheme() == "tauri" || (cfg!(windows) && url.host_str() == Some("tauri.localhost")))
        .on_page_load(|window, payload| {
            if payload.event() == PageLoadEvent::Started {
                window.state::<Desk>().page_left();
            }
        })
}

fn remote<'a>(app: &'a AppHandle, url: &str) -> tauri::Result<WebviewWindowBuilder<'a, tauri::Wry, AppHandle>> {
    let origin = Url::parse(url).map_err(tauri::Error::InvalidUrl)?;
    let home = origin.clone();
    Ok(WebviewWindowBuilder::new(app, REMOTE, WebviewUrl::External(origin))
        .on_navigation(move |url| url.origin() == home.origin())
        // The page keeps the number of waiting tickets in its title: all that it tells the app.
        .on_document_title_changed(|window, title| {
            watch::take_title(window.app_handle(), &title);
            let _ = window.set_title(&title);
        }))
}

/// Bring the window to the front.
pub(crate) fn focus(app: &AppHandle) {
    let Some(window) = find(app) else { return };
    let _ = window.show();
    let _ = window.unminimize();
    let _ = window.set_focus();
}

/// Bring it to the front at a ticket, or where it was.
pub(crate) fn show_ticket(app: &AppHandle, id: Option<&str>) {
    if let Some(id) = id {
        let desk = app.state::<Desk>();
        match &desk.place {
            Place::Local { .. } => desk.tell(Message::Go { path: page_path(id) }),
            Place::Server { url } => {
                let target = Url::parse(url).and_then(|origin| origin.join(&page_path(id)));
                if let (Some(window), Ok(target)) = (find(app), target) {
                    let _ = window.navigate(target);
                }
            }
        }
    }
    focus(app);
}

/// The window is there or it is not: what the shortcut and a click on the tray change.
pub(crate) fn toggle(app: &AppHandle) {
    match find(app) {
        Some(window) if is_looked_at(app) => {
            let _ = window.hide();
        }
        _ => focus(app),
    }
    tray::refresh(app);
}

/// True while the person has the window before them.
pub(crate) fn is_looked_at(app: &AppHandle) -> bool {
    let Some(window) = find(app) else { return false };
    window.is_focused().unwrap_or(false) && window.is_visible().unwrap_or(false) && !window.is_minimized().unwrap_or(false)
}

/// Make the page larger or smaller.
pub(crate) fn set_zoom(app: &AppHandle, zoom: f64) {
    if let Some(window) = find(app) {
        let _ = window.set_zoom(zoom);
    }
}
