// Where the first prompt comes from: an argument, all of standard input, or a host that speaks in frames.
import type { Options } from "../argv/options.ts";
import { parseFrame } from "../host/inputs.ts";
import type { World } from "./world.ts";

export type PromptInput = { kind: "prompt"; text: string } | { kind: "frames"; read: Buffer } | { kind: "none" };

/** How long piped input may stay silent when there is a prompt already: before its first byte, and between two. */
const SILENCE_MS = 3_000;
const PAUSE_MS = 60_000;
const LINE_FEED = 10;

/** Decide, reading no more of standard input than is needed. */
export async function readPrompt(options: Options, world: World): Promise<PromptInput> {
  if (options.inputFormat === "stream-json") return { kind: "frames", read: Buffer.alloc(0) };
  if (options.prompt !== null && options.prompt !== "") {
    // `cat file | yume-cli -p "explain"`: what is piped in goes with the prompt.
    const piped = options.dialect === "claude" && !world.stdin.isTTY ? await readAll(world.stdin, SILENCE_MS) : "";
    return { kind: "prompt", text: piped.trim() === "" ? options.prompt : `${options.prompt}\n\n${piped}` };
  }
  // A persistent host may wait for `init` before it says anything.
  if (options.start && options.sessionId !== null) return { kind: "frames", read: Buffer.alloc(0) };
  return world.stdin.isTTY ? { kind: "none" } : firstLineDecides(world.stdin);
}

/** Frames when the first line is one; otherwise everything is the prompt. */
async function firstLineDecides(stdin: World["stdin"]): Promise<PromptInput> {
  const { promise, resolve } = Promise.withResolvers<PromptInput>();
  const chunks: Buffer[] = [];
  let isText = false;
  const stop = (input: PromptInput) => {
    stdin.off("data", onData);
    stdin.off("end", onEnd);
    stdin.pause();
    resolve(input);
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    if (isText || !chunk.includes(LINE_FEED)) return;
    const read = Buffer.concat(chunks);
    const line = read
      .toString("utf8")
      .split("\n")
      .slice(0, -1)
      .find((one) => one.trim() !== "");
    if (line === undefined) return;
    if (isFrame(line)) stop({ kind: "frames", read });
    else isText = true;
  };
  const onEnd = () => {
    const read = Buffer.concat(chunks);
    const text = read.toString("utf8");
    if (text.trim() === "") stop({ kind: "none" });
    else if (!isText && isFrame(text)) stop({ kind: "frames", read });
    else stop({ kind: "prompt", text: text.replace(/\r?\n$/, "") });
  };
  stdin.on("data", onData);
  stdin.on("end", onEnd);
  return promise;
}

function isFrame(line: string): boolean {
  return typeof parseFrame(line)?.type === "string";
}

function readAll(stdin: World["stdin"], silenceMs: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const finish = () => {
    clearTimeout(timer);
    stdin.pause();
    resolve(Buffer.concat(chunks).toString("utf8"));
  };
  let timer = setTimeout(finish, silenceMs);
  stdin.on("data", (chunk: Buffer) => {
    clearTimeout(timer);
    // Whoever feeds it may be slow; whoever never closes it must not hold the run for ever.
    timer = setTimeout(finish, PAUSE_MS);
    chunks.push(chunk);
  });
  stdin.on("end", finish);
  stdin.on("error", finish);
  return promise;
}
