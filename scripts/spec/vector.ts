// Vectors in the manner of wycheproof: `{id, comment, flags, input, result, output?, code?}`, for every language to run.
// Inputs are chosen by hand; what comes out of them is computed by the package, and whether it may come out is said by hand.
import { createHash } from "node:crypto";
import { canonicalJson, isHapError, type Json } from "@hap/protocol";

/** One case as its author writes it. */
export type Case = { comment: string; flags: string[]; input: Json; result: "valid" | "invalid" };
/** One case as it lies in a file. */
export type Vector = Case & { id: string; output?: Json; code?: string };
/** A file of cases, and how the package answers one. */
export type Suite = {
  name: string;
  description: string;
  flags: Record<string, string>;
  cases: Case[];
  run: (input: Json) => Json;
};

/** What a case comes to: an output, or the code of the error. */
export function answer(suite: Suite, input: Json): { result: "valid"; output: Json } | { result: "invalid"; code: string } {
  try {
    return { result: "valid", output: suite.run(input) };
  } catch (error) {
    if (!isHapError(error)) throw error;
    return { result: "invalid", code: error.code };
  }
}

/** The cases of a suite with their answers; an answer that its author did not expect stops everything. */
function vectorsOf(suite: Suite): Vector[] {
  return suite.cases.map((one, index) => {
    const id = `${suite.name}-${index + 1}`;
    const unknown = one.flags.find((flag) => !Object.hasOwn(suite.flags, flag));
    if (unknown !== undefined) throw new Error(`${id} has the flag ${unknown}, which ${suite.name} does not explain`);
    const { result, ...rest } = answer(suite, one.input);
    if (result !== one.result) throw new Error(`${id} (${one.comment}) is ${result}: ${JSON.stringify(rest)}`);
    return { id, ...one, ...rest };
  });
}

/** The text of a suite's file: canonical JSON, one test a line, so that a change is easy to see. */
export function printSuite(suite: Suite): string {
  const tests = vectorsOf(suite);
  const head = { description: suite.description, flags: suite.flags, protocol_version: "0.2", tests: [] };
  const lines = tests.map((test) => canonicalJson(test as unknown as Json));
  return `${canonicalJson(head).replace(/\[\]\}$/, "")}[\n${lines.join(",\n")}\n]}\n`;
}

/** The host's sha256. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Shorthands for a table of cases. */
export const valid = (comment: string, input: Json, ...flags: string[]): Case => ({ comment, flags, input, result: "valid" });
export const invalid = (comment: string, input: Json, ...flags: string[]): Case => ({ comment, flags, input, result: "invalid" });
