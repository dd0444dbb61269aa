import { HapError } from "@hap/protocol";
import { expect, test } from "vitest";
import { parseDuration } from "./duration.ts";

test.for([
  ["45s", 45],
  ["10m", 600],
  ["1h30m", 5400],
  ["2d", 172_800],
  ["1d2h3m4s", 93_784],
  ["90", 90],
  ["0", 0],
  [" 5M ", 300],
] as const)("%s is %i seconds", ([text, seconds]) => {
  expect(parseDuration(text, "--ttl")).toBe(seconds);
});

test.for(["", "soon", "-5", "1.5h", "5m1h", "m", "1w", "1e3"])(
  "[INPUT-ERROR-1] %j is refused, with the option's name",
  (text) => {
    expect(() => parseDuration(text, "--ttl")).toThrow(HapError);
    expect(() => parseDuration(text, "--ttl")).toThrow(/^--ttl is .*10m/);
  },
);
