// What the gate says to each call of the trajectories, without running any: allowed, confined, or a person is asked.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describeCall } from "../../packages/doors/hook/src/describe-call.ts";
import { judge } from "../../packages/doors/hook/src/judge.ts";
import { makeProject } from "./make-project.ts";
import { isShell, readCalls, readSources, type StoredCall } from "./read-calls.ts";

type Verdict = "allow" | "confine" | "ask";
/** `why`: the rule, and for a command what it needs or does. */
export type Judged = { stored: StoredCall; verdict: Verdict; why: string };

/** Questions to the person are not counted: asking is what they are for. */
const QUESTIONS = ["AskUserQuestion", "ExitPlanMode"];

/** Judge every call in a project of its own trajectory, below `folder`. */
export async function judgeAll(folder: string): Promise<Judged[]> {
  const sources = readSources();
  const calls = readCalls().filter(({ tool }) => !QUESTIONS.includes(tool));
  const judged: Judged[] = [];
  for (const [key, { language }] of Object.entries(sources)) {
    const own = join(folder, key);
    mkdirSync(own);
    const project = makeProject(
      own,
      language,
      calls.filter(({ source }) => source === key),
    );
    const around = {
      agent: "agent:claude-code",
      cwd: project.root,
      project: project.root,
      home: project.home,
      path: "/usr/local/bin:/usr/bin:/bin",
      gate: [],
    };
    for (const { stored, tool } of project.calls) {
      const described = await describeCall(tool, around);
      const { verdict, rule } = judge(described);
      const about = isShell(stored) ? ` (${[...described.needs, ...described.call.effects].join(", ")})` : "";
      judged.push({ stored, verdict: verdict === "ask_engine" ? "ask" : verdict, why: `${rule.id}${about}` });
    }
  }
  return judged;
}

export type Count = { calls: number } & Record<Verdict, number>;

function count(judged: readonly Judged[]): Count {
  const of = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict).length;
  return { calls: judged.length, allow: of("allow"), confine: of("confine"), ask: of("ask") };
}

/** The four counts: shell and other tools apart, the half that tuning may look at and the half that it may not. */
export function countAll(judged: readonly Judged[]): {
  shell: Record<"tuned" | "heldOut", Count>;
  other: Record<"tuned" | "heldOut", Count>;
} {
  const half = (shell: boolean, heldOut: boolean) =>
    count(judged.filter(({ stored }) => isShell(stored) === shell && stored.heldOut === heldOut));
  return {
    shell: { tuned: half(true, false), heldOut: half(true, true) },
    other: { tuned: half(false, false), heldOut: half(false, true) },
  };
}
