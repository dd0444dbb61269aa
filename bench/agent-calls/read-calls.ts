// Calls of coding agents from public trajectories (bench/fixtures/agent-calls): what each tool was given, nothing that it answered.
// Paths are made anonymous ($P is the project), commit messages and contents are left out: an edit says how many lines it changes.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type Language = "typescript" | "python" | "rust" | "go";
export type Source = { language: Language; project: string; where: string };

/** A call as it is stored. `heldOut`: not looked at when the gate's allowlist is tuned. */
export type StoredCall = { source: string; tool: string; input: Record<string, unknown>; heldOut: boolean };

const file = (name: string) => fileURLToPath(new URL(`../fixtures/agent-calls/${name}`, import.meta.url));

export function readSources(): Record<string, Source> {
  return JSON.parse(readFileSync(file("sources.json"), "utf8"));
}

/** Every call, in the order of its trajectory. */
export function readCalls(): StoredCall[] {
  const lines = readFileSync(file("calls.jsonl"), "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const call: Omit<StoredCall, "heldOut"> = JSON.parse(line);
    return { ...call, heldOut: isHeldOut(call) };
  });
}

/** By the hash of the call itself, so that the same call never lies in both halves. */
function isHeldOut({ tool, input }: Pick<StoredCall, "tool" | "input">): boolean {
  return (
    (createHash("sha256")
      .update(JSON.stringify([tool, input]))
      .digest()[0] as number) %
      2 ===
    0
  );
}

export const isShell = ({ tool }: Pick<StoredCall, "tool">): boolean => tool === "Bash";
