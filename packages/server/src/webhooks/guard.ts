// Where the server may send to. An address that an owner typed must not reach what only this machine or its network reaches,
// and a name must not lead there either, when it is checked or later (SSRF, DNS rebinding).
import { lookup as resolveName } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { HapError } from "@hap/protocol";
import { isPublicAddress } from "@hap/sdk/public-address";

/** What the operator says to let webhooks reach addresses that are not public. */
const ALLOW_PRIVATE_WEBHOOKS = "--allow-private-webhooks";

/** Refuse an address by what can be seen of it: its scheme, and a number in place of a name. */
export function checkTarget(url: URL, allowPrivate: boolean, option = ALLOW_PRIVATE_WEBHOOKS): void {
  if (allowPrivate) return;
  if (url.protocol !== "https:")
    throw new HapError("invalid_input", `The address must begin with https; plain http needs a server with ${option}.`, {
      field: "url",
    });
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic(url.hostname, option);
}

/** Looks a name up and connects to what it found, and to nothing else; refuses names that lead to private addresses. */
export function guardedLookup(allowPrivate: boolean, option = ALLOW_PRIVATE_WEBHOOKS): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "", 4);
      const [first] = found;
      if (first === undefined || (!allowPrivate && found.some(({ address }) => !isPublicAddress(address))))
        return callback(notPublic(hostname, option), "", 4);
      if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** Refuse a name that leads to a private address now. One that leads nowhere may do so later. */
export async function checkName(url: URL, allowPrivate: boolean, option = ALLOW_PRIVATE_WEBHOOKS): Promise<void> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (allowPrivate || isIP(host) !== 0) return;
  await new Promise<void>((resolve, reject) => {
    guardedLookup(false, option)(host, { all: true }, (error) => (error instanceof HapError ? reject(error) : resolve()));
  });
}

function notPublic(host: string, option: string): HapError {
  return new HapError(
    "invalid_input",
    `${host.slice(0, 100)} leads to an address that is not public. A server that may send there is started with ${option}.`,
    { field: "url" },
  );
}
