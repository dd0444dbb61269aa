// The rights of the people in the log (draft 19.1) on the engine: export and deletion, by the person themselves or by an owner.
import { type DeletePersonInput, HapError, type PersonData, type PersonDeletion, parseHumanId } from "@hap/protocol";
import { type Act, issueActPhrase, takeActPhrase } from "../credentials/act-phrases.ts";
import type { IssuedPhrase } from "../credentials/phrases.ts";
import { eraseInBackups } from "../log/erase-in-backups.ts";
import { enlist } from "../people/people.ts";
import { PushEngine } from "../push/push-engine.ts";
import type { DirectoryRow, StoreReader } from "../store/store.ts";
import type { Session } from "../transaction/session.ts";
import { assertReady, carryOut, planDeletion } from "./delete-person.ts";
import { exportPerson } from "./export-person.ts";

export abstract class RightsEngine extends PushEngine {
  /** Everything in the store that is a person's. `also` are further words to search texts of others for. */
  exportPerson(person: string, by: string, options: { also?: readonly string[] | undefined } = {}): PersonData {
    const row = this.#subject(this.store, person, by, "export the data of somebody else");
    const credentials = this.credentials({ person: row.name }).map((key) => ({ ...key }) as PersonData["credentials"][number]);
    const context = { now: this.now(), role: this.roleOf(row.name), credentials, also: options.also ?? [] };
    return this.store.read(() => exportPerson(this.store, row, context));
  }

  /** The phrase that confirms a deletion; show it to the person at the terminal or page, and to no program. */
  issueDeletionPhrase(person: string, by: string): IssuedPhrase {
    return this.run((session) => {
      const row = this.#subject(session.tx, person, by, "delete somebody else");
      return issueActPhrase(session, actOf(row), enlist(session, parseHumanId(by, "by")), this.random);
    });
  }

  /** Delete a person, or say what that would do. A deletion takes the phrase that was issued for it. */
  deletePerson(person: string, by: string, input: DeletePersonInput): PersonDeletion {
    if (input.dry_run === true)
      return this.store.read(
        () => planDeletion(this.store, this.#subject(this.store, person, by, "delete somebody else"), input).plan,
      );
    const refused = this.run((session) => this.#takePhrase(session, person, by, input));
    if (refused !== null) throw refused;
    const plan = this.run((session) => {
      const row = this.#subject(session.tx, person, by, "delete somebody else");
      const planned = planDeletion(session.tx, row, input);
      carryOut(session, row, planned, { ...input, from: enlist(session, parseHumanId(by, "by")) });
      return planned.plan;
    });
    this.store.scrub();
    return { ...plan, backups: eraseInBackups(this.store, this.copyTools()) };
  }

  /** In a transaction of its own: a wrong guess counts. A plan that would be refused anyway does not use the phrase up. */
  #takePhrase(session: Session, person: string, by: string, input: DeletePersonInput): HapError | null {
    const row = this.#subject(session.tx, person, by, "delete somebody else");
    assertReady(planDeletion(session.tx, row, input).plan);
    if (input.phrase === undefined)
      return new HapError("confirmation_needed", `Deleting ${row.name} cannot be undone: it is confirmed by a phrase.`, {
        field: "phrase",
      });
    return takeActPhrase(session, actOf(row), enlist(session, parseHumanId(by, "by")), input.phrase);
  }

  /** The person's row, for themselves or an owner. To others, whether a person is known is not said. */
  #subject(store: StoreReader, person: string, by: string, what: string): DirectoryRow {
    const name = parseHumanId(person, "person");
    if (parseHumanId(by, "by") !== name) this.assertOwner(by, what);
    const row = store.listPeople().find((known) => known.name === name);
    if (row !== undefined) return row;
    throw new HapError("person_unknown", `This store knows no ${name}. \`hap people\` lists those that it knows.`, {
      person: name,
    });
  }
}

function actOf({ handle, name }: DirectoryRow): Act {
  return { key: `delete:${handle}`, words: `delete ${name}` };
}
