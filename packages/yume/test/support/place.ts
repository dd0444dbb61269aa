// A folder, a home and a scripted model behind a real wire for one test, and the real command to run in them.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { AssistantTurn } from "../../src/model/types.ts";
import { encodeTurn, type ScriptedTurn, type WireName } from "../wire/encode-turn.ts";
import { providerOf, type ScriptedAnswer, type ScriptedModel, startScriptedModel } from "../wire/server.ts";

/** The command as it is installed. */
export const yumeCli = fileURLToPath(new URL("../../bin/yume-cli.mjs", import.meta.url));

export const WIRES: readonly WireName[] = ["chat", "responses", "anthropic", "gemini", "ollama"];

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.splice(0)) await end();
});

let calls = 0;

/** A turn that says something. */
export function says(text: string, more: Partial<ScriptedTurn> = {}): ScriptedTurn {
  return { content: [{ type: "text", text }], ...more };
}

/** A turn that calls tools: names and inputs, after some words when there are any. */
export function uses(...content: (string | [name: string, input: Record<string, unknown>])[]): ScriptedTurn {
  return {
    content: content.map((part): AssistantTurn["content"][number] =>
      typeof part === "string"
        ? { type: "text", text: part }
        : { type: "tool_use", id: `call_${++calls}`, name: part[0], input: part[1] },
    ),
  };
}

/** A turn that begins and never ends. */
export function hangs(wire: WireName, text: string): ScriptedAnswer {
  const chunks = encodeTurn(wire, says(text));
  const last = chunks.findLastIndex((chunk) => chunk.includes(text.slice(-3)) && !chunk.includes(text));
  return { raw: { chunks: chunks.slice(0, last + 1), ending: "hang" } };
}

/** A refusal by status. */
export function refuses(status: number, message: string, headers: Record<string, string> = {}): ScriptedAnswer {
  return {
    raw: {
      status,
      headers: { "content-type": "application/json", ...headers },
      chunks: [JSON.stringify({ error: { message, type: "error" } })],
    },
  };
}

export type Place = {
  wire: WireName;
  home: string;
  work: string;
  env: Record<string, string>;
  model: ScriptedModel;
  /** A request's body as text, the last one by default. */
  asked: (number?: number) => string;
};

/** A place of its own. */
export async function makePlace(answers: readonly ScriptedAnswer[] = [], wire: WireName = "chat"): Promise<Place> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "yume-test-")));
  const model = await startScriptedModel(answers);
  endings.push(
    () => model.close(),
    () => rmSync(folder, { recursive: true, force: true }),
  );
  const [home, work] = [join(folder, "home"), join(folder, "work")] as const;
  for (const path of [home, work]) mkdirSync(path);
  const { PATH, LANG = "C.UTF-8", XDG_CACHE_HOME, TMPDIR } = process.env;
  return {
    wire,
    home,
    work,
    model,
    env: {
      PATH: `${dirname(process.execPath)}${delimiter}${PATH}`,
      LANG,
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      // The compile cache is shared by all tests.
      XDG_CACHE_HOME: XDG_CACHE_HOME ?? join(process.env.HOME ?? tmpdir(), ".cache"),
      HOME: home,
      HAP_DB_PATH: join(home, "hap.db"),
      HAP_HUMAN_ID: "human:alex",
      YUME_PROVIDER: providerOf[wire],
      YUME_MODEL: "scripted",
      ...model.env(wire),
    },
    asked: (number = -1) => JSON.stringify(model.requests.at(number)?.body),
  };
}

export type Frame = Record<string, unknown> & { type: string };
export type Ran = { frames: Frame[]; code: number | null; stderr: string; stdout: string };
type More = { env?: Record<string, string>; cwd?: string };

/** Run the command to its end. */
export async function runYume(place: Place, args: readonly string[], input = "", more: More = {}): Promise<Ran> {
  const child = startYume(place, args, more);
  child.process.stdin.end(input);
  return child.ended;
}

export type Started = {
  process: ChildProcessWithoutNullStreams;
  frames: Frame[];
  say: (frame: Record<string, unknown>) => void;
  /** The first frame that fits, now or later. */
  until: (fits: (frame: Frame) => boolean) => Promise<Frame>;
  ended: Promise<Ran>;
};

/** Start the command and talk to it. */
export function startYume(place: Place, args: readonly string[], more: More = {}): Started {
  return startProgram(process.execPath, [yumeCli, ...args], more.cwd ?? place.work, { ...place.env, ...more.env });
}

/** Start any program that speaks in lines of JSON. */
export function startProgram(command: string, args: readonly string[], cwd: string, env: Record<string, string>): Started {
  const child = spawn(command, args, { cwd, env, stdio: "pipe" });
  const frames: Frame[] = [];
  const waiting: { fits: (frame: Frame) => boolean; resolve: (frame: Frame) => void; reject: (error: Error) => void }[] = [];
  let [stdout, stderr, rest] = ["", "", ""];
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    const lines = (rest + text).split("\n");
    rest = lines.pop() as string;
    for (const line of lines.filter((one) => one.startsWith("{"))) {
      const frame = JSON.parse(line) as Frame;
      frames.push(frame);
      for (const one of waiting.filter(({ fits }) => fits(frame))) {
        waiting.splice(waiting.indexOf(one), 1);
        one.resolve(frame);
      }
    }
  });
  const ended = new Promise<Ran>((resolve) => {
    child.on("close", (code) => {
      for (const one of waiting) one.reject(new Error(`the process ended first:\n${stdout}\n${stderr}`));
      resolve({ frames, code, stderr, stdout });
    });
  });
  return {
    process: child,
    frames,
    say: (frame) => child.stdin.write(`${JSON.stringify(frame)}\n`),
    until: (fits) => {
      const found = frames.find(fits);
      return found !== undefined
        ? Promise.resolve(found)
        : new Promise((resolve, reject) => waiting.push({ fits, resolve, reject }));
    },
    ended,
  };
}

/** Types of frames, with the subtype of system frames. */
export function kinds(frames: readonly Frame[]): string[] {
  return frames.map((frame) => (frame.type === "system" ? `system/${String(frame.subtype)}` : frame.type));
}
