// What a deletion leaves, and why: the report says so instead of leaving it out.
import type { HapEvent, PersonDeletion } from "@hap/protocol";
import type { StoreReader } from "../store/store.ts";

type Kept = PersonDeletion["kept"];

/** The list for one handle, from the events that name it. */
export function keptOf(store: StoreReader, handle: string, events: readonly HapEvent[]): Kept {
  const votes = events.filter((event) => event.type === "intent.sign" && event.intent.from === handle).length;
  const keys = store.credentialsOf(handle).length;
  const made = store.listKeys().filter(({ createdBy }) => createdBy === handle).length;
  const webhooks = store
    .listWebhooks()
    .filter(({ createdBy, filter }) => createdBy === handle || filter.person === handle).length;
  const escalations = store
    .listTickets({ limit: Number.MAX_SAFE_INTEGER })
    .filter(
      ({ to, ticket, resolution }) => resolution === null && to !== handle && ticket.lease.escalate?.to.includes(handle),
    ).length;
  return [
    {
      what: `${events.length} events that name the handle ${handle}`,
      why: "Events are never changed, or the log would not verify. Without the name, the handle says nothing about anyone.",
    },
    ...count(votes, "decisions, with their times and evidence", "They are what the log proves. Their words are erased."),
    ...count(
      keys,
      "public keys and the signatures made with them",
      "Old signatures are verified with them. The keys are revoked.",
    ),
    {
      what: "texts that agents and others wrote about other things",
      why: "They are not this person's. Those that hold the name or an address are listed for a decision.",
    },
    {
      what: "diff_hash, bytes_hash, presentation_hash and call_hash",
      why: "They bind what was decided. Only somebody who has the exact bytes can recognise them.",
    },
    ...count(made, "API keys of agents that the person made", "Agents use them. Revoke them with `hap key revoke`."),
    ...count(
      webhooks,
      "webhooks that the person made or that are narrowed to them",
      "They may be in use. See `hap webhook list`.",
    ),
    ...count(
      escalations,
      "open tickets of others that would escalate to the person",
      "They end by their own lease if nobody decides.",
    ),
    { what: "policy files, logs of the server and copies made by other programs", why: "HAP does not manage them." },
  ];
}

function count(number: number, what: string, why: string): Kept {
  return number === 0 ? [] : [{ what: `${number} ${what}`, why }];
}
