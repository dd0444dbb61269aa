import { expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

it.each([
  "1.1.1.1",
  "8.8.8.8",
  "93.184.216.34",
  "172.15.255.255",
  "172.32.0.0",
  "223.255.255.255",
  "2001:200::1",
  "2606:2800:220:1:248:1893:25c8:1946",
  "2606:4700::1111",
])("[HOOK-SSRF-1, YUME-WEB-1] %s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  ["0.0.0.0", "this machine"],
  ["127.0.0.1", "this machine"],
  ["::", "this machine"],
  ["::1", "this machine"],
  ["10.1.2.3", "a private network"],
  ["172.16.0.1", "a private network"],
  ["172.31.255.255", "a private network"],
  ["192.168.1.1", "a private network"],
  ["fc00::1", "a private network"],
  ["fd00::1", "a private network"],
  ["fec0::1", "a private network"],
  ["100.64.0.1", "a carrier's network"],
  ["169.254.169.254", "a cloud's metadata"],
  ["fe80::1", "a link"],
  ["fe80::1%eth0", "a link"],
  ["192.0.0.1", "a protocol's"],
  ["2001:2::1", "a protocol's"],
  ["2001:20::1", "a protocol's"],
  ["100::1", "a protocol's"],
  ["5f00::1", "a protocol's"],
  ["192.0.2.1", "documentation"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["2001:db8::1", "documentation"],
  ["3fff::1", "documentation"],
  ["198.18.0.1", "a benchmark's"],
  ["224.0.0.1", "multicast"],
  ["ff02::1", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["192.88.99.1", "a 6to4 relay"],
  ["2002:7f00:1::", "IPv4 by 6to4"],
  ["2001:0:7f00:1::1", "IPv4 by Teredo"],
  ["64:ff9b::7f00:1", "IPv4 by NAT64"],
  ["64:ff9b::10.0.0.1", "IPv4 by NAT64"],
  ["64:ff9b:1::a00:1", "IPv4 by a network's own NAT64"],
  ["::ffff:10.0.0.1", "mapped IPv4"],
  ["::ffff:7f00:1", "mapped IPv4"],
  ["::ffff:8.8.8.8", "mapped IPv4"],
  ["::127.0.0.1", "compatible IPv4"],
  ["nonsense", "no address"],
  ["", "no address"],
  ["127.1", "no address"],
])("[HOOK-SSRF-1, YUME-WEB-1] %s is not public: %s", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
