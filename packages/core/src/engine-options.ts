// How an engine is opened.
import { HapError, quote, TRUST_CLASSES, type TrustClass } from "@hap/protocol";
import type { SignatureVerifier } from "./credentials/verify-signature.ts";
import type { OpenedStore } from "./store/store.ts";
import type { World } from "./transaction/facts.ts";

/** Options of an engine; everything has a default. */
export type HapEngineOptions = {
  /** Path of the store; `~` is the home folder. Default HAP_DB_PATH, else ~/.hap/hap.db. */
  dbPath?: string | undefined;
  /** The space whose log the store holds. Default `default`. */
  space?: string | undefined;
  /** Who acts when a call does not say. Default HAP_HUMAN_ID; unset, the addressee of the ticket at hand. */
  humanId?: string | undefined;
  /** The home folder, where the user's policy is. */
  home?: string | undefined;
  /** Time and randomness; given by tests. */
  world?: World | undefined;
  trust?: TrustClass | undefined;
  /** Share the open store with other engines in this process that say so too. */
  shared?: boolean | undefined;
  /** How long to try for the write lock before `store_busy`. */
  busyMs?: number | undefined;
  verifySignature?: SignatureVerifier | undefined;
  /** The file of pinned fingerprints (D25). Default /etc/hap/anchors. */
  anchorsFile?: string | undefined;
  /** The file system's type of a folder; given by tests. */
  fileSystemType?: ((folder: string) => number) | undefined;
  /** A store that is open already, in place of a file. */
  store?: OpenedStore | undefined;
};

/** Options of `HapEngine.open`: the store may take a while to open. */
export type OpenEngineOptions = Omit<HapEngineOptions, "store"> & {
  store?: OpenedStore | (() => Promise<OpenedStore>) | undefined;
};

/** Refuse a trust class that no reader of the log knows. */
export function checkTrust(trust: TrustClass): TrustClass {
  if (TRUST_CLASSES.includes(trust)) return trust;
  throw new HapError("invalid_input", `The trust class is ${quote(String(trust))}; it must be ${TRUST_CLASSES.join(", ")}.`, {
    field: "trust",
  });
}
