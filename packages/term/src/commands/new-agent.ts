// `term new agent`: the smallest agent in each language, ready to run.
import { findInstalled } from "@hap/sdk/installed";
import { TermError } from "../term-error.ts";
import { writeNew } from "./write-new.ts";

const PYTHON = `#!/usr/bin/env python3
from term_sdk import Agent, Request, Response, log, run


class MyAgent(Agent):
    def solve(self, req: Request) -> Response:
        if req.first:
            log("the task:", req.instruction)
            return Response.cmd("echo 'Hello, world!' > hello.txt")
        if req.failed:
            return Response.cmd("ls -la", f"that ended with {req.exit_code}")
        return Response.done()


if __name__ == "__main__":
    run(MyAgent())
`;

const TYPESCRIPT = `import { type Agent, log, type Request, Response, run } from "@hap/term-sdk";

const agent: Agent = {
  solve(request: Request): Response {
    if (request.first) {
      log("the task:", request.instruction);
      return Response.cmd("echo 'Hello, world!' > hello.txt");
    }
    if (request.failed) return Response.cmd("ls -la", \`that ended with \${request.exitCode}\`);
    return Response.done();
  },
};

await run(agent);
`;

const RUST = `use std::{error::Error, process::ExitCode};
use term_sdk::{log, run, Agent, Request, Response};

struct MyAgent;

impl Agent for MyAgent {
    fn solve(&mut self, req: &Request) -> Result<Response, Box<dyn Error>> {
        if req.is_first() {
            log(format!("the task: {}", req.instruction));
            return Ok(Response::cmd("echo 'Hello, world!' > hello.txt"));
        }
        if req.failed() {
            return Ok(Response::cmd("ls -la").with_text(format!("that ended with {:?}", req.exit_code)));
        }
        Ok(Response::done())
    }
}

fn main() -> ExitCode {
    run(MyAgent)
}
`;

/** The SDKs of this checkout; an installed `term` has none beside it, and names the published ones. */
function sdk(folder: string, published: string): { path: string | null; name: string } {
  const path = findInstalled(import.meta.url, folder);
  return { path, name: path ?? published };
}

function cargo(): string {
  const { path } = sdk("sdks/rust", "term-sdk");
  const dependency = path === null ? '"0.2"' : `{ path = ${JSON.stringify(path)} }`;
  return `[package]
name = "my-agent"
version = "0.1.0"
edition = "2021"

[dependencies]
term-sdk = ${dependency}
`;
}

type Language = { files: () => Record<string, string>; agent: string; install: () => string };

const LANGUAGES: Record<string, Language> = {
  python: {
    files: () => ({ "my_agent.py": PYTHON }),
    agent: "python3 my_agent.py",
    install: () => `pip install ${sdk("sdks/python", "term-sdk").name}`,
  },
  typescript: {
    files: () => ({ "my-agent.mts": TYPESCRIPT }),
    agent: "node my-agent.mts",
    install: () => `npm install ${sdk("packages/term-sdk", "@hap/term-sdk").name}`,
  },
  rust: {
    files: () => ({ "Cargo.toml": cargo(), "src/main.rs": RUST }),
    agent: "cargo run --quiet",
    install: () => "cargo build",
  },
};

/** Write an agent into a folder. */
export function newAgent(language: string, folder = "."): number {
  const found = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (found === undefined)
    throw new TermError("usage", `--lang must be ${Object.keys(LANGUAGES).join(", ")}; it is ${language}.`);
  writeNew(folder, found.files());
  process.stdout.write(
    `\n${found.install()}\nterm run --agent "${found.agent}" --instruction "Create hello.txt with 'Hello, world!'"\n`,
  );
  return 0;
}
