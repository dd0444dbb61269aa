// Signatures and keys from outside are bytes: whatever they are, they are refused in our words and crash nothing.
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { isHapError, type Signature, type Statement } from "@hap/protocol";
import { describe, expect, it } from "vitest";
import { SEED } from "../../../test/support/seed.ts";
import { keepKey } from "../src/credentials/public-key.ts";
import { type UsedCredential, verifyEnrolled } from "../src/index.ts";
import { coseKey } from "./signing/authenticator.ts";

type Vector = {
  result: string;
  input: { statement: Statement; signature: Signature; credential: Record<string, unknown>; anchored: boolean };
};
const { tests } = JSON.parse(readFileSync(new URL("../../../spec/vectors/signatures.json", import.meta.url), "utf8")) as {
  tests: Vector[];
};
const good = tests.filter(({ result }) => result === "valid");

/** A generator that a seed repeats. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Bytes with one of them changed, or a piece taken out or put in. */
function mutate(bytes: Buffer, random: (below: number) => number): Buffer {
  const at = random(bytes.length);
  const piece = Buffer.from(Array.from({ length: 1 + random(8) }, () => random(256)));
  const kind = random(3);
  if (kind === 0) return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + piece.length)]);
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] as number) ^ (1 << random(8));
  return changed;
}

function check({ statement, signature, credential, anchored }: Vector["input"]): void {
  const record = {
    ...{ id: credential.id, person: credential.person, kind: credential.kind, algorithm: credential.algorithm },
    ...{ publicKey: credential.public_key, rpId: credential.rp_id, origins: credential.origins },
    ...{ revokedAt: null, signCount: credential.sign_count },
  } as unknown as UsedCredential;
  verifyEnrolled(signature, statement, statement.from, { credential: () => record, anchored: () => anchored });
}

describe(`bytes from outside (seed ${SEED})`, () => {
  it("[SIGN-REFUSE-1] a changed signature is never accepted and never breaks anything", () => {
    const random = chance(SEED);
    for (let round = 0; round < 400; round++) {
      const { input } = good[random(good.length)] as Vector;
      check(input);
      const fields = (["value", "authenticator_data", "client_data_json"] as const).filter((name) => input.signature[name]);
      const field = fields[random(fields.length)] as (typeof fields)[number];
      const before = Buffer.from(input.signature[field] as string, "base64url");
      const after = mutate(before, random);
      if (after.equals(before)) continue;
      const changed = { ...input, signature: { ...input.signature, [field]: after.toString("base64url") } };
      expect(
        outcome(() => check(changed)),
        `round ${round}: ${field} ${after.toString("base64url")}`,
      ).toBe("refused");
    }
  });

  it("[CRED-KEY-1] a changed key is read or refused, and never breaks anything", () => {
    const random = chance(SEED);
    const cose = coseKey(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey, "ES256");
    const keys = good.map(({ input }) => input.credential);
    for (let round = 0; round < 600; round++) {
      const { kind, public_key } = keys[random(keys.length)] as { kind: "passkey" | "ssh"; public_key: string };
      const bytes = mutate(random(4) === 0 ? cose : Buffer.from(public_key, "base64url"), random);
      const given = kind === "ssh" ? `ssh-ed25519 ${bytes.toString("base64")}` : bytes.toString("base64url");
      expect(["refused", "read"], `round ${round}: ${kind} ${given}`).toContain(outcome(() => keepKey(kind, given), "read"));
    }
  });
});

function outcome(act: () => unknown, done = "accepted"): string {
  try {
    act();
    return done;
  } catch (error) {
    return isHapError(error) ? "refused" : `broke: ${error}`;
  }
}
