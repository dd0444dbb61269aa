// Which hosts a confined command reaches, and at which addresses. Pure.
import { BlockList, isIP } from "node:net";

/** `host`, `host:port` or `*.domain`; without a port, 443 and 80. */
export type HostRule = string;

/** True when a rule names this host and port. */
export function isAllowedHost(host: string, port: number, rules: readonly HostRule[]): boolean {
  const wanted = host.toLowerCase().replace(/\.$/, "");
  return rules.some((rule) => {
    const [, name = "", stated] = /^(.*?)(?::([0-9]+))?$/.exec(rule.toLowerCase()) ?? [];
    if (stated === undefined ? port !== 443 && port !== 80 : port !== Number(stated)) return false;
    return name.startsWith("*.") ? wanted.endsWith(name.slice(1)) && wanted.length > name.length - 1 : wanted === name;
  });
}

const HERE = new BlockList();
for (const [net, bits] of [
  ["127.0.0.0", 8],
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
] as const)
  HERE.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["::", 127],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  HERE.addSubnet(net, bits, "ipv6");

/** True for an address of this machine or link: HAP itself listens there, and clouds keep credentials there. */
export function isThisMachine(address: string): boolean {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1] ?? address;
  const family = isIP(mapped);
  if (family === 0) return true;
  return HERE.check(mapped, family === 4 ? "ipv4" : "ipv6");
}
