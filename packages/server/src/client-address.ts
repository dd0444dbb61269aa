// The address of the client behind trusted proxies, for limits on failed attempts. Without trusted proxies it is the connection's:
// anyone can send an X-Forwarded-For header.
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { HapError } from "@hap/protocol";

const addresses = new WeakMap<IncomingMessage, string>();

/** The client's address; call `noteClient` first where there are proxies. */
export function clientAddress(incoming: IncomingMessage): string {
  return addresses.get(incoming) ?? incoming.socket.remoteAddress ?? "unknown";
}

/** Find the client's address: the last one in X-Forwarded-For that is not a trusted proxy's. */
export function noteClient(incoming: IncomingMessage, proxies: BlockList): void {
  let address = plain(incoming.socket.remoteAddress ?? "");
  const hops = String(incoming.headers["x-forwarded-for"] ?? "").split(",");
  while (isTrusted(address, proxies)) {
    const before = plain(hops.pop()?.trim() ?? "");
    if (isIP(before) === 0) break;
    address = before;
  }
  addresses.set(incoming, address);
}

/** Parse addresses and networks (`10.0.0.0/8`) of proxies. */
export function readProxies(given: readonly string[]): BlockList {
  const list = new BlockList();
  for (const one of given) {
    const [address = "", bits] = one.split("/");
    const version = isIP(address);
    const family = version === 6 ? "ipv6" : "ipv4";
    const most = version === 6 ? 128 : 32;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (version === 0 || length < 0 || length > most)
      throw new HapError(
        "invalid_input",
        `--trusted-proxy ${one.slice(0, 60)} must be an IP address or a network such as 10.0.0.0/8.`,
        {
          field: "--trusted-proxy",
        },
      );
    list.addSubnet(address, length, family);
  }
  return list;
}

function isTrusted(address: string, proxies: BlockList): boolean {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** IPv4 addresses in IPv6 form, as sockets that listen on both report them, become plain. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
