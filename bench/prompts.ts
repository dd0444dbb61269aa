// How often a person is asked: the calls of public trajectories of coding agents, judged by the gate, shell commands and other tools
// apart, the half that the allowlist may be tuned on and the half that it may not. Beside it, when named, the real Claude Code.
import { FOUND_BYPASSES, KNOWN_BYPASSES } from "../packages/doors/hook/test/fixtures/bypasses.ts";
import { prepareProject } from "../packages/doors/hook/test/prepared-project.ts";
import { askAboutCommands, askClaudeCode } from "./agent-calls/ask-claude-code.ts";
import { type Count, countAll, judgeAll } from "./agent-calls/count-prompts.ts";
import { isShell } from "./agent-calls/read-calls.ts";
import { type Benchmark, type Result, withFolder } from "./measure.ts";

/** What is aimed at, in per cent of the calls, where the sandbox works. */
const MOST_ASKED = { shell: 15, other: 3 };

const share = (some: number, all: number): number => (100 * some) / all;

function lines(name: string, { calls, allow, confine, ask }: Count, most: number | null): Result[] {
  const asked = share(ask, calls);
  const aim = most === null ? {} : { target: `<= ${most} %`, met: asked <= most };
  return [
    { name: `${name} (${calls} calls): a person is asked`, value: asked, unit: "%", ...aim },
    { name: `${name}: runs in the sandbox`, value: share(confine, calls), unit: "%" },
    { name: `${name}: allowed, because proven or harmless`, value: share(allow, calls), unit: "%" },
  ];
}

function together(one: Count, other: Count): Count {
  return {
    calls: one.calls + other.calls,
    allow: one.allow + other.allow,
    confine: one.confine + other.confine,
    ask: one.ask + other.ask,
  };
}

export const prompts: Benchmark = {
  name: "prompts",
  run: () =>
    withFolder(async (folder) => {
      const { shell, other } = countAll(await judgeAll(folder));
      return [
        ...lines("shell calls, tuned half", shell.tuned, MOST_ASKED.shell),
        ...lines("shell calls, held-out half", shell.heldOut, MOST_ASKED.shell),
        ...lines("other tools, tuned half", other.tuned, null),
        ...lines("other tools, held-out half", other.heldOut, null),
        ...lines("other tools, all", together(other.tuned, other.heldOut), MOST_ASKED.other),
      ];
    }),
};

/** Needs bubblewrap, socat and unshare; some minutes. */
export const promptsOfClaudeCode: Benchmark = {
  name: "claude code asks",
  run: () =>
    withFolder(async (folder) => {
      const results: Result[] = [];
      for (const mode of ["default", "sandbox"] as const) {
        const answers = await askClaudeCode(folder, mode);
        for (const shell of [true, false]) {
          const some = answers.filter(({ stored }) => isShell(stored) === shell);
          const asked = some.filter((answer) => answer.asked).length;
          const what = `Claude Code, ${mode === "default" ? "default mode" : "its own sandbox"}, ${shell ? "shell calls" : "other tools"}`;
          results.push({
            name: `${what} (${some.length} calls): a person is asked`,
            value: share(asked, some.length),
            unit: "%",
          });
        }
      }
      return results;
    }),
};

/** The known ways past the gate, put to the real Claude Code: how many it runs without asking. Needs what the benchmark above needs. */
export const bypassesOfClaudeCode: Benchmark = {
  name: "claude code bypasses",
  run: async () => {
    const commands = [...KNOWN_BYPASSES, ...FOUND_BYPASSES]
      .filter(([, , answer]) => answer === "ask")
      .map(([, command]) => command);
    const results: Result[] = [];
    for (const mode of ["default", "sandbox"] as const) {
      const { home, project, remove } = prepareProject();
      try {
        const answers = await askAboutCommands({ root: project, home }, mode, commands);
        const run = answers.filter(({ asked }) => !asked).length;
        const what = `Claude Code, ${mode === "default" ? "default mode" : "its own sandbox"}`;
        results.push({ name: `${what}: of ${answers.length} ways past the gate, run without asking`, value: run, unit: "" });
      } finally {
        remove();
      }
    }
    return results;
  },
};
