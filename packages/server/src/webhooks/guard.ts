// Where the server may send to. An address that an owner typed must not reach what only this machine or its network reaches,
// and a name must not lead there either, when it is checked or later (SSRF, DNS rebinding).
import { lookup as resolveName } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { HapError } from "@hap/protocol";

/** What the operator says to let webhooks reach addresses that are not public. */
const ALLOW_PRIVATE_WEBHOOKS = "--allow-private-webhooks";

const reserved = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  reserved.addSubnet(net, bits, "ipv4");
// Inside the global range: documentation, and tunnels that carry an IPv4 address within.
for (const [net, bits] of [
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  reserved.addSubnet(net, bits, "ipv6");
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** True for an address of the public internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !reserved.check(address, "ipv4");
  return isIP(address) === 6 && globalUnicast.check(address, "ipv6") && !reserved.check(address, "ipv6");
}

/** Refuse an address by what can be seen of it: its scheme, and a number in place of a name. */
export function checkTarget(url: URL, allowPrivate: boolean, option = ALLOW_PRIVATE_WEBHOOKS): void {
  if (allowPrivate) return;
  if (url.protocol !== "https:")
    throw new HapError("invalid_input", `The address must begin with https; plain http needs a server with ${option}.`, {
      field: "url",
    });
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublic(host)) throw notPublic(url.hostname, option);
}

/** Looks a name up and connects to what it found, and to nothing else; refuses names that lead to private addresses. */
export function guardedLookup(allowPrivate: boolean, option = ALLOW_PRIVATE_WEBHOOKS): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "", 4);
      const [first] = found;
      if (first === undefined || (!allowPrivate && found.some(({ address }) => !isPublic(address))))
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
