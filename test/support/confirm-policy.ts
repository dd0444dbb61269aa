// Putting the user's policy in force in tests as a person does: with the phrase that the engine issues for it.
import type { PersonClient } from "@hap/sdk";

/** Confirm the policy file as it is. */
export async function confirmPolicy(person: PersonClient): Promise<void> {
  const { hash } = await person.policy();
  await person.trustPolicy({ hash, phrase: (await person.issuePolicyPhrase({ hash })).phrase });
}
