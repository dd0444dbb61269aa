#!/usr/bin/env node
// The program of the published `@hap/mcp-server`: what `hap mcp` is, for a host that installs only this package.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { parseArgs } from "node:util";
import { isHapError } from "@hap/protocol";
import { DEFAULT_AGENT, serveEnvironment } from "./serve-environment.ts";

const HELP = `Usage: hap-mcp-server [options]

Serve the Model Context Protocol on standard input and output. An agent asks a person and waits through it; it cannot decide.

Options:
  --agent <AGENT>      the agent that asks (default: HAP_AGENT_ID, else ${DEFAULT_AGENT})
  --project <FOLDER>   the project (default: the nearest folder from here up with .git or .hap)
  --version            print the version
  --help               print this text

It uses the store of this user (HAP_DB_PATH), or the server that HAP_URL names.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      agent: { type: "string" },
      project: { type: "string" },
      version: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else if (values.version) process.stdout.write(`${version()}\n`);
  else
    await serveEnvironment({
      ...{ agent: values.agent, project: values.project, env: process.env, cwd: process.cwd(), home: homedir() },
      warn: (text) => void process.stderr.write(`hap-mcp-server: ${text}\n`),
    });
}

function version(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

main().catch((error: unknown) => {
  const { message, code } = error as NodeJS.ErrnoException;
  const wrongUse = isHapError(error) || code?.startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`hap-mcp-server: ${message}${wrongUse ? " See hap-mcp-server --help." : ""}\n`);
  process.exitCode = wrongUse ? 2 : 1;
});
