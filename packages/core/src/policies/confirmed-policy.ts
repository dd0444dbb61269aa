// The policy that a person confirmed last (D5), kept in the store word for word. Read through the transaction at hand, so that
// what another command has just confirmed counts; parsing is cached by the text's hash.
import { HapError, prefixedHash } from "@hap/protocol";
import type { StoreReader } from "../store/store.ts";
import { sha256 } from "../transaction/facts.ts";
import { type Policies, type Policy, readPolicy } from "./policy.ts";

/** The hash that stands for "no policy": that of an empty text. */
export const NO_POLICY = prefixedHash("", sha256);

const parsed = new Map<string, Policy>();
const PARSED_MOST = 16;

/** The confirmed policy as these rows have it, or null. `path` is the file that verdicts name. */
export function confirmedPolicy(rows: Pick<StoreReader, "config">, path: string): Policy | null {
  const hash = rows.config("trusted_policy");
  if (hash === undefined || hash === NO_POLICY) return null;
  return parsed.get(`${hash} ${path}`) ?? parse(hash, rows.config("trusted_policy_text") ?? "", path);
}

/**
 * The same for what names no file: groups and quorums. Its reads do not depend on the cache, so that the command which confirms a
 * policy can be suspended at each of them (D39).
 */
export function policyInForce(rows: Pick<StoreReader, "config">): Policy | null {
  const [hash, text] = [rows.config("trusted_policy"), rows.config("trusted_policy_text")];
  if (hash === undefined || hash === NO_POLICY) return null;
  return parsed.get(`${hash} `) ?? parse(hash, text ?? "", "");
}

function parse(hash: string, text: string, path: string): Policy {
  if (prefixedHash(text, sha256) !== hash)
    throw new HapError(
      "integrity_violation",
      `The confirmed policy in the store is not the one that was confirmed (${hash}). Run \`hap verify\`.`,
      { hash },
    );
  const policy = readPolicy(text, path);
  const [oldest] = parsed.keys();
  if (parsed.size >= PARSED_MOST && oldest !== undefined) parsed.delete(oldest);
  parsed.set(`${hash} ${path}`, policy);
  return policy;
}

/** What decides who may decide: the confirmed policy alone, so that a broken or changed file stops nobody's no. */
export function confirmedPolicies(rows: Pick<StoreReader, "config">, { policyPath }: { policyPath: string }): Policies {
  return { confirmed: confirmedPolicy(rows, policyPath), changed: null, project: null };
}
