//! The store, read-only: opened without a right to write, and closed again when the file is another one.

mod open;
mod problem;
mod read;
mod view;

pub use open::Store;
pub use problem::Problem;
pub use read::Waiting;
