// Addresses that a model must not reach through us: this machine, its networks, and what clouds tell about themselves. Pure.
import { BlockList, isIPv4, isIPv6 } from "node:net";

const blocked = new BlockList();
const V4: readonly (readonly [string, number])[] = [
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
  ["224.0.0.0", 3],
];
const V6: readonly (readonly [string, number])[] = [
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
];
for (const [net, prefix] of V4) blocked.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of V6) blocked.addSubnet(net, prefix, "ipv6");

/** True for an address that is not of the public internet; true also for what is no address. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return blocked.check(address, "ipv4");
  if (!isIPv6(address)) return true;
  // An IPv4 address in IPv6 clothes is judged as what it is.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return blocked.check(mapped, "ipv4");
  return blocked.check(address, "ipv6") || /^::ffff:/i.test(address);
}
