// Risk exactly as section 5 of the draft: three factors, four decimals, weights that the user's policy may tune (D11).
import { canonicalJson } from "./canonical-json.ts";

/** What risk is computed from. */
export type RiskInput = {
  kind: string;
  linesChanged: number;
  environment: string | null;
  confidence: number | null;
};

/** The numbers of the draft; a policy may replace any of them. */
export const DEFAULT_RISK_TABLE = {
  weights: { scope: 0.4, environment: 0.4, confidence: 0.2 },
  scope: {
    /** First row whose `below` exceeds the changed lines. */
    modify_file: [
      { below: 10, factor: 0.1 },
      { below: 50, factor: 0.3 },
      { below: 200, factor: 0.6 },
      { below: null, factor: 0.9 },
    ],
    delete_file: 0.7,
    run_command: 0.8,
    deploy: 0.95,
    other: 0.5,
  },
  environment: { prod: 1, staging: 0.5, dev: 0.2, other: 0.3 },
  confidence: { unknown: 0.5 },
} as const;

/** The shape that a tuned table must have. */
export type RiskTable = {
  weights: { scope: number; environment: number; confidence: number };
  scope: {
    modify_file: readonly { below: number | null; factor: number }[];
    delete_file: number;
    run_command: number;
    deploy: number;
    other: number;
  };
  environment: { prod: number; staging: number; dev: number; other: number };
  confidence: { unknown: number };
};

/** The three factors before their weights, as every face explains them. */
export type RiskFactors = { scope: number; environment: number; confidence: number };

/** Risk and the factors that made it. */
export function computeRisk(input: RiskInput, table: RiskTable = DEFAULT_RISK_TABLE): { risk: number; factors: RiskFactors } {
  const scope = scopeFactor(input, table);
  const environment = environmentFactor(input.environment ?? "", table);
  const confidence = input.confidence === null ? table.confidence.unknown : 1 - input.confidence;
  const sum = scope * table.weights.scope + environment * table.weights.environment + confidence * table.weights.confidence;
  return { risk: round(Math.max(0, Math.min(1, sum))), factors: { scope, environment, confidence: round(confidence) } };
}

function scopeFactor(input: RiskInput, table: RiskTable): number {
  switch (input.kind) {
    case "modify_file":
      return (
        table.scope.modify_file.find((row) => row.below === null || input.linesChanged < row.below)?.factor ?? table.scope.other
      );
    case "delete_file":
    case "run_command":
    case "deploy":
      return table.scope[input.kind];
    default:
      return table.scope.other;
  }
}

function environmentFactor(environment: string, table: RiskTable): number {
  if (environment.includes("prod")) return table.environment.prod;
  if (environment.includes("staging")) return table.environment.staging;
  if (environment.includes("dev")) return table.environment.dev;
  return table.environment.other;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** The word for a risk: low < 0.3 <= medium < 0.7 <= high. */
export function riskWord(risk: number): "low" | "medium" | "high" {
  if (risk < 0.3) return "low";
  return risk < 0.7 ? "medium" : "high";
}

/** True when a tuned table differs from the draft's. */
export function isTuned(table: RiskTable): boolean {
  return canonicalJson(table) !== canonicalJson(DEFAULT_RISK_TABLE);
}
