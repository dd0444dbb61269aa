// Taking over tickets of a store of the 0.1 draft (D36), each in a transaction of its own.
import type { DraftImport } from "@hap/protocol";
import { ContentWriter } from "../log/contents.ts";
import { createTicket, policyDenied } from "../tickets/create-ticket.ts";
import { decideCancel } from "../tickets/decide/cancel.ts";
import { decideNote } from "../tickets/decide/use.ts";
import type { PreparedTicket } from "../tickets/prepare-ticket.ts";
import type { Tickets } from "../tickets/tickets.ts";
import type { Context, Facts } from "../transaction/context.ts";
import type { Session } from "../transaction/session.ts";
import { type Imported, type ImportOptions, importDraft } from "./import-draft.ts";

/** Who writes what is imported. */
const IMPORTER = "system:import";

/** Imports of other stores. */
export class DraftImports {
  readonly #engine: Context;
  readonly #tickets: Tickets;

  constructor(engine: Context, tickets: Tickets) {
    this.#engine = engine;
    this.#tickets = tickets;
  }

  /** Take over the tickets of a store of the 0.1 draft (D36). */
  importDraft(path: string, options: ImportOptions): DraftImport {
    const check = ({ input, end }: Imported) => {
      const prepared = this.#tickets.prepare(input);
      if (end === null && prepared.verdict.verdict === "deny") throw policyDenied(prepared.verdict);
      return prepared;
    };
    const write = (ticket: Imported) => {
      const prepared = check(ticket);
      this.#engine.run((session, facts) => writeImported(session, facts, prepared, ticket));
    };
    return importDraft({ has: (id) => this.#engine.rows.ticketById(id) !== undefined, check, write }, path, options);
  }
}

/** Write all of an imported ticket, or nothing of it. It was not decided here, so no person ends it. */
function writeImported(session: Session, facts: Facts, prepared: PreparedTicket, { note, end }: Imported): void {
  const record = createTicket(session, facts, prepared);
  const contents = new ContentWriter(session.names);
  const noted = session.commit(record, decideNote(record, IMPORTER, contents.text("note", note)), contents.made);
  if (end === null) return;
  const words = new ContentWriter(session.names);
  const actor = { kind: "system" as const, id: IMPORTER };
  const cancel = { from: IMPORTER, actor, reason: words.text("reason", end), trust: facts.trust };
  session.commit(noted, decideCancel(noted, cancel), words.made);
}
