// A call as grants see it (D43): what it does by the engine's own classification, and its texts, parsed. What a caller's disk shows
// beyond that only narrows.
import {
  computeTier,
  expandHome,
  filesOfDetails,
  type GrantFacts,
  type GrantTexts,
  realNames,
  type SeenCall,
  type Ticket,
} from "@hap/protocol";
import { namedCommands, singleCommands } from "@hap/shell";
import { namedPaths } from "../classifier/classify.ts";
import type { PreparedTicket } from "../tickets/prepare-ticket.ts";

/** A call before its project has a handle. */
export type GrantCall = { facts: Omit<GrantFacts, "project">; project: string | null; texts: GrantTexts };

type Described = Omit<GrantFacts, "project" | "tier"> & {
  project: string | null;
  details: Record<string, unknown>;
  paths: readonly string[];
  risk: number;
};

/** For a denial, commands inside other commands count too. */
export type Purpose = "allow" | "deny";

/** The call of a request. */
export function callOf({ request, classified }: PreparedTicket, home: string, purpose: Purpose, seen: SeenCall = {}): GrantCall {
  const effects = [...new Set([...classified.effects, ...(seen.effects ?? [])])].sort();
  const call = describe(
    {
      agent: request.from,
      session: request.session,
      kind: request.kind,
      environment: request.artifact.environment,
      project: request.project,
      details: request.details,
      paths: [...classified.paths, ...(seen.paths ?? [])],
      risk: classified.risk,
      effects,
    },
    home,
    purpose,
  );
  return seen.trusted === false ? { ...call, texts: { ...call.texts, readable: false } } : call;
}

/** The call that a past ticket asked about. */
export function callOfTicket(ticket: Ticket, home: string, purpose: Purpose): GrantCall {
  const details = ticket.intent.details as Record<string, unknown>;
  return describe(
    {
      agent: ticket.from,
      session: ticket.session,
      kind: ticket.intent.kind,
      environment: ticket.artifact.environment,
      project: ticket.project,
      details,
      paths: namedPaths(details as never, filesOfDetails(details as never)),
      risk: ticket.risk,
      effects: ticket.effects,
    },
    home,
    purpose,
  );
}

function describe({ project: asked, details, paths, risk, ...facts }: Described, home: string, purpose: Purpose): GrantCall {
  const cwd = typeof details.cwd === "string" && details.cwd.startsWith("/") ? details.cwd : null;
  // A command that runs elsewhere is not a command of the project.
  const project = cwd !== null && asked !== null && !isInside(cwd, asked) ? null : asked;
  const command = typeof details.command === "string" ? details.command : null;
  const single = command === null ? undefined : singleCommands(command);
  const from = (path: string) => (path.startsWith("/") || cwd === null ? path : `${cwd}/${path}`);
  const named = [...paths, ...(single?.redirects ?? []).map(from)];
  const context = { cwd: cwd ?? project ?? "/", projectRoot: project ?? "", home };
  const inside = command === null || (purpose === "allow" && single !== undefined) ? [] : namedCommands(command, context);
  const commands = command === null ? null : [...(single?.commands ?? []), ...inside];
  return {
    facts: { ...facts, tier: computeTier(risk, facts.effects) },
    project,
    texts: {
      commands,
      paths: [...new Set(named.map((path) => realNames(expandHome(path, home), project)[0] ?? path))],
      hosts: hostsOf(commands ?? [], details),
      readable: command === null || single !== undefined,
    },
  };
}

function isInside(path: string, folder: string): boolean {
  const names = realNames(path, folder);
  return names.length === 2;
}

/** Hosts that a call names: in addresses, as `user@host:`, or in fields of its own. */
function hostsOf(commands: readonly (readonly string[])[], details: Record<string, unknown>): string[] {
  const said = [details.url, details.host].filter((value) => typeof value === "string");
  const words = [...commands.flatMap((command) => command.slice(1)), ...said];
  return [...new Set(words.flatMap(hostIn))];
}

function hostIn(word: string): string[] {
  const address = /[a-z][a-z0-9+.-]*:\/\/(?:[^@/?#]*@)?(\[[^\]]+\]|[^:/?#]+)/i.exec(word)?.[1];
  const remote = address ?? /^[^@\s/]+@([^:/\s]+):/.exec(word)?.[1];
  if (remote !== undefined) return [remote.toLowerCase()];
  return /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i.test(word) ? [word.toLowerCase()] : [];
}
