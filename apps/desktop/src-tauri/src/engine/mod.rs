//! The engine: our own program, `hap serve`, started and watched by the app. Every write goes through it, over a socket in a
//! folder that only this user enters, with a secret that only the two know.

mod client;
mod launch;
mod supervise;

pub(crate) use client::{Failure, request, stream};
pub(crate) use launch::Program;
pub(crate) use supervise::Engine;

use std::path::PathBuf;

/// How to reach an engine that runs.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) socket: PathBuf,
    pub(crate) secret: String,
}
