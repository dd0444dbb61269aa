// Approve as a person does: get the phrase that the engine issues, and send it back typed (D3).
import type { DecideOptions, PersonClient } from "@hap/sdk";

/** A yes with the phrase, critical or not. */
export async function approveTyped(person: PersonClient, id: string, comment = "", more: DecideOptions = {}) {
  const { phrase } = await person.issuePhrase(id);
  return person.approve(id, comment, { ...more, phrase });
}
