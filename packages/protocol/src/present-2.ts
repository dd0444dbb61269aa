// Version 2 of the presentation (D23), in the order of the decision: what will happen, why it is risky, what happens
// without an answer; then the rest of the action whole, and the evidence, which faces may fold.
import { describeAct } from "./act-words.ts";
import type { Block, Cause, Presentable, PresentationTwo } from "./block.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { characterWarnings } from "./character-warnings.ts";
import { type DiffFile, filesOfDetails } from "./diff.ts";
import { effectWords, tierOfEffect, worstFirst } from "./effect-words.ts";
import { lengthWords } from "./length-words.ts";

/** Present a ticket as version 2 does. */
export function presentTwo(ticket: Presentable): PresentationTwo {
  const files = filesOfDetails(ticket.intent.details);
  return {
    v: 2,
    ticket_id: ticket.id,
    happens: happens(ticket, files),
    risks: risks(ticket, files),
    otherwise: [plain(silence(ticket))],
    whole: whole(ticket, files),
    evidence: evidence(ticket),
  };
}

function plain(text: string): Block {
  return { type: "plain", origin: "runtime", text };
}

function fact(label: string, value: string, origin: "runtime" | "agent" = "runtime"): Block {
  return { type: "fact", origin, label, value };
}

function happens(ticket: Presentable, files: DiffFile[]): Block[] {
  const { details, summary } = ticket.intent;
  const blocks: Block[] = [plain(describeAct(ticket, files))];
  if (typeof details.command === "string") {
    blocks.push({ type: "command", origin: "agent", label: "Command", text: details.command });
    if (typeof details.cwd === "string") blocks.push(fact("Folder", details.cwd, "agent"));
  }
  if (files.length > 0) blocks.push({ type: "files", origin: "agent", files });
  blocks.push({ type: "text", origin: "agent", label: "Summary", text: summary });
  if (ticket.ask.type !== "approval") blocks.push({ type: "question", origin: "agent", ask: ticket.ask });
  return blocks;
}

function risks(ticket: Presentable, files: DiffFile[]): Block[] {
  const { artifact, intent, tier } = ticket;
  const question = ticket.ask.type !== "approval";
  const claimed = ticket.risk_claimed === ticket.risk ? null : ticket.risk_claimed;
  const blocks: Block[] = [];
  // A question has no risk: its number would say nothing. Its tier is shown where a yes needs more.
  if (!question) blocks.push({ type: "severity", origin: "runtime", tier, risk: ticket.risk, claimed });
  else if (tier === "critical") blocks.push({ type: "severity", origin: "runtime", tier, risk: null, claimed: null });
  const command = typeof intent.details.command === "string" ? intent.details.command : "";
  const shown = worstFirst(ticket.effects).filter((effect) => tierOfEffect(effect) !== "routine");
  for (const effect of shown) {
    const causes = (ticket.findings ?? [])
      .filter((finding) => finding.effect === effect)
      .map(({ what }): Cause => ({ text: what, part: partOf(what, command) }));
    blocks.push({
      type: "effect",
      origin: "runtime",
      effect,
      tier: tierOfEffect(effect),
      text: capital(effectWords(effect)),
      causes,
    });
  }
  if (!question && shown.length === 0) blocks.push(plain(harmless(ticket.effects)));
  if (artifact.opaque)
    blocks.push({
      type: "warning",
      origin: "runtime",
      text: "HAP has only a hash of this action: you would approve something that is not shown here.",
    });
  blocks.push(
    ...characterWarnings([
      intent.summary,
      intent.details,
      ticket.ask,
      artifact.repo,
      artifact.base_commit,
      ticket.project,
      files,
    ]),
  );
  return blocks;
}

function harmless(effects: readonly string[]): string {
  if (effects.length === 0) return "HAP found no effect in it.";
  return `HAP found only this: it ${effects.map(effectWords).join(" and ")}.`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The words of the command that a finding begins with: `git push sends data` is about `git push`. */
function partOf(what: string, command: string): string | null {
  const spoken = what.split(" ");
  for (let count = Math.min(spoken.length - 1, 12); count > 0; count--) {
    const part = spoken.slice(0, count).join(" ");
    if (holdsWords(command, part)) return part;
  }
  return null;
}

const letter = /[\p{L}\p{N}_-]/u;

/** True where the part stands in the command with no letter or digit right before or after it. */
function holdsWords(command: string, part: string): boolean {
  for (let at = command.indexOf(part); at !== -1; at = command.indexOf(part, at + 1)) {
    const before = command[at - 1] ?? " ";
    const after = command[at + part.length] ?? " ";
    if (!letter.test(before) && !(letter.test(part.at(-1) ?? "") && letter.test(after))) return true;
  }
  return false;
}

const ends = { auto_reject: "it is rejected", auto_approve: "it approves itself", cancel: "it is canceled" } as const;

function silence({ lease }: Presentable): string {
  return `Without an answer within ${lengthWords(lease.ttl_seconds)}, ${ends[lease.on_timeout]}.`;
}

const SHOWN_ABOVE = ["command", "cwd"];
const TEXTS = ["file", "content", "diff"];

/** What of the action is not shown above: contents, the diff, and every other detail as JSON. */
function whole({ intent: { details } }: Presentable, files: DiffFile[]): Block[] {
  const blocks: Block[] = [];
  const hasCommand = typeof details.command === "string";
  const rest = Object.entries(details).filter(([key, value]) => {
    if (typeof value !== "string") return true;
    return !(TEXTS.includes(key) || (hasCommand && SHOWN_ABOVE.includes(key)));
  });
  if (typeof details.file === "string") blocks.push(fact("File", details.file, "agent"));
  if (typeof details.content === "string")
    blocks.push({ type: "content", origin: "agent", label: "Content", text: details.content });
  if (typeof details.diff === "string") blocks.push({ type: "diff", origin: "agent", label: "Diff", text: details.diff, files });
  if (rest.length > 0)
    blocks.push({ type: "json", origin: "agent", label: "Details", text: canonicalJson(Object.fromEntries(rest) as Json) });
  return blocks;
}

function evidence(ticket: Presentable): Block[] {
  const { artifact, intent, risk_factors: factors } = ticket;
  const hashedBy = artifact.opaque ? "agent" : "runtime";
  const blocks = [fact("From", ticket.from, "agent"), fact("Kind", intent.kind, "agent")];
  const add = (label: string, value: string | null, origin: "runtime" | "agent" = "agent") => {
    if (value !== null) blocks.push(fact(label, value, origin));
  };
  add("Environment", artifact.environment);
  add("Confidence", intent.confidence === null ? null : canonicalJson(intent.confidence));
  if (ticket.ask.type === "approval") {
    const { scope, environment, confidence } = factors;
    add("Risk", canonicalJson(ticket.risk), "runtime");
    add(
      "Risk factors",
      `scope ${canonicalJson(scope)}, environment ${canonicalJson(environment)}, confidence ${canonicalJson(confidence)}`,
      "runtime",
    );
  }
  add("Severity", ticket.tier, "runtime");
  add("Effects", ticket.effects.length === 0 ? "none found" : ticket.effects.join(", "), "runtime");
  add("Artifact", artifact.type);
  add("Artifact hash", artifact.diff_hash, hashedBy);
  add("Bytes hash", artifact.bytes_hash, hashedBy);
  add("Repository", artifact.repo);
  add("Base commit", artifact.base_commit);
  add("Project", ticket.project);
  add("Session", ticket.session);
  add("Priority", ticket.priority);
  add("Lease", `${ticket.lease.ttl_seconds} seconds, then ${ticket.lease.on_timeout}`);
  return blocks;
}
