// `hap exec`, `hap run` and `hap resume` as processes: what was approved is what runs, once, or nothing does.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ticket } from "@hap/protocol";
import { connectAgent, connectPerson } from "@hap/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { approveTyped } from "../../../../test/support/approve-typed.ts";
import { confirmPolicy } from "../../../../test/support/confirm-policy.ts";
import { ended, HAP, World } from "../../../cli/test/hap.ts";
import { testWorld } from "../../../core/test/test-world.ts";

const agent = { env: { HAP_AGENT_ID: "agent:ci" } };

/** What a test that failed left waiting. */
const waiting: { kill: (signal: "SIGKILL") => boolean }[] = [];
afterEach(() => {
  for (const child of waiting.splice(0)) child.kill("SIGKILL");
});

/** Start `hap exec`, and give the ticket that it opened once it waits. */
async function begin(world: World, args: readonly string[], env: Record<string, string> = {}) {
  const child = world.start(["exec", ...args], { env: { ...agent.env, ...env } });
  waiting.push(child);
  const done = ended(child);
  const id = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk;
      const [, found] = /to decide (tk_[a-z0-9]+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    void done.then(({ code, err }) => reject(new Error(`hap exec ended with ${code}: ${err}`)));
  });
  return { id, done, child };
}

const script = (world: World, body: string) => {
  const path = world.file("job.sh", `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
};

describe("hap exec", () => {
  test("[EXEC-BIND-1, EXEC-RUN-1] binds everything, waits, runs exactly that, and passes output and exit code on", async () => {
    const world = new World();
    const path = script(world, 'echo "out $1"; echo "err $LEFT_OUT" >&2; cat; exit 7');
    const input = world.file("input.txt", "from the file\n");
    world.file("data.txt", "data");
    const { id, done } = await begin(world, ["--stdin", input, "--", "./job.sh", "two words", "--data=data.txt"], {
      LEFT_OUT: "secret",
    });
    const ticket = await world.json<Ticket>(["show", id]);
    const { details } = ticket.intent;
    expect(ticket).toMatchObject({
      from: "agent:ci",
      intent: { kind: "run_command", summary: "Run: ./job.sh 'two words' --data=data.txt" },
    });
    expect(details).toMatchObject({
      argv: ["./job.sh", "two words", "--data=data.txt"],
      executable: path,
      executable_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      cwd: join(world.folder, "work"),
      stdin: { file: input, bytes: 14 },
      files: { [join(world.folder, "work/data.txt")]: expect.stringMatching(/^sha256:/) },
      not_bound: expect.stringContaining("loads by itself later"),
    });
    expect(Object.keys(details.env as object)).not.toContain("LEFT_OUT");
    expect(Object.keys(details.env as object)).not.toContain("HAP_AGENT_ID");
    await world.ok(["approve", id]);
    const ran = await done;
    expect(ran).toMatchObject({ code: 7, out: "out two words\nfrom the file\n" });
    expect(ran.err).toContain("err \n");
    const after = await world.json<Ticket>(["show", id]);
    expect(after.consumed).toMatchObject({ by: "agent:ci" });
    expect(after.heard_at).not.toBeNull();
  });

  test.each([
    ["reject", 10, "Rejected by human:alex: do not do this. They said: not like this"],
    ["changes", 11, "human:alex wants changes before this is approved. They said: not like this"],
    ["cancel", 13, "Canceled by human:alex. They said: not like this"],
  ])("[EXEC-RUN-2] runs nothing on %s, and tells the person's words", async (verb, code, words) => {
    const world = new World();
    const { id, done } = await begin(world, ["--", "touch", "ran"]);
    await world.ok([verb, id, "not like this"]);
    const ran = await done;
    expect(ran).toMatchObject({ code, out: "" });
    expect(ran.err).toContain(`Nothing was run. ${words}`);
    expect(existsSync(join(world.folder, "work/ran"))).toBe(false);
  });

  test("[EXEC-STALE-1] refuses a script that changed in between, notes it on the ticket, and says to ask again", async () => {
    const world = new World();
    script(world, "touch ran");
    const { id, done } = await begin(world, ["--", "sh", "job.sh"]);
    script(world, "touch ran; touch more");
    await world.ok(["approve", id]);
    const ran = await done;
    expect(ran).toMatchObject({ code: 5, out: "" });
    expect(ran.err).toContain(`The file ${join(world.folder, "work/job.sh")} has changed. Ask again.`);
    expect(existsSync(join(world.folder, "work/ran"))).toBe(false);
    expect(await world.ok(["show", id])).toContain("Not run: it is no longer what was approved.");
    expect((await world.json<Ticket>(["show", id])).consumed).toBeNull();
  });

  test("[EXEC-STALE-1] refuses another program of the same name, another input, and a file that is gone", async () => {
    const world = new World();
    const cases: [string[], string, () => void][] = [
      [["--", "./tool"], "The program is now", () => swap(world)],
      [["--stdin", "in.txt", "--", "cat"], "The input", () => world.file("in.txt", "other")],
      [["--", "cat", "data.txt"], "is gone.", () => rmSync(join(world.folder, "work/data.txt"))],
    ];
    world.file("in.txt", "one");
    world.file("data.txt", "one");
    const first = world.file("first", "#!/bin/sh\necho first\n");
    const second = world.file("second", "#!/bin/sh\necho second\n");
    for (const path of [first, second]) chmodSync(path, 0o755);
    symlinkSync(first, join(world.folder, "work/tool"));
    for (const [args, words, change] of cases) {
      const { id, done } = await begin(world, args);
      change();
      await world.ok(["approve", id]);
      const ran = await done;
      expect(ran.code, ran.err).toBe(5);
      expect(ran.err).toContain(words);
    }
  });

  function swap(world: World): void {
    const tool = join(world.folder, "work/tool");
    rmSync(tool);
    symlinkSync(join(world.folder, "work/second"), tool);
  }

  test("[EXEC-ENV-1] gives only an allow-list, what --env sets, and a secret by its hash without showing it", async () => {
    const world = new World();
    script(world, "env");
    const args = ["--env", "MODE=fast", "--env", "TOKEN", "--", "./job.sh"];
    const { id, done } = await begin(world, args, { TOKEN: "hunter2", OTHER: "x", NODE_OPTIONS: "--no-warnings" });
    const shown = await world.ok(["show", id, "--json"]);
    expect(shown).not.toContain("hunter2");
    await world.ok(["approve", id]);
    const names = (await done).out.split("\n").map((line) => line.split("=")[0]);
    expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "MODE", "TOKEN"]));
    for (const name of ["OTHER", "NODE_OPTIONS", "HAP_DB_PATH", "HAP_AGENT_ID"]) expect(names).not.toContain(name);
    const unset = await world.run(["exec", "--env", "NOT_SET", "--", "env"], agent);
    expect(unset).toMatchObject({ code: 2, err: "hap: --env names NOT_SET, which is not set.\n" });
  });

  test("[EXEC-BYTES-1] refuses arguments that are not UTF-8, and programs that are not there", async () => {
    const world = new World();
    const bytes = await world.run(["exec", "--", "echo", "a\uFFFD"], agent);
    expect(bytes.code).toBe(2);
    const env = { PATH: process.env.PATH ?? "", HOME: world.folder, HAP_DB_PATH: world.dbPath, HAP_AGENT_ID: "agent:ci" };
    const raw = spawnSync("sh", ["-c", `"$0" "$1" exec -- echo "$(printf '\\377')"`, process.execPath, HAP], {
      env,
      encoding: "utf8",
    });
    expect(raw.status).toBe(2);
    expect(raw.stderr).toContain("Argument 1 has bytes that are not UTF-8");
    expect(bytes.err).toContain("Argument 1 has bytes that are not UTF-8");
    const missing = await world.run(["exec", "--", "no-such-program"], agent);
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.err).toContain('There is no program "no-such-program"');
    expect(await world.json(["list", "--all"])).toEqual([]);
  });

  test("[EXEC-ONCE-1] killed while it waits, the same command finds the same ticket; a used yes is not used again", async () => {
    const world = new World();
    const first = await begin(world, ["--", "sh", "-c", "echo x >> ran"]);
    first.child.kill("SIGKILL");
    await first.done;
    await world.ok(["approve", first.id]);
    expect(await world.run(["exec", "--", "sh", "-c", "echo x >> ran"], agent)).toMatchObject({ code: 0 });
    expect((await world.json<Ticket>(["show", first.id])).consumed).not.toBeNull();
    const again = await world.run(["run", first.id], agent);
    expect(again.code).toBe(5);
    expect(again.err).toContain("was used by agent:ci");
    const second = await begin(world, ["--", "sh", "-c", "echo x >> ran"]);
    expect(second.id).not.toBe(first.id);
    await world.ok(["reject", second.id, "enough"]);
    await second.done;
    expect(await world.run(["exec", "--", "sh", "-c", "echo x >> ran"], agent)).toMatchObject({ code: 10 });
    expect(readFileSync(join(world.folder, "work/ran"), "utf8")).toBe("x\n");
  });

  test("[EXEC-TIMER-1] a timer's yes runs nothing, unless a confirmed rule of the user grants it", async () => {
    const world = new World();
    const refused = await world.run(["exec", "--on-timeout", "auto_approve", "--", "true"], agent);
    expect(refused).toMatchObject({ code: 2 });
    const ticket = await timerApproved(world);
    const ran = await world.run(["run", ticket.id], agent);
    expect(ran.code).toBe(15);
    expect(ran.err).toContain("no person said yes");
    const policy = {
      version: 1,
      rules: [{ id: "quick", match: { kind: "run_command" }, verdict: "ask", timer_yes: true, why: "Harmless." }],
    };
    mkdirSync(join(world.folder, ".hap"), { recursive: true });
    writeFileSync(join(world.folder, ".hap/policy.json"), JSON.stringify(policy));
    expect((await world.run(["run", ticket.id], agent)).code).toBe(15);
    const trusted = await world.atTerminal(["policy", "trust"], {
      replies: [{ expect: "type:  (trust policy [a-z0-9]+)\\r?\\n", send: "{0}\r" }],
    });
    expect(trusted.code, trusted.screen).toBe(0);
    const granted = await world.run(["run", ticket.id], agent);
    expect(granted, granted.err).toMatchObject({ code: 0, out: "quick\n" });
  });

  test("[EXEC-POLICY-1] runs what a confirmed rule allows without a ticket, and nothing that a rule forbids", async () => {
    const world = new World();
    mkdirSync(join(world.folder, ".hap"), { recursive: true });
    const rules = [
      { id: "echoes", match: { command: "echo *" }, verdict: "allow", why: "Echoes are fine" },
      { id: "no-false", match: { command: "false*" }, verdict: "deny", why: "It only fails" },
    ];
    writeFileSync(join(world.folder, ".hap/policy.json"), JSON.stringify({ version: 1, rules }));
    const person = await connectPerson({ dbPath: world.dbPath, home: world.folder, person: "human:alex" });
    await confirmPolicy(person);
    const allowed = await world.run(["exec", "--", "echo", "hello"], agent);
    expect(allowed, allowed.err).toMatchObject({ code: 0, out: "hello\n" });
    const denied = await world.run(["exec", "--", "false", "x"], agent);
    expect(denied).toMatchObject({ code: 3, out: "", err: expect.stringContaining("Rule no-false forbids this: It only fails") });
    expect((await person.list({})).tickets).toEqual([]);
    await person.close();
  });

  /** In a world whose minute is over when this says so: what nobody was shown before would not be approved. */
  async function timerApproved(world: World): Promise<Ticket> {
    const clock = testWorld(Date.now() - 120_000);
    const place = { dbPath: world.dbPath, home: world.folder, world: clock };
    const asking = await connectAgent({ ...place, agent: "agent:ci" });
    const person = await connectPerson({ ...place, person: "human:alex" });
    const ticket = await asking.createTicket({
      to: "human:alex",
      kind: "run_command",
      summary: "quick",
      details: { command: "echo quick", cwd: join(world.folder, "work") },
      lease: { ttl_seconds: 60, on_timeout: "auto_approve" },
    });
    await person.show(ticket.id);
    clock.advance(60_000);
    const { status } = await asking.wait(ticket.id);
    await asking.close();
    await person.close();
    expect(status).toBe("approved_by_timer");
    return ticket;
  }

  test("[EXEC-EDITS-1] runs what the person changed argv or command into, and refuses any other change", async () => {
    const world = new World();
    const edited = async (edits: object) => {
      const { id, done } = await begin(world, ["--allow-edits", "--", "echo", JSON.stringify(edits)]);
      await world.ok(["approve", id, "--edits", JSON.stringify(edits)]);
      return done;
    };
    expect(await edited({ argv: ["printf", "%s", "other"] })).toMatchObject({ code: 0, out: "other" });
    expect(await edited({ command: "echo one; echo two" })).toMatchObject({ code: 0, out: "one\ntwo\n" });
    const refused = await edited({ cwd: "/" });
    expect(refused).toMatchObject({ code: 5, out: "" });
    expect(refused.err).toContain("The person changed cwd; only argv or command");
  });

  test("[EXEC-RUN-1] passes a signal on, and says by which one the command ended", async () => {
    const world = new World();
    const { id, done, child } = await begin(world, ["--", "sh", "-c", "echo up; exec sleep 60"]);
    const up = new Promise((resolve) => child.stdout.once("data", resolve));
    await world.ok(["approve", id]);
    await up;
    child.kill("SIGTERM");
    expect(await done).toMatchObject({ code: 143 });
  });
});

describe("hap run", () => {
  test("[RUN-HOOK-1] runs a hook's approved command in its folder, once", async () => {
    const world = new World();
    mkdirSync(join(world.folder, "work/sub"));
    const details = JSON.stringify({
      tool: "Bash",
      command: "pwd; echo a | tr a b; exit 3",
      cwd: join(world.folder, "work/sub"),
    });
    const ticket = await world.create(["--kind", "run_command", "--details", details], agent);
    const early = await world.run(["run", ticket.id], agent);
    expect(early).toMatchObject({ code: 14, out: "" });
    await world.ok(["approve", ticket.id]);
    expect(await world.run(["run", ticket.id], agent)).toMatchObject({ code: 3, out: `${join(world.folder, "work/sub")}\nb\n` });
    expect(await world.run(["run", ticket.id], agent)).toMatchObject({ code: 5, out: "" });
  });

  test("[RUN-HOOK-2] a script that changed between the yes to a hook's call and the run is refused", async () => {
    const world = new World();
    const cwd = realpathSync(join(world.folder, "work"));
    const script = join(cwd, "build.sh");
    writeFileSync(script, "echo one\n");
    const input = JSON.stringify({
      ...{ hook_event_name: "PreToolUse", cwd, tool_name: "Bash" },
      tool_input: { command: "sh build.sh && cat later.txt" },
    });
    const asking = world.run(["hook", "claude", "--run", "--to", "human:alex"], { input });
    const person = await connectPerson({ person: "human:alex", dbPath: world.dbPath, home: world.folder });
    let ticket: Ticket | undefined;
    // A store in this process answers without a pause; the hook's input needs one to be written.
    for (; ticket === undefined; await sleep(10)) [ticket] = (await person.inbox()).tickets;
    expect(Object.keys(ticket.intent.details.files as object)).toEqual([script]);
    await approveTyped(person, ticket.id);
    await person.close();
    expect((await asking).out).toContain(`run ${ticket.id}`);
    const run = () => world.run(["run", (ticket as Ticket).id], { env: { HAP_AGENT_ID: "agent:claude-code" } });
    const refusal = async () => {
      const refused = await run();
      expect(refused).toMatchObject({ code: 5, out: "" });
      return refused.err;
    };
    writeFileSync(script, "echo two\n");
    expect(await refusal()).toContain(`The file ${script} has changed.`);
    rmSync(script);
    expect(await refusal()).toContain(`The file ${script} is gone.`);
    writeFileSync(script, "echo one\n");
    writeFileSync(join(cwd, "later.txt"), "two\n");
    expect(await refusal()).toContain("later.txt was not there then.");
    rmSync(join(cwd, "later.txt"));
    expect(await run()).toMatchObject({ code: 1, out: "one\n" });
  });

  test("[RUN-HOOK-1] is nobody else's, and nothing but commands", async () => {
    const world = new World();
    const ticket = await world.create(["--kind", "run_command", "--details", '{"command":"true"}'], agent);
    await world.ok(["approve", ticket.id]);
    expect((await world.run(["run", ticket.id], { env: { HAP_AGENT_ID: "agent:other" } })).code).toBe(4);
    const other = await world.create(["--kind", "deploy"], agent);
    const refused = await world.run(["run", other.id], agent);
    expect(refused.err).toContain(`${other.id} is a deploy, not a command.`);
  });
});

describe("hap resume", () => {
  test("[EXEC-RESUME-1] lists decisions that came while the agent was away, until each is picked up", async () => {
    const world = new World();
    const approved = await world.create(["--kind", "run_command", "--details", '{"command":"echo done"}'], agent);
    const rejected = await world.create([], agent);
    await world.create([], agent);
    expect(await world.ok(["resume"], agent)).toBe("Nothing waits for agent:ci to pick it up.\n");
    await world.ok(["approve", approved.id, "go"]);
    await world.ok(["reject", rejected.id, "no"]);
    const listed = await world.json<{ ticket: Ticket; status: string; pick_up: string }[]>(["resume"], agent);
    expect(listed.map(({ ticket, status, pick_up }) => [ticket.id, status, pick_up])).toEqual([
      [rejected.id, "rejected", `hap wait ${rejected.id}`],
      [approved.id, "approved", `hap run ${approved.id}`],
    ]);
    await world.run(["wait", rejected.id], agent);
    await world.ok(["run", approved.id], agent);
    expect(await world.ok(["resume"], agent)).toBe("Nothing waits for agent:ci to pick it up.\n");
    const client = await connectAgent({ agent: "agent:ci", dbPath: world.dbPath, home: world.folder });
    await expect(client.consume(approved.id, `sha256:${"0".repeat(64)}`)).rejects.toThrow(/was used by agent:ci/);
    await client.close();
  });
});
