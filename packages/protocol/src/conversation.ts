// Conversations (D26): agents that joined, words that wait for them, and the files that come with those words.
import * as z from "zod";
import { LIMITS } from "./constants.ts";
import { HapError } from "./errors.ts";
import { ID_PATTERNS, quote } from "./identifiers.ts";
import { once } from "./once.ts";
import { hashSchema, words } from "./schema/primitives.ts";
import type { Ticket } from "./schema/ticket.ts";

/** An agent that joined, as every face shows it. */
export type AgentCard = {
  /** `agent:NAME`. */
  agent: string;
  agent_runtime: string;
  project_dir: string | null;
  agent_terminal: string | null;
  /** What runs there in words, such as a command; null where nobody said. */
  label: string | null;
  /** What people call it, and the group they put it into. */
  name: string | null;
  group: string | null;
  joined_at: string;
  /** The last sign of life that was recorded. */
  seen_at: string;
  left_at: string | null;
  /** Open tickets of it, and words that wait for it. */
  waiting: number;
  queued: number;
  /** The question that a process of the agent waits for right now, or null. */
  listening: string | null;
};

/** A change of an agent's queue: words that are never told, other words in their place, or another order of one's own. */
export type QueueChange = { withdraw: string } | { edit: string; text: string } | { order: readonly string[] };

/** What is known about a file that a person sent. */
export const attachmentSchema = once(() =>
  z.object({
    name: words(200, 1),
    media_type: words(100, 1),
    size: z.int().min(0).max(LIMITS.attachmentBytes),
    sha256: hashSchema(),
  }),
);
export type Attachment = z.infer<ReturnType<typeof attachmentSchema>>;

/** Words that a person left for an agent; null where there are none, or they were erased. */
export type Message = {
  id: string;
  agent: string;
  from: string;
  text: string | null;
  attachments: Attachment[];
  queued_at: string;
  taken_at: string | null;
  taken_by: string | null;
  /** When they were withdrawn before the agent was told, or null. */
  withdrawn_at: string | null;
  /** Where they stand in the queue: smaller is told first. */
  place: number;
};

/** A stretch of a conversation, oldest first. */
export type Conversation = { agent: AgentCard; tickets: Ticket[]; messages: Message[] };

const consonants = "bdfghjklmnprstvz";
const vowels = "aeiou";

/** A name that can be said aloud: 8 to 12 lower-case letters, consonants and vowels in turn. */
export function makeAgentName(random: Uint8Array): string {
  const syllables = 4 + ((random[0] ?? 0) % 3);
  let name = "";
  for (let at = 1; at <= syllables; at++) {
    const byte = random[at] ?? 0;
    name += consonants.charAt(byte % consonants.length) + vowels.charAt((byte >> 4) % vowels.length);
  }
  return name;
}

/** The name of a runtime: trimmed, lower case, `-` and spaces as `_`; what is then no name is refused. */
export function parseAgentRuntime(text: string): string {
  const name = text.trim().toLowerCase().replaceAll(/[-\s]/g, "_");
  if (ID_PATTERNS.agentRuntime.test(name)) return name;
  throw new HapError(
    "invalid_input",
    `agent_runtime is ${quote(text)}; it must be 1 to 64 of a-z, 0-9 and _, such as claude_code, codex, cursor or terminal.`,
    { field: "agent_runtime" },
  );
}
