// A conversation in the layout of Claude Code, `projects/<folder>/<session>.jsonl`, so that its SDKs can list, show, fork and load it. Lines
// are appended as turns grow; what a kill leaves is a whole line less, never half a file.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CLAUDE_VERSION } from "../frames/version.ts";
import type { AssistantTurn, Turn, UserTurn } from "../model/types.ts";
import { randomUuid } from "../random-uuid.ts";
import { isSessionId, type Session } from "./session.ts";

type Line = Record<string, unknown>;

const LONGEST_NAME = 200;

/** The folder's name for a working folder, as Claude Code makes it. */
function projectName(cwd: string): string {
  const name = cwd.replaceAll(/[^a-zA-Z0-9]/g, "-");
  if (name.length <= LONGEST_NAME) return name;
  let hash = 0;
  for (let index = 0; index < cwd.length; index++) hash = ((hash << 5) - hash + cwd.charCodeAt(index)) | 0;
  return `${name.slice(0, LONGEST_NAME)}-${Math.abs(hash).toString(36)}`;
}

/** Where a session's transcript lies. */
export function transcriptPath(claudeFolder: string, session: Pick<Session, "id" | "cwd">): string {
  return join(claudeFolder, "projects", projectName(session.cwd), `${session.id}.jsonl`);
}

/** Writes one session's transcript. */
export class TranscriptWriter {
  readonly #path: string;
  readonly #cwd: string;
  readonly #now: () => Date;
  /** Parts of each turn that were written, and the turns themselves: a compacted history begins again. */
  #written: { turn: Turn; parts: number; messageId: string }[] = [];
  #last: string | null = null;
  #begun = false;

  constructor(claudeFolder: string, session: Pick<Session, "id" | "cwd">, now: () => Date) {
    this.#path = transcriptPath(claudeFolder, session);
    this.#cwd = session.cwd;
    this.#now = now;
  }

  /** Append what is new. */
  write(session: Session): void {
    const lines: Line[] = [];
    if (!this.#begun) this.#begin(session);
    const same = this.#written.every(({ turn }, index) => session.turns[index] === turn);
    if (!same) {
      lines.push({
        type: "system",
        subtype: "compact_boundary",
        content: "Conversation compacted",
        logicalParentUuid: this.#last,
        compactMetadata: { trigger: "auto", preTokens: 0 },
      });
      this.#written = [];
      this.#last = null;
    }
    for (const [index, turn] of session.turns.entries()) {
      const known = this.#written[index] ?? { turn, parts: 0, messageId: `msg_${randomUuid().replaceAll("-", "")}` };
      if (this.#written[index] === undefined) this.#written.push(known);
      lines.push(...linesOf(turn, known.parts, known.messageId, session.model ?? "", !same && index === 0));
      known.parts = turn.content.length;
    }
    if (lines.length === 0) return;
    mkdirSync(join(this.#path, ".."), { recursive: true, mode: 0o700 });
    appendFileSync(this.#path, lines.map((line) => `${JSON.stringify(this.#complete(line, session.id))}\n`).join(""), {
      mode: 0o600,
    });
  }

  /** A session that was resumed goes on where its file ends. */
  #begin(session: Session): void {
    this.#begun = true;
    const before = readLines(this.#path);
    if (before.length === 0) return;
    this.#last = before.findLast(({ uuid }) => typeof uuid === "string")?.uuid as string;
    // The prompt of this run is new; everything before it was written.
    const known = session.turns.slice(0, -1);
    this.#written = known.map((turn) => ({ turn, parts: turn.content.length, messageId: "" }));
  }

  #complete(line: Line, sessionId: string): Line {
    const uuid = randomUuid();
    const whole = {
      parentUuid: this.#last,
      isSidechain: false,
      userType: "external",
      cwd: this.#cwd,
      sessionId,
      version: CLAUDE_VERSION,
      gitBranch: "",
      ...line,
      uuid,
      timestamp: this.#now().toISOString(),
    };
    this.#last = uuid;
    return whole;
  }
}

function linesOf(turn: Turn, from: number, messageId: string, model: string, summary: boolean): Line[] {
  if (turn.role === "assistant")
    return turn.content.slice(from).map((part) => ({
      type: "assistant",
      message: {
        id: messageId,
        type: "message",
        role: "assistant",
        model,
        content: [block(part)],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    }));
  const fresh = turn.content.slice(from);
  const results = fresh.filter((part) => part.type === "tool_result");
  const said = fresh.filter((part) => part.type !== "tool_result");
  const only = said.length === 1 && said[0]?.type === "text" ? said[0].text : null;
  return [
    ...results.map((part) => ({ type: "user", message: { role: "user", content: [block(part)] } })),
    ...(said.length === 0
      ? []
      : [
          {
            type: "user",
            message: { role: "user", content: only ?? said.map(block) },
            ...(summary ? { isCompactSummary: true } : {}),
          },
        ]),
  ];
}

type Part = AssistantTurn["content"][number] | UserTurn["content"][number];

function block(part: Part): Line {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "thinking":
      return { type: "thinking", thinking: part.thinking, signature: "" };
    case "tool_use":
      return { type: "tool_use", id: part.id, name: part.name, input: part.input };
    case "tool_result":
      return {
        type: "tool_result",
        tool_use_id: part.tool_use_id,
        content: part.content.map(block),
        is_error: part.is_error,
      };
    default:
      return { type: "image", source: { type: "base64", media_type: part.media_type, data: part.data } };
  }
}

/** The transcript of a session id in any project, as lines of messages that count; null when there is none. */
export function findTranscript(claudeFolder: string, id: string): { path: string; text: string; cwd: string | null } | null {
  if (!isSessionId(id)) return null;
  const projects = join(claudeFolder, "projects");
  for (const name of readable(projects)) {
    const path = join(projects, name, `${id}.jsonl`);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) continue;
    const lines = readLines(path);
    const summary = lines.findLastIndex(({ isCompactSummary }) => isCompactSummary === true);
    const messages = lines
      .slice(Math.max(0, summary))
      .filter(
        ({ type, isSidechain, isMeta }) => (type === "user" || type === "assistant") && isSidechain !== true && isMeta !== true,
      );
    const cwd = messages.find((line) => typeof line.cwd === "string")?.cwd;
    return { path, text: messages.map((line) => JSON.stringify(line)).join("\n"), cwd: typeof cwd === "string" ? cwd : null };
  }
  return null;
}

function readLines(path: string): Line[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "object" && value !== null ? [value as Line] : [];
    } catch {
      // A line that a kill cut off.
      return [];
    }
  });
}

function readable(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
