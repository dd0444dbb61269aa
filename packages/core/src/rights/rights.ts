// The rights of the people in the log (draft 19.1) on the engine: export and deletion, by the person themselves or by an owner.
import { type DeletePersonInput, HapError, type PersonData, type PersonDeletion, parseHumanId } from "@hap/protocol";
import { type Act, hashActPhrase, issueActPhrase, takeActPhrase } from "../credentials/act-phrases.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { drawPhrase, type IssuedPhrase } from "../credentials/phrases.ts";
import type { SlowHashes } from "../credentials/slow-hash.ts";
import { eraseInBackups } from "../log/erase-in-backups.ts";
import { assertOwner, roleIn } from "../people/owners.ts";
import { enlistPerson } from "../people/people.ts";
import type { DirectoryRow, StoreReader } from "../store/store.ts";
import type { Context, Facts } from "../transaction/context.ts";
import { Refused } from "../transaction/refused.ts";
import type { Session } from "../transaction/session.ts";
import { assertReady, carryOut, planDeletion } from "./delete-person.ts";
import { exportPerson } from "./export-person.ts";

/** Export and deletion of a person's data. */
export class Rights {
  readonly #engine: Context;
  readonly #credentials: Credentials;

  constructor(engine: Context, credentials: Credentials) {
    this.#engine = engine;
    this.#credentials = credentials;
  }

  /** Everything in the store that is a person's. `also` are further words to search texts of others for. */
  exportPerson(person: string, by: string, options: { also?: readonly string[] | undefined } = {}): PersonData {
    const { rows } = this.#engine;
    const facts = this.#engine.facts();
    const row = subjectOf(rows, facts, { person, by, what: "export the data of somebody else" });
    const keys = this.#credentials.credentials({ person: row.name });
    const credentials = keys.map((key) => ({ ...key }) as PersonData["credentials"][number]);
    const role = roleIn(rows, facts, row.name);
    const context = { now: this.#engine.now(), role, credentials, also: options.also ?? [] };
    return this.#engine.store.read(() => exportPerson(rows, row, context));
  }

  /** The phrase that confirms a deletion; show it to the person at the terminal or page, and to no program. */
  issueDeletionPhrase(person: string, by: string): IssuedPhrase {
    const draw = drawPhrase(this.#engine.random);
    return this.#engine.run((session, facts) => {
      const row = subjectOf(session.tx, facts, { person, by, what: DELETE });
      return issueActPhrase(session, actOf(row), enlistPerson(session, by), draw);
    });
  }

  /** Delete a person, or say what that would do. A deletion takes the phrase that was issued for it. */
  deletePerson(person: string, by: string, input: DeletePersonInput): PersonDeletion {
    const { rows, store } = this.#engine;
    const subject = subjectOf(rows, this.#engine.facts(), { person, by, what: DELETE });
    if (input.dry_run === true) return store.read(() => planDeletion(rows, subject, input).plan);
    const hashes = hashActPhrase(rows, actOf(subject), rows.handleOf(parseHumanId(by, "by")), input.phrase);
    const plan = this.#engine.run((session, facts) => deletePerson(session, facts, { person, by, input, hashes }));
    let backups: PersonDeletion["backups"] = [];
    this.#engine.runner.afterCommit(() => {
      store.scrub();
      backups = eraseInBackups(store, this.#engine.copyTools());
    });
    return { ...plan, backups };
  }
}

const DELETE = "delete somebody else";

/** Take the phrase, then carry the plan out. A wrong guess counts; a plan that would be refused does not use the phrase up. */
function deletePerson(
  session: Session,
  facts: Facts,
  { person, by, input, hashes }: { person: string; by: string; input: DeletePersonInput; hashes: SlowHashes },
): PersonDeletion | Refused {
  const row = subjectOf(session.tx, facts, { person, by, what: DELETE });
  const planned = planDeletion(session.tx, row, input);
  assertReady(planned.plan);
  if (input.phrase === undefined)
    throw new HapError("confirmation_needed", `Deleting ${row.name} cannot be undone: it is confirmed by a phrase.`, {
      field: "phrase",
    });
  const from = enlistPerson(session, by);
  const wrong = takeActPhrase(session, actOf(row), from, input.phrase, hashes);
  if (wrong !== null) return new Refused(wrong);
  carryOut(session, row, planned, { ...input, from });
  return planned.plan;
}

/** The person's row, for themselves or an owner. To others, whether a person is known is not said. */
function subjectOf(
  rows: StoreReader,
  facts: Facts,
  { person, by, what }: { person: string; by: string; what: string },
): DirectoryRow {
  const name = parseHumanId(person, "person");
  if (parseHumanId(by, "by") !== name) assertOwner(rows, facts, by, what);
  const row = rows.listPeople().find((known) => known.name === name);
  if (row !== undefined) return row;
  throw new HapError("person_unknown", `This store knows no ${name}. \`hap people\` lists those that it knows.`, {
    person: name,
  });
}

function actOf({ handle, name }: DirectoryRow): Act {
  return { key: `delete:${handle}`, words: `delete ${name}` };
}
