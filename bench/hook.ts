// What the gate costs: the whole run of the hook for a call that needs nobody, beside a bare `node -e 0`; and how long after a
// person's decision the waiting hook has told its host and ended.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HapEngine } from "@hap/core";
import { type Benchmark, compare, median, percentile, withFolder } from "./measure.ts";

const hook = fileURLToPath(new URL("../packages/doors/hook/bin/hap-hook.cjs", import.meta.url));

const event = (cwd: string, command: string, more: object = {}) =>
  JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "bench",
    cwd,
    tool_name: "Bash",
    tool_input: { command },
    ...more,
  });

export const hookRuns: Benchmark = {
  name: "hook",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      const project = join(folder, "app");
      mkdirSync(join(project, ".git"), { recursive: true });
      const env = { HOME: folder, PATH: "/usr/local/bin:/usr/bin:/bin" };
      const time = (args: string[], input = "") => {
        const started = performance.now();
        const { status, stderr } = spawnSync(process.execPath, args, { env, input, encoding: "utf8" });
        if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
        return performance.now() - started;
      };
      const bare: number[] = [];
      const harmless: number[] = [];
      const parsed: number[] = [];
      const granted: number[] = [];
      const store = join(folder, "grants.db");
      makeGrants(store, folder, project, quick ? 7 : 40);
      for (let round = 0; round < (quick ? 7 : 40); round++) {
        bare.push(time(["-e", "0"]));
        harmless.push(time([hook, "claude", "--store", store], event(project, "git log --oneline | head -5")));
        const allowed = event(project, "curl https://example.org/a");
        granted.push(time([hook, "claude", "--store", store, "--to", "human:alex", "--wait", "1"], allowed));
        // In plan mode the answer comes at once, with the whole command read and nobody asked.
        const plan = { permission_mode: "plan" };
        parsed.push(time([hook, "claude"], event(project, "for f in src/*.ts; do npx tsc $f || true; done", plan)));
      }
      const baseline = { name: "node -e 0", value: median(bare) };
      const { exits, limits } = await exitTimes(folder, project, env, quick ? 5 : 60);
      const exit = (share: number) => {
        const [value, limit] = [percentile(exits, share), percentile(limits, share)];
        return {
          name: `from the decision to the hook's exit, p${share * 100}`,
          value,
          unit: "ms",
          baseline: { name: "a bare process that is told to exit", value: limit },
          ratio: value / limit,
        };
      };
      return [
        compare(
          { name: "hook, allowed call (fast path), with 100 grants", value: median(harmless), unit: "ms", baseline },
          { most: 1.5 },
        ),
        compare({ name: "hook, call that one of 100 grants opens", value: median(granted), unit: "ms", baseline }, { most: 3 }),
        compare({ name: "hook, full shell parser and watchdog", value: median(parsed), unit: "ms", baseline }, { most: 3 }),
        exit(0.5),
        exit(0.99),
      ];
    }),
};

/** A hundred grants for the agent, of which the last one covers the call that is timed, as often as it is timed. */
function makeGrants(store: string, home: string, project: string, uses: number): void {
  const by = "human:alex";
  const engine = new HapEngine({ dbPath: store, home, humanId: by });
  for (let made = 0; made < 100; made++) {
    const command = made === 99 ? "curl https://example.org/*" : `make target-${made}`;
    const scope = { agent: "agent:claude-code", project, commands: [command], seconds: 3600, uses };
    const { nonce } = engine.beginGrant(scope, by).statement;
    engine.createGrant({ nonce, by, phrase: engine.issueGrantPhrase(nonce, by).phrase });
  }
  engine.dispose();
}

/** From a word on its standard input to the end of a bare process: what the machine takes for that at this moment. */
async function bareExit(env: NodeJS.ProcessEnv): Promise<number> {
  const source = 'process.stdin.once("data", () => process.exit()); process.stdout.write("ready")';
  const child = spawn(process.execPath, ["-e", source], { env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const started = performance.now();
  child.stdin.write("go");
  await ended;
  return performance.now() - started;
}

/** From the call that approves to the end of the process that waited for it. */
async function exitTimes(
  folder: string,
  project: string,
  env: NodeJS.ProcessEnv,
  count: number,
): Promise<{ exits: number[]; limits: number[] }> {
  const store = join(folder, "hap.db");
  const engine = new HapEngine({ dbPath: store, home: folder, humanId: "human:alex" });
  const exits: number[] = [];
  const limits: number[] = [];
  for (let round = 0; round < count; round++) {
    const child = spawn(process.execPath, [hook, "claude", "--store", store, "--to", "human:alex"], {
      env,
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.stdin.end(event(project, `npm run step-${round}`));
    const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
    const id = await nextTicket(engine);
    // Let it begin to wait: what is measured is the way out.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { phrase } = engine.issuePhrase(id);
    const started = performance.now();
    engine.approve(id, "", { phrase });
    await ended;
    exits.push(performance.now() - started);
    limits.push(await bareExit(env));
  }
  engine.dispose();
  return { exits, limits };
}

async function nextTicket(engine: HapEngine): Promise<string> {
  for (;;) {
    const [ticket] = engine.listPending();
    if (ticket !== undefined) return ticket.id;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
