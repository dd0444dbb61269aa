// The same conversation with two programs: one process that is talked to for seven turns, one that resumes it, and one whose
// provider refuses. What each said is kept by scenario, for comparison.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedAnswer } from "../wire/server.ts";
import { type Frame, hangs, makePlace, type Place, refuses, type Started, says, startProgram, uses } from "./place.ts";

/** How a program is started in a place. */
export type Program = { command: string; args: readonly string[]; env: (place: Place) => Record<string, string> };

type Told = { scenario: string; frames: Frame[] };
export type Conversation = { told: Told[]; codes: (number | null)[]; resumedWith: string };

const MODEL = "claude-sonnet-4-5";
const FRAMES = ["--output-format", "stream-json", "--verbose", "--model", MODEL, "--setting-sources", ""];
const TALK = ["--input-format", "stream-json", "--include-partial-messages", "--permission-prompt-tool", "stdio"];

type Turn = {
  scenario: string;
  answers: (place: Place) => ScriptedAnswer[];
  /** What the host says to a frame, if anything. */
  reply?: (frame: Frame) => Record<string, unknown> | null;
};

const file = (place: Place, name: string) => join(place.work, name);
const write = (place: Place, name: string): [string, Record<string, unknown>] => [
  "Write",
  { file_path: file(place, name), content: "new\n" },
];

function permit(response: (input: unknown) => Record<string, unknown>): NonNullable<Turn["reply"]> {
  return (frame) => {
    if (frame.type !== "control_request") return null;
    const { request_id, request } = frame as unknown as { request_id: string; request: { input: unknown } };
    return {
      type: "control_response",
      response: { subtype: "success", request_id, response: response(request.input) },
    };
  };
}

function interruptOnce(): NonNullable<Turn["reply"]> {
  let done = false;
  return (frame) => {
    if (done || (frame.event as Frame | undefined)?.type !== "content_block_delta") return null;
    done = true;
    return { type: "control_request", request_id: "stop", request: { subtype: "interrupt" } };
  };
}

const turns = (): Turn[] => [
  { scenario: "text", answers: () => [says("Hello there.")] },
  {
    scenario: "one tool",
    answers: (place) => [uses("I look.", ["Read", { file_path: file(place, "note.txt") }]), says("Read.")],
  },
  {
    scenario: "many tools",
    answers: (place) => [
      uses(["Read", { file_path: file(place, "note.txt") }], ["Read", { file_path: file(place, "other.txt") }]),
      uses(["Bash", { command: "echo two", description: "Say two" }]),
      says("Done."),
    ],
  },
  {
    scenario: "tool error",
    answers: (place) => [uses(["Read", { file_path: file(place, "missing.txt") }]), says("It is not there.")],
  },
  {
    scenario: "permission allowed",
    answers: (place) => [uses(write(place, "allowed.txt")), says("Written.")],
    reply: permit((updatedInput) => ({ behavior: "allow", updatedInput })),
  },
  {
    scenario: "permission denied",
    answers: (place) => [uses(write(place, "denied.txt")), says("Then not.")],
    reply: permit(() => ({ behavior: "deny", message: "Not on a Friday." })),
  },
  { scenario: "interrupt", answers: () => [hangs("anthropic", "I begin with xyzzy")], reply: interruptOnce() },
];

/** All scenarios that end with a result, in the order of the page. */
export const SCENARIOS: readonly string[] = [
  ...turns().map(({ scenario }) => scenario),
  "resume, nobody to ask",
  "provider error",
];

/** Have the whole conversation, and beside it one that the provider refuses. */
export async function converse(program: Program): Promise<Conversation> {
  const [told, refused] = await Promise.all([talkAndResume(program), refusal(program)]);
  return { ...told, told: [...told.told, refused.told], codes: [...told.codes, refused.code] };
}

function start({ command, args, env }: Program, place: Place, more: readonly string[]): Started {
  return startProgram(command, [...args, ...FRAMES, ...more], place.work, env(place));
}

async function refusal(program: Program): Promise<{ told: Told; code: number | null }> {
  const place = await makePlace([refuses(401, "no such key")], "anthropic");
  const child = start(program, place, ["-p", "Hi"]);
  child.process.stdin.end();
  const { frames, code } = await child.ended;
  return { told: { scenario: "provider error", frames }, code };
}

async function talkAndResume(program: Program): Promise<Conversation> {
  const place = await makePlace([], "anthropic");
  for (const name of ["note.txt", "other.txt"]) writeFileSync(file(place, name), `${name}\n`);
  const told: Told[] = [];

  const talk = start(program, place, TALK);
  talk.say({ type: "control_request", request_id: "begin", request: { subtype: "initialize" } });
  await talk.until((frame) => frame.type === "control_response");
  told.push({ scenario: "initialize", frames: talk.frames.splice(0) });
  for (const turn of turns()) told.push({ scenario: turn.scenario, frames: await take(talk, turn, place) });
  talk.process.stdin.end();
  const { code } = await talk.ended;

  const session = String(told.at(-1)?.frames.at(-1)?.session_id);
  place.model.say(...[uses(write(place, "unasked.txt")), says("Nobody allowed it.")].map(asModel));
  const resumed = start(program, place, ["-p", "--resume", session, "Go on"]);
  resumed.process.stdin.end();
  const ran = await resumed.ended;
  told.push({ scenario: "resume, nobody to ask", frames: ran.frames });
  return { told, codes: [code, ran.code], resumedWith: place.asked() };
}

/** One turn, from the prompt to the result. */
async function take(started: Started, { scenario, answers, reply }: Turn, place: Place): Promise<Frame[]> {
  place.model.say(...answers(place).map(asModel));
  started.say({
    type: "user",
    message: { role: "user", content: [{ type: "text", text: scenario }] },
    parent_tool_use_id: null,
    session_id: "",
  });
  await started.until((frame) => {
    const said = reply?.(frame) ?? null;
    if (said !== null) started.say(said);
    return frame.type === "result";
  });
  return started.frames.splice(0);
}

/** Under the name of the model that was asked for. */
function asModel(answer: ScriptedAnswer): ScriptedAnswer {
  return "content" in answer ? { ...answer, model: MODEL } : answer;
}
