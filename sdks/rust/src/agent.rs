//! The loop of an agent: one line in, one line out, until the task is complete or the harness closes the input.

use crate::{Request, Response};
use std::error::Error;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::ExitCode;

/// An agent. The process lives through all steps, so what `setup` makes lasts.
pub trait Agent {
    /// Called once, before the first request.
    fn setup(&mut self) -> Result<(), Box<dyn Error>> {
        Ok(())
    }

    /// Answer one request.
    fn solve(&mut self, req: &Request) -> Result<Response, Box<dyn Error>>;

    /// Called once, at the end, whatever happened.
    fn cleanup(&mut self) -> Result<(), Box<dyn Error>> {
        Ok(())
    }
}

/// Write to the log: standard error, which the harness shows and stores.
pub fn log(words: impl Display) {
    eprintln!("[agent] {words}");
}

/// Run an agent on standard input and output until it is done.
///
/// An error or a panic in `solve` is told to the harness in `text` and ends the process with 1; it is never taken for
/// completion.
pub fn run(agent: impl Agent) -> ExitCode {
    run_with(agent, io::stdin().lock(), io::stdout().lock())
}

/// The same on other streams.
pub fn run_with(mut agent: impl Agent, source: impl BufRead, sink: impl Write) -> ExitCode {
    let answered = agent.setup().and_then(|()| answer_all(&mut agent, source, sink));
    let cleaned = agent.cleanup();
    for error in [answered.as_ref().err(), cleaned.as_ref().err()].into_iter().flatten() {
        log(error);
    }
    if answered.is_ok() && cleaned.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn answer_all(agent: &mut impl Agent, mut source: impl BufRead, mut sink: impl Write) -> Result<(), Box<dyn Error>> {
    let mut bytes = Vec::new();
    while source.read_until(b'\n', &mut bytes)? > 0 {
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        bytes.clear();
        if line.is_empty() {
            continue;
        }
        match answer(agent, &line) {
            Ok(response) => {
                write_line(&mut sink, &response)?;
                if response.task_complete {
                    return Ok(());
                }
            }
            Err(error) => {
                write_line(&mut sink, &Response::say(format!("error: {error}")))?;
                return Err(error);
            }
        }
    }
    Ok(())
}

fn answer(agent: &mut impl Agent, line: &str) -> Result<Response, Box<dyn Error>> {
    let request = Request::parse(line)?;
    catch_unwind(AssertUnwindSafe(|| agent.solve(&request))).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<&str>().map(|word| (*word).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(format!("panic: {}", words.unwrap_or_default()).into())
    })
}

fn write_line(sink: &mut impl Write, response: &Response) -> Result<(), Box<dyn Error>> {
    let mut line = serde_json::to_vec(response)?;
    line.push(b'\n');
    sink.write_all(&line)?;
    sink.flush()?;
    Ok(())
}
