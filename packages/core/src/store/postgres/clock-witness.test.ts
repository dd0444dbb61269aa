import { describe, expect, it } from "vitest";
import { ClockWitness } from "./clock-witness.ts";

const START = 1_800_000_000_000;

describe("a node as the witness of the database's clock", () => {
  const watched = (...learned: [now: number, monotonic: number][]) => {
    const witness = new ClockWitness();
    for (const [now, monotonic] of learned) witness.learn(now, monotonic);
    return witness;
  };

  it("vouches for a clock that ran evenly, drift included, on any node that watched it [LEASE-NODES-1]", () => {
    const witness = watched(...Array.from({ length: 1_000 }, (_, at): [number, number] => [START + at * 10_050, at * 10_049]));
    expect(witness.steadySince(START)).toBe(true);
    expect(witness.steadySince(START + 5_000_000)).toBe(true);
  });

  it("vouches for nothing before it watched [LEASE-NODES-1]", () => {
    expect(new ClockWitness().steadySince(START)).toBe(false);
    expect(watched([START, 0]).steadySince(START - 1)).toBe(false);
  });

  it("notices a clock that was set forward, back, or forward and back [LEASE-NODES-1]", () => {
    const hour = 3_600_000;
    const forward = watched([START, 0], [START + 1_000, 1_000], [START + hour, 2_000]);
    expect(forward.steadySince(START + 500)).toBe(false);
    expect(forward.steadySince(START + hour)).toBe(true);
    const back = watched([START, 0], [START - hour, 1_000]);
    expect(back.steadySince(START)).toBe(false);
    const both = watched([START, 0], [START + hour, 1_000], [START + 2_000, 2_000]);
    expect(both.steadySince(START + 500)).toBe(false);
  });
});
