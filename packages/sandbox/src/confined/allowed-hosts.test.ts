import { expect, test } from "vitest";
import { isAllowedHost, isThisMachine } from "./allowed-hosts.ts";

test.each([
  ["registry.npmjs.org", 443, true],
  ["REGISTRY.npmjs.org.", 443, true],
  ["registry.npmjs.org", 8443, false],
  ["evil-registry.npmjs.org", 443, false],
  ["registry.npmjs.org.evil.org", 443, false],
  ["a.example.net", 80, true],
  ["a.b.example.net", 443, true],
  ["example.net", 443, false],
  [".example.net", 443, false],
  ["git.example.org", 8443, true],
  ["git.example.org", 443, false],
  ["", 443, false],
])("[CONFINE-NETWORK-1] %j at %i: %s", (host, port, expected) => {
  expect(isAllowedHost(host, port, ["registry.npmjs.org", "*.example.net", "git.example.org:8443"])).toBe(expected);
});

test.each(["127.0.0.1", "127.9.9.9", "0.0.0.0", "169.254.169.254", "::1", "::", "fe80::1", "::ffff:127.0.0.1", "224.0.0.1", "x"])(
  "[CONFINE-NETWORK-1] %s is this machine or its link",
  (address) => {
    expect(isThisMachine(address)).toBe(true);
  },
);

test.each(["203.0.113.80", "10.0.0.1", "2001:db8::1"])("[CONFINE-NETWORK-1] %s is elsewhere", (address) => {
  expect(isThisMachine(address)).toBe(false);
});
