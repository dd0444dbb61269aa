// Which addresses are of the public internet. What an owner or a model names must not lead to this machine, its networks, or what
// a cloud tells about itself (SSRF). The ranges are those of the IANA special-purpose registries.
import { BlockList, isIP } from "node:net";

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
  ["224.0.0.0", 3],
] as const)
  reserved.addSubnet(net, bits, "ipv4");
// Inside the global range: protocol assignments, documentation, and tunnels that carry an IPv4 address within.
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  reserved.addSubnet(net, bits, "ipv6");
// Nothing else of IPv6 is public, be it local, multicast, or IPv4 in other clothes (mapped, compatible, NAT64).
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** True for an address of the public internet; false also for what is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !reserved.check(address, "ipv4");
  return isIP(address) === 6 && globalUnicast.check(address, "ipv6") && !reserved.check(address, "ipv6");
}
