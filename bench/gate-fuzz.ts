// Differential fuzzing of the gate at length: 20,000 commands that it allows really run, each in a throw-away sandbox, and must do
// nothing that was not declared. `npm test` runs 500. HAP_TEST_SEED tries other commands.
import { fuzzGate } from "../packages/doors/hook/test/fuzz/fuzz-gate.ts";
import type { Benchmark } from "./measure.ts";

export const gateFuzz: Benchmark = {
  name: "gate-fuzz",
  async run({ quick }) {
    const seed = Number(process.env.HAP_TEST_SEED ?? 33);
    const started = performance.now();
    const { ran, generated, failure } = await fuzzGate({ count: quick ? 500 : 20_000, seed });
    if (failure !== null) throw new Error(`The gate allowed what it did not declare: ${failure}`);
    const perSecond = (ran * 1000) / (performance.now() - started);
    return [
      { name: "allowed commands that did only what was declared", value: ran, unit: "commands" },
      { name: "commands that were composed for them", value: generated, unit: "commands" },
      { name: "allowed commands run", value: perSecond, unit: "/s" },
    ];
  },
};
