// The rights of the people in the log (draft 19.1, D38): export and deletion, for oneself or, as an owner, for somebody else.
import type { DeletePersonInput } from "../../person-data.ts";
import { operation } from "../operation.ts";
import type { Shapes } from "../shapes.ts";

const rights = { method: "POST", tag: "identity", who: "person" } as const;
const also = (s: Shapes) =>
  s
    .array(s.text(200).min(2))
    .max(20)
    .optional()
    .meta({ description: "Further words to search texts for: a full name, an address" });

/** Operations on a person's own data. */
export const rightsOperations = {
  /** Everything that the store holds about a person; changes nothing. */
  exportPerson: operation({
    ...rights,
    id: "exportPerson",
    path: "/v1/people/{person}/export",
    summary: "Everything that the store holds about a person, for that person or an owner; changes nothing",
    input: (s) => s.object({ also: also(s) }),
    output: (s) => s.personData(),
    answer: "The data",
    call: (person: string, options: { also?: readonly string[] } = {}) => ({
      person,
      also: options.also === undefined ? undefined : [...options.also],
    }),
  }),
  /** The phrase that confirms a deletion: show it to the person alone, and send what they type. */
  issueDeletionPhrase: operation({
    ...rights,
    id: "issueDeletionPhrase",
    path: "/v1/people/{person}/deletion/phrase",
    summary: "The phrase that confirms a deletion, for the page alone: a token gets the page's address",
    status: 201,
    output: (s) => s.object({ phrase: s.string(), expires_at: s.string() }),
    answer: "The phrase, for one use by this person",
    call: (person: string) => ({ person }),
  }),
  /** Delete a person, or say with `dry_run` what that would do. */
  deletePerson: operation({
    ...rights,
    id: "deletePerson",
    path: "/v1/people/{person}/deletion",
    summary:
      "Delete a person, or with `dry_run` say what that would do; for that person or an owner, with the phrase that was issued",
    input: (s) =>
      s.object({
        dry_run: s.boolean().optional(),
        phrase: s.text(200).optional(),
        mentions: s
          .union([s.enum(["erase", "keep"]), s.record(s.text(80), s.enum(["erase", "keep"]))])
          .optional()
          .meta({ description: "What to do with texts of others that name the person: all alike, or by digest" }),
        also: also(s),
        reassign_to: s.text(80).optional().meta({ description: "Who gets the open tickets; left out, they are canceled" }),
      }),
    maxBytes: 1024 * 1024,
    output: (s) => s.personDeletion(),
    answer: "What it would do, or did, and what was kept and why",
    call: (person: string, { also: words, mentions, ...input }: DeletePersonInput) => ({
      person,
      ...input,
      also: words === undefined ? undefined : [...words],
      mentions: typeof mentions === "object" ? { ...mentions } : mentions,
    }),
  }),
};
