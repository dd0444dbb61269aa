//! Follows a script: every line of the file given as the first argument is one command; stops at the first failure.

use std::collections::VecDeque;
use std::error::Error;
use std::process::ExitCode;
use term_sdk::{run, Agent, Request, Response};

struct Scripted(VecDeque<String>);

impl Agent for Scripted {
    fn setup(&mut self) -> Result<(), Box<dyn Error>> {
        let path = std::env::args().nth(1).ok_or("usage: scripted_agent SCRIPT")?;
        self.0 = std::fs::read_to_string(path)?.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
        Ok(())
    }

    fn solve(&mut self, req: &Request) -> Result<Response, Box<dyn Error>> {
        if req.failed() {
            return Err(format!("{:?} ended with {:?}", req.last_command, req.exit_code).into());
        }
        Ok(self.0.pop_front().map_or_else(|| Response::done().with_text("script finished"), Response::cmd))
    }
}

fn main() -> ExitCode {
    run(Scripted(VecDeque::new()))
}
