// The person's client on a server.
import {
  type AgentCard,
  type CodePurpose,
  type Conversation,
  type Credential,
  type EnrolStatement,
  HapError,
  type Json,
  type LoggedEvent,
  type Message,
  type NewCredential,
  type PhraseDecision,
  type RevokeStatement,
  type Signature,
  type Statement,
  type Ticket,
  type TrustClass,
} from "@hap/protocol";
import { type Outcome, readOutcome } from "../outcome.ts";
import type { DecideOptions, IntentOptions, PersonClient } from "../person-client.ts";
import type {
  AgentQuery,
  DeadLetter,
  EnrolInput,
  EraseResult,
  KeyView,
  Needed,
  NewEnrolment,
  NewKey,
  NewMessage,
  NewWebhook,
  PersonView,
  PolicyCheck,
  Sent,
  Signable,
  TicketPage,
  TicketQuery,
  VerifyReport,
  WaitOptions,
  WebhookView,
} from "../types.ts";
import { withDelivered } from "../with-delivered.ts";
import { followEvents } from "./live.ts";
import { ticketQueryString } from "./query.ts";
import { callJson, problemError, type Transport } from "./transport.ts";
import { waitRemotely } from "./waiting.ts";

/** What the server says about the caller. */
export type Me = { kind: "person" | "agent"; id: string; role: "owner" | "approver" | "auditor" | null; trust: TrustClass };

type Erased = Pick<EraseResult, "erased">;
type EventPage<T> = { events: T[]; next: string | null };

export class RemotePerson implements PersonClient {
  readonly person: string;
  readonly trust: TrustClass;
  readonly place: string;
  readonly role: Me["role"];
  readonly #transport: Transport;

  constructor(transport: Transport, me: Me) {
    this.#transport = transport;
    this.person = me.id;
    this.trust = me.trust;
    this.role = me.role;
    this.place = transport.url;
  }

  inbox(query: { cursor?: string; limit?: number } = {}): Promise<TicketPage> {
    return this.#shown(this.#get(`/v1/inbox${ticketQueryString(query)}`));
  }

  list(query: TicketQuery = {}): Promise<TicketPage> {
    return this.#shown(this.#get(`/v1/tickets${ticketQueryString(query)}`));
  }

  /** Reading changes nothing on the server; that the page was shown is said by a call of its own (D8). */
  async #shown<T extends Pick<TicketPage, "tickets">>(page: Promise<T>): Promise<T> {
    return withDelivered(await page, this.person, (ids) => this.deliver(ids));
  }

  async deliver(ids: readonly string[]): Promise<Ticket[]> {
    return (await this.#post<{ tickets: Ticket[] }>("/v1/deliveries", { ids })).tickets;
  }

  async waiting(): Promise<{ person: string; tickets: number }[]> {
    return (await this.#get<{ waiting: { person: string; tickets: number }[] }>("/v1/waiting")).waiting;
  }

  resolveId(text: string): Promise<{ id: string; exact: boolean }> {
    return this.#get(`/v1/ticket-ids${ticketQueryString({ text })}`);
  }

  getTicket(id: string): Promise<Ticket> {
    return this.#get(`/v1/tickets/${encodeURIComponent(id)}`);
  }

  show(id: string): Promise<Ticket> {
    return this.#change(id, "deliver");
  }

  async history(id: string): Promise<Json[]> {
    return (await this.#get<{ events: Json[] }>(`/v1/tickets/${encodeURIComponent(id)}/history`)).events;
  }

  ack(id: string, note?: string, options: { lapseSeconds?: number } = {}): Promise<Ticket> {
    return this.#change(id, "ack", { note, lapse_seconds: options.lapseSeconds });
  }

  approve(id: string, comment?: string, options: DecideOptions = {}): Promise<Ticket> {
    return this.#change(id, "intents", { decision: "approve", comment, ...options });
  }

  reject(id: string, comment?: string): Promise<Ticket> {
    return this.#change(id, "intents", { decision: "reject", comment });
  }

  requestChanges(id: string, comment?: string): Promise<Ticket> {
    return this.#change(id, "intents", { decision: "request_changes", comment });
  }

  answer(id: string, answer: unknown, options: DecideOptions & { comment?: string } = {}): Promise<Ticket> {
    return this.#change(id, "intents", { decision: "answer", answer, ...options });
  }

  cancel(id: string, reason?: string): Promise<Ticket> {
    return this.#change(id, "cancel", { reason });
  }

  extend(id: string, seconds: number): Promise<Ticket> {
    return this.#change(id, "extend", { seconds });
  }

  snooze(id: string, seconds: number): Promise<Ticket> {
    return this.#change(id, "snooze", { seconds });
  }

  reassign(id: string, to: string): Promise<Ticket> {
    return this.#change(id, "reassign", { to });
  }

  note(id: string, text: string): Promise<Ticket> {
    return this.#change(id, "notes", { text });
  }

  async wait(id: string, options: WaitOptions = {}): Promise<Outcome> {
    return readOutcome(await waitRemotely(this.#transport, id, options));
  }

  events(query: { after?: string; limit?: number; ticket?: string } = {}): Promise<LoggedEvent[]> {
    return this.#pages<LoggedEvent>(query, {});
  }

  resolvedEvents(query: { after?: string; limit?: number; ticket?: string } = {}): Promise<Json[]> {
    return this.#pages<Json>(query, { resolved: true });
  }

  async #pages<T>(query: { after?: string; limit?: number; ticket?: string }, more: { resolved?: boolean }): Promise<T[]> {
    const { limit = 1000, ticket } = query;
    const found: T[] = [];
    for (let after = query.after; found.length < limit; ) {
      const page = await this.#get<EventPage<T>>(
        `/v1/events${ticketQueryString({ after, ticket, limit: Math.min(1000, limit - found.length), ...more })}`,
      );
      found.push(...page.events);
      if (page.next === null || page.next === after) break;
      after = page.next;
    }
    return found;
  }

  follow(
    options: { after?: string; signal?: AbortSignal; onState?: (state: "live" | "lost") => void } = {},
  ): AsyncIterable<LoggedEvent[]> {
    return followEvents(this.#transport, options);
  }

  verify(options: { chainOnly?: boolean } = {}): Promise<VerifyReport> {
    return this.#post("/v1/log/verify", { chain_only: options.chainOnly === true });
  }

  async violation(): Promise<string | null> {
    return (await this.#get<{ violation: string | null }>("/v1/log")).violation;
  }

  erase({ ticket, ...rest }: { ticket: string; fields?: string[]; reason?: string }): Promise<EraseResult> {
    return this.#post(`/v1/tickets/${encodeURIComponent(ticket)}/erase`, rest);
  }

  checkPolicy(input: Record<string, unknown>): Promise<PolicyCheck> {
    return this.#post("/v1/policy/check", input);
  }

  policy(): Promise<{ path: string; hash: string; trusted: boolean; text: string }> {
    return this.#get("/v1/policy");
  }

  trustPolicy(options: { confirmed: boolean; hash: string }): Promise<{ path: string; hash: string }> {
    return this.#post("/v1/policy/trust", options);
  }

  issueChallenge(
    id: string,
    input: {
      decision: "approve" | "reject" | "request_changes" | "answer";
      comment?: string;
      answer?: unknown;
      edits?: Record<string, unknown>;
    },
  ): Promise<{ statement: Statement; ticket: Ticket }> {
    return this.#post(`/v1/tickets/${encodeURIComponent(id)}/challenges`, input);
  }

  issuePhrase(id: string, decision: PhraseDecision = "approve"): Promise<{ phrase: string; expires_at: string }> {
    return this.#post(`/v1/tickets/${encodeURIComponent(id)}/phrase`, { decision });
  }

  submitIntent(intent: Record<string, unknown>, options: IntentOptions = {}): Promise<Ticket> {
    const { on = String(intent.ticket_id), ...how } = options;
    return this.#change(on, "intents", { ...intent, ...how });
  }

  async agents(query: AgentQuery = {}): Promise<AgentCard[]> {
    return (await this.#get<{ agents: AgentCard[] }>(`/v1/agents${ticketQueryString(query)}`)).agents;
  }

  conversation(agent: string, options: { limit?: number } = {}): Promise<Conversation> {
    return this.#shown(
      this.#get<Conversation>(`/v1/agents/${encodeURIComponent(agent)}/conversation${ticketQueryString(options)}`),
    );
  }

  queue(agent: string, message: NewMessage): Promise<Message> {
    const attachments = message.attachments?.map(({ data, ...about }) => ({ ...about, data: toBase64(data) }));
    return this.#post(`/v1/agents/${encodeURIComponent(agent)}/messages`, { text: message.text, attachments });
  }

  async broadcast(agents: readonly string[], text: string): Promise<Sent[]> {
    return (await this.#post<{ sent: Sent[] }>("/v1/broadcasts", { agents, text })).sent;
  }

  async attachment(messageId: string, index: number): Promise<Uint8Array> {
    const path = `/v1/messages/${encodeURIComponent(messageId)}/attachments/${index}`;
    const { status, body } = await this.#transport.send({ method: "GET", path });
    if (status === 200) return body;
    throw problemError(this.place, status, new TextDecoder().decode(body));
  }

  async eraseConversation(what: { message: string } | { agent: string }, reason?: string): Promise<EraseResult["erased"]> {
    return (await this.#post<Erased>("/v1/conversations/erase", { ...what, reason })).erased;
  }

  needed(id: string): Promise<Needed> {
    return this.#get(`/v1/tickets/${encodeURIComponent(id)}/needed`);
  }

  async credentials(): Promise<Credential[]> {
    return (await this.#get<{ credentials: Credential[] }>("/v1/credentials")).credentials;
  }

  beginEnrolment(input: NewEnrolment): Promise<Signable<EnrolStatement> & { needs: "code" | "assertion" }> {
    return this.#post("/v1/credentials/enrolment", { kind: input.kind, label: input.label });
  }

  enrolmentChallenge(nonce: string, credential: NewCredential): Promise<Signable<EnrolStatement>> {
    return this.#post("/v1/credentials/vouch", { nonce, credential });
  }

  enrolCredential(input: EnrolInput): Promise<Credential> {
    return this.#post("/v1/credentials", input);
  }

  async issueCode(purpose: CodePurpose): Promise<{ code: string; expires_at: string }> {
    const { command = "hap" } = await this.#get<{ command?: string }>("/v1/login");
    throw new HapError(
      "terminal_needed",
      `A code for ${purpose} is made where the store is: run \`${command} login --code${purpose === "enrol" ? " --enrol" : ""}\` in a terminal of the server's machine.`,
    );
  }

  beginRevocation(id: string): Promise<Signable<RevokeStatement>> {
    return this.#post(`/v1/credentials/${encodeURIComponent(id)}/revocation`);
  }

  revokeCredential(id: string, signed?: { nonce: string; assertion: Signature }): Promise<Credential> {
    return this.#post(`/v1/credentials/${encodeURIComponent(id)}/revoke`, signed);
  }

  async eraseCredential(id: string, reason?: string): Promise<EraseResult["erased"]> {
    return (await this.#post<Erased>(`/v1/credentials/${encodeURIComponent(id)}/erase`, { reason })).erased;
  }

  createKey(input: NewKey): Promise<KeyView & { key: string }> {
    return this.#post("/v1/keys", input);
  }

  async listKeys(): Promise<KeyView[]> {
    return (await this.#get<{ keys: KeyView[] }>("/v1/keys")).keys;
  }

  rotateKey(id: string): Promise<KeyView & { key: string }> {
    return this.#post(`/v1/keys/${encodeURIComponent(id)}/rotate`);
  }

  revokeKey(id: string): Promise<KeyView> {
    return callJson(this.#transport, { method: "DELETE", path: `/v1/keys/${encodeURIComponent(id)}` });
  }

  createWebhook(input: NewWebhook): Promise<WebhookView & { secret: string }> {
    return this.#post("/v1/webhooks", input);
  }

  async listWebhooks(): Promise<WebhookView[]> {
    return (await this.#get<{ webhooks: WebhookView[] }>("/v1/webhooks")).webhooks;
  }

  removeWebhook(id: string): Promise<WebhookView> {
    return callJson(this.#transport, { method: "DELETE", path: `/v1/webhooks/${encodeURIComponent(id)}` });
  }

  async eraseWebhook(id: string, reason?: string): Promise<EraseResult["erased"]> {
    return (await this.#post<Erased>(`/v1/webhooks/${encodeURIComponent(id)}/erase`, { reason })).erased;
  }

  testWebhook(id: string): Promise<{ delivery_id: string }> {
    return this.#post(`/v1/webhooks/${encodeURIComponent(id)}/test`);
  }

  async deadLetters(): Promise<DeadLetter[]> {
    return (await this.#get<{ dead: DeadLetter[] }>("/v1/dead-letters")).dead;
  }

  redeliver(id: string): Promise<DeadLetter> {
    return this.#post(`/v1/dead-letters/${encodeURIComponent(id)}/redeliver`);
  }

  async people(): Promise<PersonView[]> {
    return (await this.#get<{ people: PersonView[] }>("/v1/people")).people;
  }

  linkSubject(person: string, issuer: string, subject: string): Promise<void> {
    return this.#post(`/v1/people/${encodeURIComponent(person)}/subjects`, { issuer, subject });
  }

  unlinkSubject(person: string, issuer: string, subject: string): Promise<void> {
    return this.#post(`/v1/people/${encodeURIComponent(person)}/subjects/unlink`, { issuer, subject });
  }

  async close(): Promise<void> {
    this.#transport.close();
  }

  #change(id: string, verb: string, body: unknown = {}): Promise<Ticket> {
    return this.#post(`/v1/tickets/${encodeURIComponent(id)}/${verb}`, body);
  }

  #get<T>(path: string): Promise<T> {
    return callJson(this.#transport, { method: "GET", path });
  }

  #post<T>(path: string, body: unknown = {}): Promise<T> {
    return callJson(this.#transport, { method: "POST", path, body });
  }
}

/** Base64 in pieces: a call with a million arguments is more than engines take. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
