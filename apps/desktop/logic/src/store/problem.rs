//! Why the store cannot be read, in words that say what to do next. The codes are those of HAP's error table.

use rusqlite::ErrorCode;
use std::path::Path;

/// A failure that a person is told of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A code of the error table.
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Problem {
    /// A problem with its words.
    pub fn new(code: &'static str, message: String) -> Self {
        Self { code, message }
    }

    /// True when the same attempt may succeed a moment later.
    pub fn passes(&self) -> bool {
        self.code == "store_busy"
    }

    pub(crate) fn newer(path: &Path, version: i64, known: i64) -> Self {
        Self::new(
            "store_newer",
            format!(
                "{} was written by a newer HAP (schema {version}; this one knows {known}). Update the app; nothing was changed.",
                path.display()
            ),
        )
    }

    pub(crate) fn older(path: &Path) -> Self {
        Self::new("store_busy", format!("{} is about to be brought up to date.", path.display()))
    }

    pub(crate) fn foreign(path: &Path) -> Self {
        Self::new(
            "store_corrupt",
            format!(
                "{} is a database of another program, not a HAP store. Set HAP_DB_PATH to another path; nothing was changed.",
                path.display()
            ),
        )
    }

    pub(crate) fn unreadable_ticket() -> Self {
        Self::new(
            "store_corrupt",
            "A ticket in the store cannot be read: somebody changed its row, or the file is damaged. Run `hap verify`, keep a copy for inquiry, and restore a backup."
                .to_owned(),
        )
    }

    pub(crate) fn of_sqlite(path: &Path, error: &rusqlite::Error) -> Self {
        let shown = path.display();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Self::new("store_busy", format!("{shown} is locked by another process. The app tries again by itself."))
            }
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::new(
                "store_corrupt",
                format!("{shown} is damaged or is not a database ({error}). Keep a copy, and restore a backup."),
            ),
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => Self::new(
                "store_unusable",
                format!("{shown} cannot be opened ({error}). Check that you may read it, or set HAP_DB_PATH."),
            ),
            _ => Self::new("store_unusable", format!("{shown} cannot be read: {error}.")),
        }
    }
}
