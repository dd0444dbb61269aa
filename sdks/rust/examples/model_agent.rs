//! Asks a model behind an OpenAI-compatible endpoint what to type next: OPENAI_BASE_URL (for example
//! http://127.0.0.1:8080/v1), OPENAI_MODEL, and OPENAI_API_KEY where it needs one. `curl` does the talking, so that the
//! crate needs no HTTP library; the key goes to it on standard input, where no list of processes shows it.

use serde_json::{json, Value};
use std::error::Error;
use std::fs;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use term_sdk::{run, Agent, Request, Response};

const RULES: &str = r#"You operate a Linux terminal to fulfil a task. Answer with one JSON object and nothing else:
{"command": "<shell command>" or null, "task_complete": true or false, "text": "<why, in a few words>"}
Say task_complete only after you have seen that the task is fulfilled. Commands must end by themselves."#;

#[derive(Default)]
struct ModelAgent {
    url: String,
    model: String,
    messages: Vec<Value>,
}

impl Agent for ModelAgent {
    fn setup(&mut self) -> Result<(), Box<dyn Error>> {
        let base = std::env::var("OPENAI_BASE_URL").map_err(|_| "OPENAI_BASE_URL is not set")?;
        self.url = format!("{}/chat/completions", base.trim_end_matches('/'));
        self.model = std::env::var("OPENAI_MODEL").map_err(|_| "OPENAI_MODEL is not set")?;
        self.messages.push(json!({"role": "system", "content": RULES}));
        Ok(())
    }

    fn solve(&mut self, req: &Request) -> Result<Response, Box<dyn Error>> {
        let seen = if req.is_first() {
            format!("Task: {}\nFolder: {}", req.instruction, req.cwd)
        } else {
            let code = req.exit_code.map_or_else(|| "none".to_owned(), |code| code.to_string());
            format!("exit code {code}, folder {}\n{}", req.cwd, req.output.as_deref().unwrap_or(""))
        };
        self.messages.push(json!({"role": "user", "content": seen}));
        let answer = self.ask()?;
        self.messages.push(json!({"role": "assistant", "content": answer}));
        Ok(Response::from_llm(&answer))
    }
}

impl ModelAgent {
    fn ask(&self) -> Result<String, Box<dyn Error>> {
        let body = std::env::temp_dir().join(format!("model-agent-{}.json", std::process::id()));
        let mut file = fs::File::options().write(true).create_new(true).open(&body)?;
        file.write_all(json!({"model": self.model, "messages": self.messages}).to_string().as_bytes())?;
        let reply = self.post(&body.to_string_lossy());
        fs::remove_file(&body)?;
        let reply: Value = serde_json::from_slice(&reply?)?;
        let content = reply["choices"][0]["message"]["content"].as_str();
        Ok(content.ok_or_else(|| format!("the endpoint answered {reply}"))?.to_owned())
    }

    fn post(&self, body: &str) -> Result<Vec<u8>, Box<dyn Error>> {
        let key = std::env::var("OPENAI_API_KEY").unwrap_or_default();
        let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let settings = [
            format!("url = {}", quote(&self.url)),
            format!("header = {}", quote("content-type: application/json")),
            format!("header = {}", quote(&format!("authorization: Bearer {key}"))),
            format!("data-binary = {}", quote(&format!("@{body}"))),
        ];
        let mut curl = Command::new("curl")
            .args(["--silent", "--show-error", "--fail", "--max-time", "240", "--config", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        curl.stdin.take().ok_or("curl has no standard input")?.write_all(settings.join("\n").as_bytes())?;
        let output = curl.wait_with_output()?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(format!("curl ended with {}", output.status).into())
        }
    }
}

fn main() -> ExitCode {
    run(ModelAgent::default())
}
