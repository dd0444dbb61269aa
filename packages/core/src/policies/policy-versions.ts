// The policies that were in force: each confirmation is an event, and the texts are kept beside it by their hash (D58).
import { HapError, type PolicyVersion, prefixedHash, quote } from "@hap/protocol";
import type { StoreReader, StoreWriter } from "../store/store.ts";
import { sha256 } from "../transaction/facts.ts";
import { NO_POLICY } from "./confirmed-policy.ts";

/** How many confirmations are listed, and have their text kept. */
const MOST = 100;
const LIST = "policy_versions";
const textKey = (hash: string) => `policy_text:${hash}`;

type Kept = { seq: number; hash: string };

function readKept(rows: Pick<StoreReader, "config">): Kept[] {
  return JSON.parse(rows.config(LIST) ?? "[]") as Kept[];
}

/** Keep what the event at `seq` confirmed. */
export function keepVersion(tx: StoreWriter, { seq, hash, text }: Kept & { text: string }): void {
  const all = [...readKept(tx), { seq, hash }];
  const kept = all.slice(-MOST);
  tx.setConfig(LIST, JSON.stringify(kept));
  tx.setConfig(textKey(hash), text);
  for (const old of all.slice(0, -MOST)) if (!kept.some((one) => one.hash === old.hash)) tx.setConfig(textKey(old.hash), null);
}

/** What is wrong with the kept confirmations, given those of the log by their places; null if nothing is. */
export function versionsProblem(rows: Pick<StoreReader, "config">, confirmed: ReadonlyMap<number, string>): string | null {
  let kept: Kept[];
  try {
    kept = readKept(rows);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return "the list of confirmed policies cannot be read";
  }
  for (const { seq, hash } of kept) {
    if (confirmed.get(seq) !== hash) return "the list of confirmed policies names one that the log does not";
    const text = rows.config(textKey(hash));
    if (text !== undefined && prefixedHash(text, sha256) !== hash)
      return `the text of the policy ${hash} is not the one that was confirmed`;
  }
  return null;
}

/** Confirmations, the newest first. */
export function listVersions(rows: StoreReader): PolicyVersion[] {
  const current = rows.config("trusted_policy");
  const all = readKept(rows).flatMap(({ seq, hash }): PolicyVersion[] => {
    const event = JSON.parse(rows.eventAt(seq)?.payload ?? "null") as { from: string; ts: string } | null;
    if (event === null) return [];
    const by = rows.nameOf(event.from) ?? event.from;
    return [
      { hash, by, at: event.ts, in_force: false, text_kept: hash === NO_POLICY || rows.config(textKey(hash)) !== undefined },
    ];
  });
  const last = all.at(-1);
  if (last !== undefined && last.hash === current) last.in_force = true;
  return all.reverse();
}

/** The text of one that was confirmed, by its hash or the beginning of it. */
export function versionText(rows: StoreReader, wanted: string): { hash: string; text: string } {
  const hashes = new Set([...readKept(rows).map(({ hash }) => hash), rows.config("trusted_policy") ?? NO_POLICY]);
  const found = [...hashes].filter((hash) => hash === wanted || hash.startsWith(`sha256:${wanted.replace(/^sha256:/, "")}`));
  const [hash] = found;
  if (hash === undefined || found.length > 1)
    throw new HapError(
      "invalid_policy",
      `${found.length === 0 ? "No policy" : "More than one policy"} with the hash ${quote(wanted)} was confirmed here. \`hap policy history\` lists them.`,
      { hash: wanted },
    );
  const text = hash === rows.config("trusted_policy") ? rows.config("trusted_policy_text") : rows.config(textKey(hash));
  if (text !== undefined || hash === NO_POLICY) return { hash, text: text ?? "" };
  throw new HapError("content_erased", `The text of ${hash} was erased with a person whom it named.`, { hash });
}

/** Delete the texts that name a person, but for the one in force, which blocks the deletion. */
export function forgetInVersions(tx: StoreWriter, name: string): void {
  for (const { hash } of readKept(tx)) {
    const text = tx.config(textKey(hash));
    if (text?.includes(JSON.stringify(name))) tx.setConfig(textKey(hash), null);
  }
}
