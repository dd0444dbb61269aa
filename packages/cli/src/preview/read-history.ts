// The calls in this person's transcripts since a moment, judged by the gate as it is now.
import type { Context } from "../context.ts";
import { History } from "./judge-history.ts";
import { findTranscripts, readCalls, type Transcripts } from "./read-transcripts.ts";

/** Judge them all. `canConfine`: commands can be confined on this machine. */
export async function readHistory(
  context: Context,
  since: number,
): Promise<{ history: History; transcripts: Transcripts[]; canConfine: boolean }> {
  const [{ previewCall, HOSTS: hosts }, { tryConfinement }] = await Promise.all([
    import("@hap/door-hook/preview"),
    import("@hap/sandbox"),
  ]);
  const transcripts = findTranscripts(hosts, context.home, context.env, since);
  const canConfine = tryConfinement().kind !== null;
  const place = { home: context.home, path: context.env.PATH ?? "", canConfine };
  const history = new History((call) => previewCall(call, place));
  const seen = new Set<string>();
  for (const { host, files } of transcripts)
    for (const file of files) for await (const call of readCalls({ host, hosts }, file, since, seen)) await history.add(call);
  return { history, transcripts, canConfine };
}
