//! An agent that talks to an interactive program: it starts one, waits until the screen shows its prompt, and answers it.

use std::error::Error;
use term_sdk::{run, Agent, Keys, Request, Response, Usage};

const PROGRAM: &str = "bash -c 'read -p \"Name? \" name; echo \"Hello, $name\" > hello.txt; echo written'\n";

#[derive(Default)]
struct Interactive {
    answered: bool,
}

impl Agent for Interactive {
    fn solve(&mut self, req: &Request) -> Result<Response, Box<dyn Error>> {
        if req.is_first() {
            return Ok(Response::keys([Keys::timed(PROGRAM, 0.2)]));
        }
        if req.shows(&["written"]) {
            return Ok(Response::done().with_text("answered"));
        }
        if self.answered || !req.shows(&["Name?"]) {
            return Ok(Response::keys([Keys::timed("", 0.2)]));
        }
        self.answered = true;
        let usage = Usage { prompt_tokens: Some(0), completion_tokens: Some(0), cost_usd: Some(0.0), ..Usage::default() };
        Ok(Response::keys(["world\n"]).with_usage(usage).with_model("none"))
    }
}

fn main() -> std::process::ExitCode {
    run(Interactive::default())
}
