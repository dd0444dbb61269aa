// Podman as an unprivileged user, for real: the harness and the containers run without root, whoever runs the tests.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { IMAGE, startRootlessPodman } from "./container-engine.ts";

const engine = await startRootlessPodman();
afterAll(() => engine.stop());
const { account, folder } = engine;
const uid = account.uid ?? process.getuid?.() ?? -1;

// The user may not read the folder that the project is in, so the built command, its native module and Node are copied.
const program = join(folder, "term");
cpSync(new URL("../dist", import.meta.url).pathname, program, { recursive: true });
const modules = new URL("../../../node_modules/@lydell", import.meta.url).pathname;
cpSync(modules, join(folder, "node_modules/@lydell"), { recursive: true });
const node = join(folder, "node");
copyFileSync(process.execPath, node);
chmodSync(node, 0o755);

/** Run the harness as that user, without any Docker. */
function term(...args: string[]) {
  return spawnSync(node, [join(program, "main.cjs"), ...args], {
    cwd: folder,
    env: { ...engine.env, DOCKER_HOST: "unix:///nonexistent/docker.sock", NO_COLOR: "1" },
    ...account,
    encoding: "utf8",
  });
}

function write(files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

const resultOf = (run: string, trial: string) =>
  JSON.parse(readFileSync(join(folder, run, "trials", trial, "result.json"), "utf8")) as {
    status: string;
    sandbox: { kind: string };
  };

test("[TERM-ROOTLESS-1] a task is built, run and judged by rootless Podman, which auto finds without Docker", () => {
  write({
    "in-image/task.toml": '[environment]\nnetwork_mode = "no-network"\n',
    "in-image/instruction.md": "Make it.\n",
    "in-image/environment/Dockerfile": `FROM ${IMAGE}\nWORKDIR /srv/task\nCOPY given.txt .\n`,
    "in-image/environment/given.txt": "given\n",
    "in-image/tests/test.sh": `[ "$(cat made.txt)" = given ]; echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"\n`,
    "in-image/solution/solve.sh": "cat given.txt > made.txt\n",
  });
  const solved = term("oracle", "in-image", "--out", "solved");
  expect(solved.status, solved.stderr + solved.stdout).toBe(0);
  expect(resultOf("solved", "in-image.1")).toMatchObject({ status: "passed", sandbox: { kind: "podman" } });
  const idle = term("null", "in-image", "--sandbox", "podman", "--out", "idle");
  expect([idle.status, resultOf("idle", "in-image.1").status]).toEqual([1, "failed"]);
  expect(statSync(join(folder, "solved")).uid).toBe(uid);
});

test("[TERM-ROOTLESS-1] root inside is the user outside, and nothing is left", () => {
  mkdirSync(join(folder, "work"));
  chownSync(join(folder, "work"), uid, account.gid ?? process.getgid?.() ?? -1);
  // An agent without Node or Python: the user may have neither.
  write({ "agent.sh": `read -r request\necho '{"command":"id -u; touch made","task_complete":true}'\n` });
  const image = ["--sandbox", "podman", "--image", IMAGE, "--cwd", "work"];
  const ran = term("run", "--agent", "sh agent.sh", "--instruction", "Look.", ...image, "--out", "looked");
  expect(ran.status, ran.stderr + ran.stdout).toBe(0);
  const [trial = ""] = readdirSync(join(folder, "looked/trials"));
  const trajectory = readFileSync(join(folder, "looked/trials", trial, "trajectory.jsonl"), "utf8");
  expect(JSON.parse(trajectory.split("\n")[0] ?? "")).toMatchObject({ output: "0" });
  expect(statSync(join(folder, "work/made")).uid).toBe(uid);
  expect(engine.call("ps", "--all", "--quiet")).toBe("");
});
