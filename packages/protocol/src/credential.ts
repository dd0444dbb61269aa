// Credentials (D25): the keys by which a person signs. A passkey is held by an authenticator, an SSH key by a file or a token.
import * as z from "zod";
import type { AssuranceLevel } from "./constants.ts";
import { once } from "./once.ts";
import { base64urlSchema, tokenSchema } from "./schema/primitives.ts";
import { SIGNATURE_ALGORITHMS } from "./schema/ticket.ts";

/** What kind of key it is. */
export const CREDENTIAL_KINDS = ["passkey", "ssh"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

const MAX_TRANSPORTS = 8;

/** The domain that a passkey belongs to. */
export const rpIdSchema = once(() =>
  z.string().regex(/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,62})(\.[a-z0-9]([a-z0-9-]{0,62}))*$/, {
    error: "must be a domain name such as hap.localhost",
  }),
);

/** Where a page lives, exactly and with its port. */
export const originSchema = once(() =>
  z.string().regex(/^https?:\/\/[a-z0-9.-]{1,253}(:[1-9][0-9]{0,4})?$/, {
    error: "must be an origin such as https://hap.example.com or http://hap.localhost:8787",
  }),
);

/** A credential as the log holds it: everything that is needed to check what it signed. */
export const storedCredentialSchema = once(() =>
  z.object({
    /** A passkey's own id, or the SHA-256 of an SSH key; in base64url. */
    id: base64urlSchema(),
    kind: z.enum(CREDENTIAL_KINDS),
    algorithm: z.enum(SIGNATURE_ALGORITHMS),
    /** A passkey's SubjectPublicKeyInfo (DER), or an SSH key as it stands in a public key file; in base64url. */
    public_key: base64urlSchema(),
    rp_id: rpIdSchema().nullable(),
    origins: z.array(originSchema()).max(1),
    transports: z.array(tokenSchema()).max(MAX_TRANSPORTS),
    user_verification: z.boolean(),
    sign_count: z.int().min(0).max(0xffff_ffff),
    label: z
      .string()
      .regex(/^text:sha256:[0-9a-f]{64}$/)
      .nullable(),
  }),
);
export type StoredCredential = z.infer<ReturnType<typeof storedCredentialSchema>>;

/** Key material as it comes from a registration, or from a public key file. */
export const newCredentialSchema = once(() =>
  z.object({
    /** A passkey's id. An SSH key's is computed. */
    id: base64urlSchema().optional(),
    /** A passkey's COSE_Key or SubjectPublicKeyInfo in base64url; an SSH key as the line of its public key file. */
    public_key: z.string().min(1).max(8192),
    sign_count: z.int().min(0).max(0xffff_ffff).optional(),
    transports: z.array(tokenSchema()).max(MAX_TRANSPORTS).optional(),
    /** The authenticator verified its user when the passkey was made. */
    user_verification: z.boolean().optional(),
  }),
);
export type NewCredential = z.infer<ReturnType<typeof newCredentialSchema>>;

/** A credential as faces show it. */
export type Credential = {
  id: string;
  person: string;
  kind: CredentialKind;
  algorithm: StoredCredential["algorithm"];
  public_key: string;
  /** `SHA256:` and base64, as `ssh-keygen -l` prints it; what an anchor file holds. */
  fingerprint: string;
  label: string | null;
  rp_id: string | null;
  origins: string[];
  transports: string[];
  sign_count: number;
  user_verification: boolean;
  /** Its fingerprint is pinned where an agent cannot write. */
  anchored: boolean;
  /** What a signature by it proves. */
  level: AssuranceLevel;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
};
