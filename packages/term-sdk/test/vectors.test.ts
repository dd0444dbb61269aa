// The shared vectors of spec/vectors, read by this SDK; the other two read the same in languages.test.ts.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Keys, parseRequest, Request, RequestError, Response, type Usage } from "../src/index.ts";

type Wire = { command: string | null; task_complete: boolean } & Record<string, unknown>;
type Vectors = {
  requests: { id: string; line: string; result: string; request?: Record<string, unknown>; views?: Record<string, boolean> }[];
  has: { id: string; output: string | null; patterns: string[]; has: boolean }[];
  responses: { id: string; build: [string, ...unknown[]][]; response: Wire }[];
  from_llm: { id: string; text: string; response: Wire }[];
};

const vectors = JSON.parse(readFileSync(new URL("../../../spec/vectors/term-sdk.json", import.meta.url), "utf8")) as Vectors;

describe("the shared vectors", () => {
  test.each(vectors.requests)("[TERM-SDK-1] $id", ({ line, result, request, views }) => {
    if (result === "invalid") {
      expect(() => parseRequest(line)).toThrow(RequestError);
      return;
    }
    const read = parseRequest(line);
    expect({
      instruction: read.instruction,
      step: read.step,
      last_command: read.lastCommand,
      output: read.output,
      exit_code: read.exitCode,
      cwd: read.cwd,
      ...(read.screen === null ? {} : { screen: wireScreen(read.screen) }),
    }).toEqual(request);
    expect({ first: read.first, ok: read.ok, failed: read.failed }).toEqual(views);
  });

  test.each(vectors.has)("[TERM-SDK-1] $id", ({ output, patterns, has }) => {
    expect(new Request({ instruction: "x", step: 2, output }).has(...patterns)).toBe(has);
  });

  test.each(vectors.responses)("[TERM-SDK-1] $id", ({ build, response }) => {
    const line = JSON.stringify(buildResponse(build));
    expect(line).not.toContain("\n");
    expect(JSON.parse(line)).toEqual(response);
  });

  test.each(vectors.from_llm)("[TERM-SDK-1] $id", ({ text, response }) => {
    expect(Response.fromLLM(text).toJSON()).toEqual(response);
  });
});

function wireScreen({ fullScreen, ...same }: NonNullable<Request["screen"]>) {
  return { ...same, full_screen: fullScreen };
}

function buildResponse(calls: [string, ...unknown[]][]): Response {
  let response = new Response();
  for (const [name, ...given] of calls) {
    const [first = "", ...rest] = given as string[];
    if (name === "cmd") response = Response.cmd(first, ...rest);
    else if (name === "keys") response = Response.keys(...(given as Keys[]));
    else if (name === "say") response = Response.say(first);
    else if (name === "done") response = first === "" ? Response.done() : Response.done(first);
    else if (name === "with_text") response = response.withText(first);
    else if (name === "with_usage") response = response.withUsage(given[0] as Usage, given[1] as string | undefined);
    else if (name === "complete") response = response.complete();
    else throw new Error(`The vectors call ${name}, which no SDK has.`);
  }
  return response;
}
