// HapEngine: the public face of the core, composed of one module per subject (D39). Synchronous, as the draft's examples use it;
// `later` runs several calls in one transaction. Every write first applies the leases that are due (D9).
import { DEFAULT_SPACE, DEFAULTS, type LoggedEvent, type Ticket } from "@hap/protocol";
import { composed } from "./compose.ts";
import { Conversations } from "./conversations/conversations.ts";
import { ANCHORS_FILE, Anchors } from "./credentials/anchors.ts";
import { Credentials } from "./credentials/credentials.ts";
import { verifyEnrolled } from "./credentials/verify-signature.ts";
import { type DecideOptions, Decisions } from "./decisions/decisions.ts";
import { HeldDecisions } from "./decisions/held.ts";
import { defaultHome, localPerson, resolveDbPath, statedPerson } from "./defaults.ts";
import { DraftImports } from "./draft/draft-imports.ts";
import { checkTrust, type HapEngineOptions, type OpenEngineOptions } from "./engine-options.ts";
import { Grants } from "./grants/grants.ts";
import { Keys } from "./keys/keys.ts";
import { Log } from "./log/log.ts";
import { Identity } from "./people/identity.ts";
import { SignIns } from "./people/sign-ins.ts";
import { PoliciesInForce } from "./policies/policies-in-force.ts";
import { PolicyCommands } from "./policies/policy-commands.ts";
import { StoredPolicies } from "./policies/stored-policies.ts";
import { Push } from "./push/push.ts";
import { Rights } from "./rights/rights.ts";
import { openSqlite } from "./store/sqlite/open-sqlite.ts";
import type { By } from "./tickets/by.ts";
import { TicketQueries } from "./tickets/ticket-queries.ts";
import { Tickets } from "./tickets/tickets.ts";
import { Context } from "./transaction/context.ts";
import { realWorld } from "./transaction/facts.ts";
import { Runner } from "./transaction/runner.ts";
import type { EventListener } from "./waiting/feed.ts";
import { Waiters, type WaitForOptions } from "./waiting/waiters.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

const Modules = composed({
  tickets: Tickets,
  queries: TicketQueries,
  decisions: Decisions,
  held: HeldDecisions,
  conversations: Conversations,
  identity: Identity,
  signIns: SignIns,
  credentials: Credentials,
  keys: Keys,
  policies: PolicyCommands,
  grants: Grants,
  webhooks: Webhooks,
  push: Push,
  log: Log,
  rights: Rights,
  imports: DraftImports,
});

/** The engine on one store. */
export class HapEngine extends Modules {
  readonly path: string;
  readonly home: string;
  readonly trust: Context["trust"];
  readonly localPerson: string;
  readonly #context: Context;
  readonly #waiters: Waiters;

  constructor(options: HapEngineOptions | string = {}) {
    const context = openContext(typeof options === "string" ? { dbPath: options } : options);
    const tickets = new Tickets(context);
    const credentials = new Credentials(context);
    super({
      tickets,
      queries: new TicketQueries(context),
      decisions: new Decisions(context),
      held: new HeldDecisions(context),
      conversations: new Conversations(context, tickets),
      identity: new Identity(context),
      signIns: new SignIns(context),
      credentials,
      keys: new Keys(context),
      policies: new PolicyCommands(context, tickets),
      grants: new Grants(context, tickets),
      webhooks: new Webhooks(context),
      push: new Push(context),
      log: new Log(context),
      rights: new Rights(context, credentials),
      imports: new DraftImports(context, tickets),
    });
    this.#context = context;
    this.path = context.store.path;
    this.home = context.home;
    this.trust = context.trust;
    this.localPerson = context.localPerson;
    this.#waiters = new Waiters(context);
    try {
      this.wakeForHeld();
      this.applyDueLeases();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Open an engine on a store that takes a while to open; without one, the same as the constructor. */
  static async open(options: OpenEngineOptions = {}): Promise<HapEngine> {
    const store = typeof options.store === "function" ? await options.store() : options.store;
    return new HapEngine({ ...options, store });
  }

  /**
   * Run `work`, which may call any method of this engine, in a transaction shared with everything else that was asked for in
   * this turn of the event loop: one sync to disk for all. Resolves once it is durable. A store may run `work` more than once.
   */
  later<T>(work: () => T): Promise<T> {
    return this.#context.runner.later(work);
  }

  /** From now on the person of this engine is the one whom this store takes for its own, wherever nobody says otherwise. */
  rememberPerson(): void {
    const context = this.#context;
    if (context.rows.config(LOCAL_PERSON) !== this.localPerson)
      context.write((rows) => rows.setConfig(LOCAL_PERSON, this.localPerson));
  }

  /** Apply leases that are due now. */
  applyDueLeases(): void {
    this.#context.applyDueLeases();
  }

  /** Wait until the ticket has ended, or for `timeout` milliseconds; resolves with the ticket as it is then. */
  waitFor(id: string, options: WaitForOptions = {}): Promise<Ticket> {
    return this.#waiters.waitFor(id, options);
  }

  /** End every wait for a ticket in this process with this error; a server that stops has told its callers then. */
  endWaits(why: Error): void {
    this.#waiters.endWaits(why);
  }

  /** Events as they come, after a cursor or from the first on, until the signal aborts or the engine is disposed. */
  follow(options: { after?: string | undefined; signal?: AbortSignal | undefined } = {}): AsyncGenerator<LoggedEvent[]> {
    return this.#waiters.follow(options);
  }

  /**
   * Call `listen` with every event from now on, each once and in order, of this and other processes; returns how to stop. Events
   * of this process are handed over as they are, right after their commit: do not change them, and do not throw.
   */
  watchEvents(listen: EventListener): () => void {
    return this.#waiters.watchEvents(listen);
  }

  /** Close the store. Waiters get an error. */
  dispose(): void {
    this.stopHeldTimer();
    this.#waiters.close();
    this.#context.close();
  }

  // The names of the draft's runtime.

  /** Same as `deliver`. */
  deliverTicket(id: string, by: By = {}): Ticket {
    return this.deliver(id, by);
  }

  /** Same as `ack`. */
  ackTicket(id: string, note?: string, options: By & { lapseSeconds?: number | undefined } = {}): Ticket {
    return this.ack(id, note, options);
  }

  /** Same as `approve`. */
  approveTicket(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.approve(id, comment, options);
  }

  /** Same as `reject`. */
  rejectTicket(id: string, comment?: string, options: DecideOptions = {}): Ticket {
    return this.reject(id, comment, options);
  }

  /** Same as `cancel`. */
  cancelTicket(id: string, reason?: string, by: By = {}): Ticket {
    return this.cancel(id, reason, by);
  }
}

/** Under which key the store remembers its person. */
const LOCAL_PERSON = "local_person";

/** The agent that a caller is when it does not say. */
export const LOCAL_AGENT = DEFAULTS.agent;

function openContext(options: HapEngineOptions): Context {
  const home = options.home ?? defaultHome();
  const trust = checkTrust(options.trust ?? "open");
  const stated = statedPerson(options.humanId);
  const { now, steadySince } = options.store ?? {};
  const timed = { ...(now === undefined ? {} : { now }), ...(steadySince === undefined ? {} : { steadySince }) };
  const world = options.world ?? { ...realWorld(), ...timed };
  const runner = openRunner(options, resolveDbPath(options.dbPath, home), { trust, world });
  return new Context({
    home,
    trust,
    world,
    statedPerson: stated,
    localPerson: localPerson(options.humanId, runner.rows.config(LOCAL_PERSON)),
    runner,
    // Several machines share a database, and no file: the space has its policy there.
    policies: runner.store.writeLater === undefined ? new PoliciesInForce(home) : new StoredPolicies(runner.rows.space, home),
    verifySignature: options.verifySignature ?? verifyEnrolled,
    anchors: new Anchors(options.anchorsFile ?? ANCHORS_FILE),
  });
}

/** Open the store, or share it. A test's clock, file system or store is its own. */
function openRunner(options: HapEngineOptions, path: string, running: ConstructorParameters<typeof Runner>[1]): Runner {
  const { store, space = DEFAULT_SPACE, busyMs, fileSystemType } = options;
  if (store !== undefined) return new Runner(store, running);
  const open = () =>
    new Runner(openSqlite({ path, space, busyMs, ...(fileSystemType === undefined ? {} : { fileSystemType }) }), running);
  if (!options.shared || options.world !== undefined || fileSystemType !== undefined) return open();
  return Runner.shared(path, JSON.stringify([running.trust, busyMs, space, path]), open);
}
