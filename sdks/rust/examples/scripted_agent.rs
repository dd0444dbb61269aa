//! Follows a script, the file given as the first argument: one command, or several with a line `---` between them.

use std::collections::VecDeque;
use std::error::Error;
use std::process::ExitCode;
use term_sdk::{run, Agent, Request, Response};

struct Scripted(VecDeque<String>);

impl Agent for Scripted {
    fn setup(&mut self) -> Result<(), Box<dyn Error>> {
        let path = std::env::args().nth(1).ok_or("usage: scripted_agent SCRIPT")?;
        self.0 = std::fs::read_to_string(path)?.split("\n---\n").map(str::to_owned).collect();
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
