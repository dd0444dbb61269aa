// The grant for what a ticket asks (D43): the narrowest that covers it, and a few that are wider. One function for every face.
import { type GrantInput, type GrantProposal, HapError, isNeverGranted, quotePatternWord, type Ticket } from "@hap/protocol";
import { callOfTicket } from "./call.ts";
import { draftWords, readGrant } from "./draft.ts";
import { matchesDraft } from "./preview.ts";

/** What the person chose beside the scope. */
export type ProposalOptions = { seconds: number | null; uses?: number | null; verdict?: "allow" | "deny" };

/** Propose grants for a ticket; an error says why none can cover it. */
export function proposeGrant(ticket: Ticket, options: ProposalOptions, home: string): GrantProposal {
  const narrow = narrowest(ticket, options, home);
  const wider = [withoutOperands(narrow), anyFolder(narrow)].filter((input) => input !== null);
  const covering = [narrow, ...wider].filter((input) => matchesDraft(readGrant(input, home), ticket, home));
  const [first, ...others] = covering.map((input) => ({ input, words: draftWords(readGrant(input, home)) }));
  if (first === undefined || covering[0] !== narrow) throw notGrantable(ticket, "it does not say plainly what it would do");
  return { ...first, wider: others };
}

function narrowest(ticket: Ticket, { seconds, uses, verdict = "allow" }: ProposalOptions, home: string): GrantInput {
  const { facts, project, texts } = callOfTicket(ticket, home, "allow");
  if (ticket.ask.type !== "approval") throw notGrantable(ticket, "it is a question, which only an answer answers");
  if (verdict === "allow" && isNeverGranted(facts))
    throw notGrantable(ticket, "it is critical, and each critical ticket is decided for itself");
  if (verdict === "allow" && ticket.quorum !== undefined)
    throw notGrantable(ticket, `${ticket.quorum.need} people approve it, and one person's grant does not stand for them`);
  if (verdict === "allow" && !texts.readable)
    throw notGrantable(ticket, "a shell could run something else than the words of its command say");
  const commands = texts.commands?.map((command) => command.map(quotePatternWord)) ?? null;
  if (commands?.flat().includes(null)) throw notGrantable(ticket, "its command has words that no pattern can hold");
  return {
    verdict,
    agent: facts.agent,
    project,
    kinds: [facts.kind],
    ...(commands === null ? {} : { commands: [...new Set(commands.map((command) => command.join(" ")))] }),
    ...(texts.paths.length === 0 ? {} : { paths: [...texts.paths] }),
    ...(texts.hosts.length === 0 ? {} : { hosts: [...texts.hosts] }),
    ...(facts.environment === null ? {} : { environments: [facts.environment] }),
    ...(verdict === "allow" ? { effects: [...facts.effects] } : {}),
    seconds,
    uses: uses ?? null,
    ticket_id: ticket.id,
  };
}

/** The same program and its first words, with any operands: `npm install *` for `npm install left-pad`. */
function withoutOperands(input: GrantInput): GrantInput | null {
  const { commands, hosts: _named, ...rest } = input;
  const [command] = commands ?? [];
  if (command === undefined || commands?.length !== 1) return null;
  const words = command.split(" ");
  const kept = words.slice(0, Math.max(words.length > 2 ? 2 : 1, words.findLastIndex((word) => word.startsWith("-")) + 1));
  return kept.length >= words.length ? null : { ...rest, commands: [`${kept.join(" ")} *`] };
}

/** Any file of the same folder and of the same kind of name. */
function anyFolder(input: GrantInput): GrantInput | null {
  const [path] = input.paths ?? [];
  if (path === undefined || input.commands != null || !path.includes("/")) return null;
  return { ...input, paths: [`${path.slice(0, path.lastIndexOf("/"))}/**`] };
}

function notGrantable({ id }: Ticket, why: string): HapError {
  return new HapError("wrong_state", `No grant can cover ${id}: ${why}. Decide it by itself.`, { ticket_id: id });
}
