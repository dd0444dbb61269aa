// From pull request events to tickets and from decisions to GitHub. Every step can be made again: a ticket is found by its
// commit, a comment by its text, and a decision is passed on until GitHub has taken it (12.3).
import { hash } from "node:crypto";
import { callHash, isHapError, isOpen, type Json, type Ticket, type TicketState } from "@hap/protocol";
import type { AgentClient, Outcome } from "@hap/sdk/agent";
import type { GitHubApi } from "./github-api.ts";
import type { PullEvent } from "./pull-event.ts";
import { type PullPlace, placeOf, pullTicket, pullTicketId } from "./pull-ticket.ts";
import { type ReportWay, reportEnd, reportOpen } from "./report.ts";

export type PullOptions = {
  /** Who decides; null is the first requested reviewer, else whom HAP asks by default. */
  to: string | null;
  report: ReportWay;
};

const asks = new Set(["opened", "reopened", "synchronize", "ready_for_review"]);
const ATTEMPTS = 50;

export class PullAdapter {
  readonly #client: AgentClient;
  readonly #api: GitHubApi;
  readonly #options: PullOptions;

  constructor(client: AgentClient, api: GitHubApi, options: PullOptions) {
    this.#client = client;
    this.#api = api;
    this.#options = options;
  }

  /** Handle an event; returns the ticket that it opened or found, or null where it asks for nothing. */
  async handle(event: PullEvent): Promise<Ticket | null> {
    if (event.action === "closed") await this.#withdraw(event, "The pull request was closed.");
    if (!asks.has(event.action) || event.draft) return null;
    await this.#withdraw(event, "Code changed; approval no longer relevant", event.headSha);
    const ticket = await this.#open(event);
    const text = `HAP Ticket: ${ticket.id}`;
    if (!(await this.#api.hasComment(event, text))) await this.#api.comment(event, text);
    if (isOpen(ticket.state)) {
      const place = { owner: event.owner, repo: event.repo, number: event.number, head_sha: event.headSha };
      await reportOpen(this.#api, this.#options.report, place, ticket.id, ticket.to);
    }
    return ticket;
  }

  /** The ticket of this commit. One that was withdrawn, as when the request was closed, gives way to another. */
  async #open(event: PullEvent): Promise<Ticket> {
    let diff: string | null | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const id = pullTicketId(this.#client.agent, event, attempt);
      const found = await this.#find(id);
      if (found !== null && found.resolution?.outcome !== "canceled") return found;
      if (found !== null) continue;
      diff ??= await this.#api.diff(event);
      return this.#client.createTicket(pullTicket(event, id, diff, this.#options.to));
    }
    throw new Error(`${event.owner}/${event.repo}#${event.number} was withdrawn ${ATTEMPTS} times at one commit.`);
  }

  async #find(id: string): Promise<Ticket | null> {
    try {
      return await this.#client.getTicket(id);
    } catch (error) {
      if (isHapError(error) && error.code === "ticket_not_found") return null;
      throw error;
    }
  }

  /** Withdraw what is open for a pull request, but for one commit. */
  async #withdraw(event: PullEvent, reason: string, except: string | null = null): Promise<void> {
    for (const { ticket, place } of await this.#ours("open"))
      if (isSame(place, event) && place.head_sha !== except) await this.#client.cancel(ticket.id, reason);
  }

  /** Tickets of ours, and where each belongs. */
  async #ours(state: "open" | TicketState[]): Promise<{ ticket: Ticket; place: PullPlace }[]> {
    const found: { ticket: Ticket; place: PullPlace }[] = [];
    let cursor: string | null = null;
    do {
      const page = await this.#client.list({ state, kind: "modify_file", limit: 100, ...(cursor === null ? {} : { cursor }) });
      for (const ticket of page.tickets) {
        const place = placeOf(ticket);
        if (place !== null) found.push({ ticket, place });
      }
      cursor = page.next;
    } while (cursor !== null);
    return found;
  }

  /** Everything that is open or has not been passed on yet, for a process that starts. */
  async unfinished(): Promise<Ticket[]> {
    const ended = await this.#ours(["APPROVED", "REJECTED", "CHANGES_REQUESTED", "EXPIRED", "CANCELED"]);
    const open = await this.#ours("open");
    return [...open, ...ended.filter(({ ticket }) => ticket.heard_at === null)].map(({ ticket }) => ticket);
  }

  /** Wait for a ticket's end and pass it on; still open after the timeout, nothing is said. */
  async follow(id: string, options: { signal?: AbortSignal; timeoutMs?: number } = {}): Promise<Outcome> {
    const outcome = await this.#client.wait(id, options);
    if (outcome.status === "open") return outcome;
    await this.#passOn(outcome);
    return outcome;
  }

  async #passOn(outcome: Outcome): Promise<void> {
    const { ticket } = outcome;
    const place = placeOf(ticket);
    if (place === null || ticket.heard_at !== null) return;
    // What the agent itself withdrew is no decision; a check that waits for it is still told.
    const withdrawn = ticket.resolution?.actor.kind === "agent";
    if (outcome.status === "approved") await this.#use(ticket, place);
    if (!withdrawn || this.#options.report === "check") await reportEnd(this.#api, this.#options.report, place, outcome);
    await this.#client.heard(ticket.id);
  }

  /** The yes is used before anything is approved elsewhere (D17); used by this very step before, it goes on. */
  async #use(ticket: Ticket, place: PullPlace): Promise<void> {
    const identity = callHash(
      {
        agent: this.#client.agent,
        project: null,
        tool: "github.review",
        input: { ...place, report: this.#options.report } as Json,
      },
      (data) => hash("sha256", data, "hex"),
    );
    if (ticket.consumed?.call_hash !== identity) await this.#client.consume(ticket.id, identity);
  }
}

function isSame(place: PullPlace, event: PullEvent): boolean {
  return place.owner === event.owner && place.repo === event.repo && place.number === event.number;
}
