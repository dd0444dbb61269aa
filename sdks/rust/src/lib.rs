//! Write a terminal agent: one request line in, one response line out.
//!
//! ```no_run
//! use term_sdk::{run, Agent, Request, Response};
//!
//! struct Hello;
//!
//! impl Agent for Hello {
//!     fn solve(&mut self, req: &Request) -> Result<Response, Box<dyn std::error::Error>> {
//!         Ok(if req.is_first() {
//!             Response::cmd("echo 'Hello, world!' > hello.txt")
//!         } else {
//!             Response::done()
//!         })
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     run(Hello)
//! }
//! ```

mod agent;
mod find_objects;
mod request;
mod response;
mod screen;

pub use agent::{log, run, run_with, Agent};
pub use request::{Request, RequestError};
pub use response::Response;
pub use screen::{Cursor, Keys, Screen, Usage};
