// The trust class of a server is derived (D1): from the owner of the store, the listening address and TLS. A flag can state
// what must hold, or claim less; it never makes a class stronger.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { HapError, TRUST_CLASSES, type TrustClass } from "@hap/protocol";
import { isLoopback, type ServeOptions } from "./options.ts";

/** What the class follows from. */
export type TrustFacts = {
  /** The owner's name, and whether somebody can log in as them; root always can. */
  owner: string;
  ownerCanLogIn: boolean;
  /** The store's folder, or one above it, can be written by somebody else. */
  othersCanWrite: boolean;
  /** People reach it from other machines over TLS, its own or that of a stated proxy. */
  reached: "loopback" | "tls" | "proxy";
};

const noLogin = /\/(?:nologin|false)$/;

/** The class, and why it is not a stronger one. */
export function deriveTrust({ owner, ownerCanLogIn, othersCanWrite, reached }: TrustFacts): { trust: TrustClass; why: string } {
  if (ownerCanLogIn) return { trust: "open", why: `the store belongs to ${owner}, as whom programs can log in` };
  if (othersCanWrite) return { trust: "open", why: "another user can write the store's folder, or one above it" };
  if (reached === "loopback") return { trust: "apart", why: "it listens on this machine alone" };
  return { trust: "remote", why: `it is reached over TLS${reached === "proxy" ? ", through a stated proxy" : ""}` };
}

/** The class that is recorded: the derived one, or a weaker one that was stated. A stronger claim is refused. */
export function trustInForce(stated: TrustClass | undefined, facts: TrustFacts): TrustClass {
  const { trust, why } = deriveTrust(facts);
  if (stated === undefined) return trust;
  const rank = (name: TrustClass) => TRUST_CLASSES.indexOf(name);
  if (!TRUST_CLASSES.includes(stated))
    throw new HapError("invalid_input", `trust is ${String(stated).slice(0, 40)}; it must be open, apart or remote.`, {
      field: "trust",
    });
  if (rank(stated) <= rank(trust)) return stated;
  throw new HapError(
    "invalid_input",
    `This server cannot be ${stated}: ${why}, so it is ${trust}. For apart, run \`hap serve --apart\`; for remote, give its own user without login also --host with --tls-cert, or --allow-plain-http with --public-url https://... behind a proxy.`,
    { field: "trust", derived: trust },
  );
}

/** Read the facts for a store that may not exist yet; null for one in a database, whose owner is whoever this process runs as. */
export function readTrustFacts(dbPath: string | null, options: ServeOptions, passwd = "/etc/passwd"): TrustFacts {
  const place = dbPath === null ? null : existing(dbPath);
  const uid = place === null ? (process.getuid?.() ?? 0) : statSync(place).uid;
  const entry = existsSync(passwd)
    ? readFileSync(passwd, "utf8")
        .split("\n")
        .map((line) => line.split(":"))
        .find((fields) => Number(fields[2]) === uid && fields.length >= 7)
    : undefined;
  return {
    owner: entry?.[0] ?? `user ${uid}`,
    // Where nobody says otherwise, programs can run as that user.
    ownerCanLogIn: uid === 0 || entry === undefined || !noLogin.test(entry[6] as string),
    othersCanWrite: place !== null && writableByOthers(place, uid),
    reached: reachedBy(options),
  };
}

function reachedBy(options: ServeOptions): TrustFacts["reached"] {
  const proxied = options.publicUrl?.startsWith("https://") === true && options.tls === undefined;
  if (proxied) return "proxy";
  return options.tls !== undefined && !isLoopback(options.host ?? "127.0.0.1") ? "tls" : "loopback";
}

function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}

/** True if somebody but root and the owner can replace this file or a folder on the way to it. */
function writableByOthers(path: string, uid: number): boolean {
  const { mode, uid: owner } = statSync(path);
  const sticky = (mode & 0o1000) !== 0;
  if ((owner !== uid && owner !== 0) || ((mode & 0o022) !== 0 && !sticky)) return true;
  const above = dirname(path);
  return above === path ? false : writableByOthers(above, uid);
}
