//! What the person chose for the app on this machine. Nothing in it decides or hides a ticket.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// The least priority that is worth a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotifyFrom {
    /// Only critical tickets.
    Critical,
    /// High and critical ones.
    High,
    /// All but low ones.
    Normal,
    /// Every ticket.
    Low,
}

/// The settings file, `settings.json` in the app's own folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Which tickets are notified.
    pub notify_from: NotifyFrom,
    /// No notifications until the person wants them again.
    pub paused: bool,
    /// Brings the window to the front from anywhere; empty for none.
    pub shortcut: String,
    /// How large the page is; 1 is its own size.
    pub zoom: f64,
    /// Hide the window instead of ending the app when it is closed.
    pub keep_in_tray: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            notify_from: NotifyFrom::High,
            paused: false,
            shortcut: "CommandOrControl+Alt+H".to_owned(),
            zoom: 1.0,
            keep_in_tray: true,
        }
    }
}

const ZOOM: (f64, f64) = (0.5, 3.0);

impl Settings {
    /// Read them. A file that is missing or cannot be read means the defaults: settings never keep the app from starting.
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        serde_json::from_str::<Self>(&text).unwrap_or_default().checked()
    }

    /// Write them, whole or not at all.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::other)?;
        let fresh = path.with_extension("json.new");
        std::fs::write(&fresh, text + "\n")?;
        std::fs::rename(&fresh, path)
    }

    /// The same with every value inside its bounds.
    pub fn checked(mut self) -> Self {
        self.zoom = if self.zoom.is_finite() { self.zoom.clamp(ZOOM.0, ZOOM.1) } else { 1.0 };
        if self.shortcut.len() > 100 {
            self.shortcut = Self::default().shortcut;
        }
        self
    }

    /// One step larger (1) or smaller (-1), or back to the page's own size (0).
    pub fn zoom_step(&self, direction: i32) -> f64 {
        let steps = (self.zoom * 10.0).round() + f64::from(direction.signum());
        if direction == 0 { 1.0 } else { (steps / 10.0).clamp(ZOOM.0, ZOOM.1) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/settings.json");
        let settings = Settings { notify_from: NotifyFrom::Low, paused: true, zoom: 1.3, ..Settings::default() };
        settings.write(&path).unwrap();
        assert_eq!(Settings::read(&path), settings);
    }

    #[test]
    fn a_file_that_cannot_be_read_means_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        assert_eq!(Settings::read(&path), Settings::default());
        for text in ["", "{", "[]", r#"{"zoom":"large"}"#, r#"{"notify_from":"sometimes"}"#] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(Settings::read(&path), Settings::default(), "{text}");
        }
    }

    #[test]
    fn values_stay_inside_their_bounds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, r#"{"zoom":99,"unknown":1}"#).unwrap();
        assert!((Settings::read(&path).zoom - 3.0).abs() < f64::EPSILON);
        let small = Settings { zoom: 0.5, ..Settings::default() };
        assert!((small.zoom_step(-1) - 0.5).abs() < f64::EPSILON);
        assert!((small.zoom_step(1) - 0.6).abs() < f64::EPSILON);
        assert!((small.zoom_step(0) - 1.0).abs() < f64::EPSILON);
    }
}
