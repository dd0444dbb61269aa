// The OpenAPI document: accepted by a linter, and true, as a tester that makes requests from it finds.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Front, openFront } from "./front.ts";

/** The server of the document is wherever it was fetched from. */
const LEFT_OUT = { "no-empty-servers": "off", "no-server-example.com": "off" } as const;

let front: Front;
beforeEach(async () => {
  front = await openFront({ real: true });
});
afterEach(() => front.close());

/** The tester, in a place of its own that is kept between runs; made when it is missing. */
function schemathesis(): string {
  const folder = join(tmpdir(), "hap-schemathesis-4");
  const program = join(folder, "bin", "schemathesis");
  if (existsSync(program)) return program;
  const made = spawnSync("sh", ["-c", `python3 -m venv ${folder} && ${folder}/bin/pip install --quiet 'schemathesis>=4,<5'`]);
  if (made.status === 0) return program;
  throw new Error(
    `This test needs Python 3 and schemathesis: python3 -m venv ${folder} && ${folder}/bin/pip install schemathesis\n${made.stderr}`,
  );
}

/** Run a program without holding up the server that lives in this process. */
function run(program: string, argv: string[], cwd: string): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, argv, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("close", (status) => resolve({ status, output }));
  });
}

describe("the OpenAPI document", () => {
  it("[OPENAPI-LINT-1] is accepted by a linter", async () => {
    const source = JSON.stringify((await front.anyone("GET", "/openapi.json")).body);
    const config = await createConfig({ extends: ["spec", "recommended"], rules: LEFT_OUT });
    const found = await lintFromString({ source, absoluteRef: `${front.url}/openapi.json`, config });
    expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it.each(["person", "agent"] as const)(
    "[OPENAPI-TRUE-1] holds for a %s: no server error, no answer that it does not describe",
    async (who) => {
      front.engine.createTicket({ to: "human:alex", from: "agent:ci" });
      const secret =
        who === "person"
          ? front.engine.signIn("human:alex", "token", "code").secret
          : front.engine.createKey({ agent: "agent:ci" }, "human:alex").key;
      const { status, output } = await run(
        schemathesis(),
        [
          "run",
          `${front.url}/openapi.json`,
          "--url",
          front.url,
          "--header",
          `Authorization: Bearer ${secret}`,
          "--checks",
          "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
          "--phases",
          "examples,coverage,fuzzing",
          "--max-examples",
          "5",
          "--exclude-path",
          "/v1/events/stream",
          "--exclude-path",
          "/v1/logout",
          "--request-timeout",
          "70",
          // Python 3.11 can fail by itself (SystemError in ast.parse) when two threads parse at once.
          "--workers",
          "1",
          "--seed",
          "4747",
        ],
        front.folder,
      );
      expect(status, output.slice(-6000)).toBe(0);
      expect(front.engine.verifyEventLog()).toMatchObject({ ok: true });
    },
    600_000,
  );
});
