// Every example is started as its page says, and a real person's client decides what it asks.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { connectPerson, type PersonClient } from "@hap/sdk";
import { serve } from "@hap/server";
import { afterEach, describe, expect, it } from "vitest";
import { approveTyped } from "./support/approve-typed.ts";
import { nodePath, repoRoot } from "./support/bundle-fixture.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const folder = temporaryFolder();
const examples = join(repoRoot, "examples");
const person = "human:alex";
const running: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const opened of running.splice(0).reverse()) await opened.close();
});

/** A home with an empty store and our programs on the path. */
function makeHome(name: string): NodeJS.ProcessEnv {
  const home = join(folder, name);
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  for (const [program, path] of [
    ["hap", "packages/cli/bin/hap.mjs"],
    ["cueme", "packages/doors/cueme/bin/cueme.mjs"],
  ] as const) {
    writeFileSync(join(bin, program), `#!/bin/sh\nexec "${nodePath}" "${join(repoRoot, path)}" "$@"\n`);
    chmodSync(join(bin, program), 0o755);
  }
  const outside = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("HAP_")));
  return {
    ...outside,
    HOME: home,
    HAP_DB_PATH: join(home, "hap.db"),
    HAP_HUMAN_ID: person,
    PATH: `${bin}:${dirname(nodePath)}:${outside.PATH}`,
    NO_COLOR: "1",
  };
}

type Run = { child: ChildProcess; out: () => string; ended: Promise<{ code: number | null; out: string; err: string }> };

/** Start an example; `ended` resolves with its exit code and everything that it printed. */
function start(command: string, args: string[], env: NodeJS.ProcessEnv): Run {
  const child = spawn(command, args, { env, cwd: repoRoot, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, out, err })),
  );
  running.push({
    close: () => {
      try {
        process.kill(-(child.pid as number), "SIGKILL");
      } catch {
        // It has ended already.
      }
      return ended;
    },
  });
  return { child, out: () => out, ended };
}

async function personAt(env: NodeJS.ProcessEnv): Promise<PersonClient> {
  const client = await connectPerson({ dbPath: env.HAP_DB_PATH as string, person, home: env.HOME as string });
  running.push(client);
  return client;
}

/** The first ticket that reaches the person, as soon as it is there; fails when the example ends without one. */
async function firstTicket(client: PersonClient, run: Run) {
  let over: string | null = null;
  void run.ended.then(({ code, out, err }) => {
    over = `exit ${code}\n${out}${err}`;
  });
  for (;;) {
    const { tickets } = await client.inbox();
    if (tickets[0] !== undefined) return tickets[0];
    if (over !== null) throw new Error(`the example opened no ticket: ${over}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const node = (file: string, env: NodeJS.ProcessEnv) => start(nodePath, [join(examples, file)], env);
const bash = (file: string, env: NodeJS.ProcessEnv) => start("bash", [join(examples, file)], env);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("[REPO-EXAMPLES-1] the examples", () => {
  it("are all listed on their page", () => {
    const page = readFileSync(join(examples, "README.md"), "utf8");
    const files = readdirSync(examples).filter((name) => /\.(ts|py|sh)$/.test(name));
    expect(files.length).toBeGreaterThanOrEqual(9);
    for (const file of files) expect(page).toContain(`(${file})`);
  });

  it("ask.ts waits for a yes, and finds its ticket again when it is started anew", async () => {
    const env = makeHome("ask-ts");
    const alex = await personAt(env);
    const first = node("ask.ts", env);
    const ticket = await firstTicket(alex, first);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = node("ask.ts", env);
    await alex.approve(ticket.id, "Go ahead");
    expect(await second.ended).toMatchObject({ code: 0, out: expect.stringContaining("approved Go ahead") });
    expect((await alex.list()).tickets).toHaveLength(1);
  });

  it("question.ts prints the chosen option", async () => {
    const env = makeHome("question");
    const alex = await personAt(env);
    const run = node("question.ts", env);
    await alex.answer((await firstTicket(alex, run)).id, "eu-west-1");
    expect(await run.ended).toMatchObject({ code: 0, out: "answered eu-west-1\n" });
  });

  it("gate-a-tool.ts runs the tool after a yes, and not after a no", async () => {
    const env = makeHome("gate");
    const alex = await personAt(env);
    const yes = node("gate-a-tool.ts", env);
    await approveTyped(alex, (await firstTicket(alex, yes)).id);
    expect(await yes.ended).toMatchObject({ code: 0, out: "sent to Example Ltd: 1200\n" });
    const no = node("gate-a-tool.ts", env);
    await alex.reject((await firstTicket(alex, no)).id, "They paid already");
    const { code, out } = await no.ended;
    expect(code).toBe(0);
    expect(out).toMatch(/^not sent: /);
    expect(out).toContain("They paid already");
  });

  it.each([
    ["ask.py", (env: NodeJS.ProcessEnv) => start("python3", [join(examples, "ask.py")], env)],
    ["ask.sh", (env: NodeJS.ProcessEnv) => bash("ask.sh", env)],
  ] as const)("%s asks over HTTP and hears the decision", async (name, run) => {
    const env = makeHome(name);
    const server = await serve({ dbPath: env.HAP_DB_PATH as string, home: env.HOME as string, humanId: person, port: 0 });
    running.push(server);
    const { key } = server.engine.createKey({ agent: "agent:ci" }, person);
    const alex = await personAt(env);
    const asked = run({ ...env, HAP_URL: server.url, HAP_API_KEY: key });
    await approveTyped(alex, (await firstTicket(alex, asked)).id);
    expect(await asked.ended).toMatchObject({ code: 0, out: expect.stringMatching(/^approved/m) });
    const again = run({ ...env, HAP_URL: server.url, HAP_API_KEY: key });
    await alex.reject((await firstTicket(alex, again)).id, "Not on a Friday");
    expect(await again.ended).toMatchObject({ code: 1, out: expect.stringMatching(/^rejected/m) });
  });

  it.each(["py", "bash"])("of the quick start in %s ask over HTTP and hear the decision", async (language) => {
    const env = makeHome(`quick-${language}`);
    const server = await serve({ dbPath: env.HAP_DB_PATH as string, home: env.HOME as string, humanId: person, port: 0 });
    running.push(server);
    const { key } = server.engine.createKey({ agent: "agent:deployer" }, person);
    const alex = await personAt(env);
    const page = readFileSync(join(repoRoot, "docs/quick-start.md"), "utf8");
    const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === language);
    expect(blocks).toHaveLength(2);
    const file = join(env.HOME as string, `snippet.${language}`);
    // In a folder of its own: the snippet leaves a file behind.
    writeFileSync(file, `${language === "bash" ? "cd $HOME\n" : ""}${blocks.map(([, , code]) => code).join("\n")}`);
    const run = start(language === "py" ? "python3" : "bash", [file], { ...env, HAP_URL: server.url, HAP_API_KEY: key });
    await approveTyped(alex, (await firstTicket(alex, run)).id);
    expect(await run.ended).toMatchObject({
      code: 0,
      out: expect.stringMatching(language === "py" ? /^deploying$/m : /"outcome":"approved"/),
    });
    expect((await alex.inbox()).tickets.map(({ intent }) => intent.summary)).toEqual(["Which region?"]);
  });

  it("ci-gate.sh deploys after a yes and fails the job after a no", async () => {
    const env = makeHome("ci");
    const alex = await personAt(env);
    const yes = bash("ci-gate.sh", { ...env, CI_JOB_ID: "1" });
    await approveTyped(alex, (await firstTicket(alex, yes)).id);
    expect(await yes.ended).toMatchObject({ code: 0, out: expect.stringContaining("approved: deploying 1.4.0") });
    const no = bash("ci-gate.sh", { ...env, CI_JOB_ID: "2" });
    await alex.reject((await firstTicket(alex, no)).id, "Freeze");
    expect(await no.ended).toMatchObject({ code: 1, out: expect.stringContaining("refused") });
  });

  it("webhook-receiver.ts prints what was decided, and refuses what is not signed", async () => {
    const env = makeHome("webhook");
    const server = await serve({
      dbPath: env.HAP_DB_PATH as string,
      home: env.HOME as string,
      humanId: person,
      port: 0,
      allowPrivateWebhooks: true,
    });
    running.push(server);
    const port = await freePort();
    const { secret } = server.engine.createWebhook({ url: `http://127.0.0.1:${port}/`, events: ["ticket.create"] }, person);
    const receiver = node("webhook-receiver.ts", { ...env, HAP_WEBHOOK_SECRET: secret, PORT: String(port) });
    await expect.poll(() => receiver.out(), { timeout: 30_000 }).toContain("listening");
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: '{"type":"ticket.create","data":{}}' });
    expect(forged.status).toBe(401);
    const { id } = server.engine.createTicket({ to: person, from: "agent:ci", summary: "Ship it" });
    await expect.poll(() => receiver.out(), { timeout: 30_000 }).toContain(`ticket.create ${id}`);
  });

  it("mcp-host.ts gets the person's words through hap mcp", async () => {
    const env = makeHome("mcp");
    const alex = await personAt(env);
    const run = node("mcp-host.ts", env);
    await alex.reject((await firstTicket(alex, run)).id, "After the backup");
    const { code, out } = await run.ended;
    expect(code).toBe(0);
    expect(out).toContain("rejected");
    expect(out).toContain("After the backup");
  });

  it("conversation.sh hears the chosen option", async () => {
    const env = makeHome("conversation");
    const alex = await personAt(env);
    const run = bash("conversation.sh", env);
    await alex.answer((await firstTicket(alex, run)).id, "Printer");
    expect(await run.ended).toMatchObject({ code: 0, out: expect.stringContaining("Printer") });
  });

  it("policy/try.sh shows what the rules say", async () => {
    const { code, out } = await bash("policy/try.sh", makeHome("policy")).ended;
    expect(code).toBe(0);
    expect(out).toContain("deploys-to-sam");
    expect(out).toContain("no-prod-drops");
  });

  it("team-server.sh serves, makes a key and asks through it", async () => {
    const env = makeHome("team");
    const alex = await personAt(env);
    const run = bash("team-server.sh", { ...env, HAP_PORT: String(await freePort()) });
    await approveTyped(alex, (await firstTicket(alex, run)).id);
    expect(await run.ended).toMatchObject({ code: 0, out: expect.stringMatching(/^approved$/m) });
  });
});
