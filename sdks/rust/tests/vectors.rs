//! The shared vectors of spec/vectors, and the loop.

use serde_json::{json, Value};
use std::error::Error;
use term_sdk::{run_with, Agent, Keys, Request, Response};

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/vectors/term-sdk.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the shared vectors")).expect("JSON")
}

fn each<'a>(all: &'a Value, name: &str) -> impl Iterator<Item = (&'a str, &'a Value)> {
    all[name].as_array().expect("a list").iter().map(|vector| (vector["id"].as_str().expect("an id"), vector))
}

#[test]
fn requests() {
    for (id, vector) in each(&vectors(), "requests") {
        let read = Request::parse(vector["line"].as_str().unwrap());
        if vector["result"] == "invalid" {
            assert!(read.is_err(), "{id}");
            continue;
        }
        let request = read.unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(serde_json::to_value(&request).unwrap(), vector["request"], "{id}");
        let views = json!({"first": request.is_first(), "ok": request.is_ok(), "failed": request.failed()});
        assert_eq!(views, vector["views"], "{id}");
    }
}

#[test]
fn has() {
    for (id, vector) in each(&vectors(), "has") {
        let request = json!({"instruction": "x", "step": 2, "output": vector["output"]}).to_string();
        let patterns: Vec<&str> = vector["patterns"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(Request::parse(&request).unwrap().has(&patterns), vector["has"].as_bool().unwrap(), "{id}");
    }
}

#[test]
fn shows() {
    let all = vectors();
    let (_, vector) = each(&all, "requests").find(|(id, _)| *id == "request-screen").expect("the vector");
    let request = Request::parse(vector["line"].as_str().unwrap()).unwrap();
    assert!(request.shows(&["nothing", "hello"]));
    assert!(!request.shows(&["nothing"]));
}

#[test]
fn responses() {
    for (id, vector) in each(&vectors(), "responses") {
        let mut response = Response::default();
        for call in vector["build"].as_array().unwrap() {
            let word = |index: usize| call[index].as_str().unwrap_or_default();
            response = match word(0) {
                "cmd" => Response::cmd(word(1)),
                "keys" => {
                    let keys = call.as_array().unwrap()[1..].iter();
                    Response::keys(keys.map(|key| serde_json::from_value::<Keys>(key.clone()).unwrap()))
                }
                "with_usage" => response.with_usage(serde_json::from_value(call[1].clone()).unwrap()).with_model(word(2)),
                "say" => Response::say(word(1)),
                "done" => Response::done(),
                "with_text" => response.with_text(word(1)),
                "complete" => response.complete(),
                other => panic!("{id}: {other}"),
            };
            // The optional text of the other languages is with_text() here.
            let text = match word(0) {
                "cmd" => word(2),
                "done" => word(1),
                _ => "",
            };
            if !text.is_empty() {
                response = response.with_text(text);
            }
        }
        let line = serde_json::to_string(&response).unwrap();
        assert!(!line.contains('\n'), "{id}");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), vector["response"], "{id}");
    }
}

#[test]
fn from_llm() {
    for (id, vector) in each(&vectors(), "from_llm") {
        let response = Response::from_llm(vector["text"].as_str().unwrap());
        assert_eq!(serde_json::to_value(&response).unwrap(), vector["response"], "{id}");
    }
}

struct Mine;

impl Agent for Mine {
    fn solve(&mut self, req: &Request) -> Result<Response, Box<dyn Error>> {
        match req.step {
            1 => Ok(Response::cmd("ls")),
            2 => Err("no idea".into()),
            3 => panic!("out of it"),
            _ => Ok(Response::done()),
        }
    }
}

fn answers(steps: &[u64]) -> (String, bool) {
    let input: String = steps.iter().map(|step| format!("{{\"instruction\":\"x\",\"step\":{step},\"cwd\":\"/\"}}\r\n")).collect();
    let mut output = Vec::new();
    let code = run_with(Mine, input.as_bytes(), &mut output);
    (String::from_utf8(output).unwrap(), format!("{code:?}") == format!("{:?}", std::process::ExitCode::SUCCESS))
}

#[test]
fn completion_ends_the_loop_and_the_end_of_input_too() {
    assert_eq!(answers(&[4, 1]), ("{\"command\":null,\"task_complete\":true}\n".to_owned(), true));
    assert_eq!(answers(&[1]), ("{\"command\":\"ls\",\"task_complete\":false}\n".to_owned(), true));
    assert_eq!(answers(&[]), (String::new(), true));
}

#[test]
fn an_error_or_a_panic_is_told_and_is_never_completion() {
    let told = |words: &str| format!("{{\"command\":null,\"task_complete\":false,\"text\":\"error: {words}\"}}\n");
    assert_eq!(answers(&[2, 1]), (told("no idea"), false));
    assert_eq!(answers(&[3, 1]), (told("panic: out of it"), false));
}
