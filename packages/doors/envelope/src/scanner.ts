// Finds envelopes anywhere in a stream of text: on one line, over many, in fences, in colour, inside JSON strings, after an unfinished
// line, split at any place. Memory is bounded; every character is read a small number of times.
import { JsonMachine } from "./json-machine.ts";
import { AnsiStripper } from "./strip-ansi.ts";

/**
 * An object whose intent is human.question, or text that began like one and is not JSON. `quoted`: it was inside a JSON string, as in
 * the stream-json output of an agent, which often repeats the same text.
 */
export type Found =
  | { kind: "question"; value: Record<string, unknown>; quoted: boolean }
  | { kind: "broken"; id: string | null; problem: string };

/** Characters that one envelope may have. */
export const SCAN_LIMIT = 1_000_000;

/** How deep strings inside strings are searched. */
const QUOTE_DEPTH = 4;

const claims = /"intent"\s*:\s*"human\.question"/;
const idPattern = /"id"\s*:\s*"([^"\\\n\r\t]{1,200})"/;

/** Push text as it comes; get what it completed. */
export class EnvelopeScanner {
  readonly #limit: number;
  readonly #depth: number;
  readonly #ansi = new AnsiStripper();
  #atLineStart = true;
  #machine: JsonMachine | null = null;
  /** The text since the candidate's opening brace, in the pieces in which it came. */
  #pieces: string[] = [];
  /** Objects inside the candidate that are complete, outermost only. */
  #inner: { start: number; end: number }[] = [];
  /** Where objects inside the candidate begin that stand at the start of a line. */
  #lineStarts = new Set<number>();

  /** `depth` counts the strings that this text is nested in. */
  constructor(limit = SCAN_LIMIT, depth = 0) {
    this.#limit = limit;
    this.#depth = depth;
  }

  push(text: string): Found[] {
    const found: Found[] = [];
    for (let rest = this.#ansi.push(text); rest !== ""; ) rest = this.#read(rest, found);
    return found;
  }

  /** The stream has ended: a candidate that never closed is broken. */
  end(): Found[] {
    if (this.#machine === null) return [];
    const found: Found[] = [];
    this.#giveUp("it is never closed", found);
    return found;
  }

  /** Read a text; returns what is to be read again, with what came before it, or nothing. */
  #read(text: string, found: Found[]): string {
    let at = 0;
    for (;;) {
      if (this.#machine === null) {
        at = text.indexOf("{", at);
        if (at === -1) return "";
        this.#machine = new JsonMachine();
      }
      const start = at;
      const end = this.#follow(this.#machine, text, at);
      this.#pieces.push(text.slice(start, end.at));
      at = end.at;
      if (end.step === "done") this.#complete(found);
      else if (end.step === "line") this.#takeLine(found);
      else if (end.step === "broken") {
        const tail = this.#giveUp("it is not JSON", found);
        if (tail.length > at) return tail + text.slice(at);
        at -= tail.length;
      } else {
        if (this.#machine.length > this.#limit) this.#giveUp(`it has more than ${this.#limit} characters`, found);
        return "";
      }
    }
  }

  /** Let the candidate read on from `at`; says why and where it stopped: behind its last character. */
  #follow(machine: JsonMachine, text: string, from: number): { step: "more" | "done" | "broken" | "line"; at: number } {
    for (let at = from; at < text.length; at++) {
      const char = text[at] as string;
      if (char === "{" && this.#atLineStart && machine.length > 0) this.#lineStarts.add(machine.length);
      this.#atLineStart = char === "\n";
      const step = machine.step(char);
      if (step === "inner") {
        this.#keepInner(machine.innerStart, machine.length);
        if (this.#lineStarts.has(machine.innerStart)) return { step: "line", at: at + 1 };
      } else if (step === "done") return { step, at: at + 1 };
      else if (step === "broken") return { step, at };
    }
    return { step: "more", at: text.length };
  }

  #keepInner(start: number, end: number): void {
    while ((this.#inner.at(-1)?.start ?? -1) >= start) this.#inner.pop();
    this.#inner.push({ start, end });
  }

  #complete(found: Found[]): void {
    const text = this.#take();
    if (text.includes("human.question")) this.#collect(JSON.parse(text), found);
  }

  /**
   * An object that begins a line has ended inside the candidate. If it is a question, what came before was an unfinished line: the
   * agent would wait forever for an object that never closes.
   */
  #takeLine(found: Found[]): void {
    const { start, end } = this.#inner.at(-1) as { start: number; end: number };
    const text = this.#pieces.join("");
    this.#pieces = [text];
    const inner = text.slice(start, end);
    if (!claims.test(inner) || (JSON.parse(inner) as { intent?: unknown }).intent !== "human.question") return;
    this.#take();
    this.#collect(JSON.parse(inner), found);
  }

  /** The candidate is no envelope. What is whole inside it still counts; returns a tail in which another may begin. */
  #giveUp(problem: string, found: Found[]): string {
    const machine = this.#machine as JsonMachine;
    const inner = this.#inner;
    const text = this.#take();
    const before = found.length;
    let outside = "";
    let from = 0;
    for (const { start, end } of inner) {
      outside += text.slice(from, start);
      from = end;
      const whole = text.slice(start, end);
      if (whole.includes("human.question")) this.#collect(JSON.parse(whole), found);
    }
    outside += text.slice(from);
    if (found.length === before && claims.test(outside))
      found.push({ kind: "broken", id: idPattern.exec(outside)?.[1] ?? null, problem });
    // A string that was opened by a stray quote may have hidden a beginning.
    return machine.stringStart > 0 ? text.slice(Math.max(machine.stringStart + 1, from)) : "";
  }

  /** The candidate's text; the next one begins afresh. */
  #take(): string {
    const text = this.#pieces.join("");
    this.#machine = null;
    this.#pieces = [];
    this.#inner = [];
    this.#lineStarts.clear();
    return text;
  }

  /** The questions in a value, outermost first, also in its strings. An envelope of another intent keeps what it carries. */
  #collect(value: unknown, found: Found[]): void {
    const waiting: unknown[] = [value];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (typeof next === "string") found.push(...this.#inString(next));
      if (typeof next !== "object" || next === null) continue;
      const { intent } = next as { intent?: unknown };
      if (intent === "human.question")
        found.push({ kind: "question", value: next as Record<string, unknown>, quoted: this.#depth > 0 });
      else if (typeof intent !== "string") waiting.push(...Object.values(next).reverse());
    }
  }

  /** Whole questions in a string. Broken ones are not reported: a string may be a part of something that is still being written. */
  #inString(text: string): Found[] {
    if (this.#depth >= QUOTE_DEPTH || !text.includes("human.question")) return [];
    return new EnvelopeScanner(this.#limit, this.#depth + 1).push(text).filter(({ kind }) => kind === "question");
  }
}
