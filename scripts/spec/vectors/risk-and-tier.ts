// Risk (section 5 of the draft) and tier (D11), from what a caller says and the effects that the runtime found.
import { computeRisk, computeTier, type Json, parseCreateTicket, riskWord } from "@hap/protocol";
import { type Case, invalid, type Suite, valid } from "../vector.ts";

type Input = {
  kind: string;
  lines_added: number;
  lines_removed: number;
  environment: string | null;
  confidence: number | null;
  risk: number | null;
  effects: string[];
};

const base: Input = {
  kind: "modify_file",
  lines_added: 3,
  lines_removed: 2,
  environment: null,
  confidence: null,
  risk: null,
  effects: ["write_inside"],
};
const with_ = (change: Partial<Input>): Json => ({ ...base, ...change });
const effect = (name: string): Case => valid(`the effect ${name} alone`, with_({ effects: [name] }), "Effect");

function run(input: Input): Json {
  const { kind, lines_added, lines_removed, environment, confidence, risk: claimed, effects } = input;
  const request = parseCreateTicket({
    kind,
    lines_added,
    lines_removed,
    confidence,
    risk: claimed,
    ...(environment === null ? {} : { environment }),
  });
  const { risk: computed, factors } = computeRisk({
    kind: request.kind,
    linesChanged: lines_added + lines_removed,
    environment: request.artifact.environment,
    confidence: request.confidence,
  });
  const risk = Math.max(computed, request.riskClaimed ?? 0);
  return { risk, factors, word: riskWord(risk), tier: computeTier(risk, effects) };
}

export const riskAndTier: Suite = {
  name: "risk-and-tier",
  description:
    "Risk, its three factors, its word and the tier. input.risk is the agent's claim: a higher one counts, a lower one does not.",
  flags: {
    Draft: "an example or a threshold of the 0.1 draft",
    Claim: "the agent claims a risk",
    Effect: "what the runtime recognised sets the tier",
    Rounding: "four decimals, halves up",
    Range: "a value that is not allowed",
  },
  cases: [
    valid("a small refactor in dev, confident", with_({ environment: "dev", confidence: 0.9 }), "Draft"),
    valid("a large deploy to prod, less confident", with_({ kind: "deploy", environment: "prod", confidence: 0.6 }), "Draft"),
    valid("a deletion in staging, confidence unknown", with_({ kind: "delete_file", environment: "staging" }), "Draft"),
    ...[0, 9, 10, 49, 50, 199, 200].map((lines) =>
      valid(`${lines} lines`, with_({ lines_added: lines, lines_removed: 0 }), "Draft"),
    ),
    ...["delete_file", "run_command", "deploy", "create_file", "approve_expense", "constructor"].map((kind) =>
      valid(`kind ${kind}`, with_({ kind }), "Draft"),
    ),
    ...["prod", "preprod-eu", "staging", "staging.prod", "dev", "dev:staging", "qa"].map((environment) =>
      valid(`environment ${environment}`, with_({ environment }), "Draft"),
    ),
    valid("no confidence at all", with_({ confidence: 0 }), "Draft"),
    valid("full confidence", with_({ confidence: 1 }), "Draft"),
    valid("a penalty is not rounded before it is weighed", with_({ confidence: 0.99974 }), "Rounding"),
    valid("just below the next step", with_({ confidence: 0.99976 }), "Rounding"),
    valid("a third", with_({ confidence: 1 / 3 }), "Rounding"),
    valid("a lower claim", with_({ kind: "run_command", risk: 0.01 }), "Claim"),
    valid("a higher claim", with_({ risk: 0.9 }), "Claim"),
    valid("a claim at the edge of medium", with_({ risk: 0.3 }), "Claim"),
    valid("a claim just below it", with_({ risk: 0.29999 }), "Claim"),
    valid("a claim at the edge of high", with_({ risk: 0.7 }), "Claim"),
    valid("no effect found", with_({ effects: [] }), "Effect"),
    ...[
      "read_inside",
      "delete_inside",
      "read_outside",
      "write_outside",
      "network",
      "process_control",
      "unknown",
      "an_effect_of_a_later_version",
    ].map(effect),
    ...[
      "gate_files",
      "delete_outside",
      "destroy_data",
      "privilege",
      "credentials",
      "send_data",
      "irreversible_vcs",
      "production",
      "opaque",
      "unseen_interpreter",
    ].map(effect),
    valid("the worst of several counts", with_({ effects: ["network", "privilege", "read_inside"] }), "Effect"),
    invalid("a claim above 1", with_({ risk: 9 }), "Range", "Claim"),
    invalid("a claim just above 1", with_({ risk: 1.0001 }), "Range", "Claim"),
    invalid("a claim below 0", with_({ risk: -0.1 }), "Range", "Claim"),
    invalid("a confidence above 1", with_({ confidence: 1.5 }), "Range"),
    invalid("a confidence in percent", with_({ confidence: 90 }), "Range"),
    invalid("a confidence below 0", with_({ confidence: -1 }), "Range"),
    invalid("lines below 0", with_({ lines_added: -1 }), "Range"),
    invalid("half a line", with_({ lines_removed: 0.5 }), "Range"),
    invalid("a kind with a space", with_({ kind: "modify file" }), "Range"),
    invalid("a kind in upper case", with_({ kind: "DEPLOY" }), "Range"),
    invalid("an empty kind", with_({ kind: "" }), "Range"),
    invalid("a kind of 65 characters", with_({ kind: "k".repeat(65) }), "Range"),
    invalid("a kind that names a person", with_({ kind: "human:alex" }), "Range"),
    invalid("an empty environment", with_({ environment: "" }), "Range"),
    invalid("an environment with a space", with_({ environment: "prod eu" }), "Range"),
    invalid("an environment in upper case", with_({ environment: "PROD" }), "Range"),
    invalid("an environment that begins with a sign", with_({ environment: "-prod" }), "Range"),
  ],
  run: (input) => run(input as unknown as Input),
};
