// The identity of a call (D17): the same call made again, by a retry or another session, has the same hash.
import type { Json } from "./canonical-json.ts";
import { DEFAULT_SPACE } from "./constants.ts";
import { hashJson, type Sha256 } from "./hash.ts";

/** What makes two calls the same; never a session or a call id. Operands are files by name with the hash of their bytes. */
export type CallIdentity = {
  agent: string;
  project: string | null;
  tool: string;
  input: Json;
  operands?: Record<string, string>;
  space?: string;
};

/** `sha256:` of the canonical JSON of a call. */
export function callHash(call: CallIdentity, sha256: Sha256): string {
  return hashJson(
    {
      space: call.space ?? DEFAULT_SPACE,
      agent: call.agent,
      project: call.project,
      tool: call.tool,
      input: call.input,
      operands: call.operands ?? {},
    },
    sha256,
  );
}
