// The code of the draft's sections 7.3 and 10.1, word for word, run by Node in a folder that has @hap/core and nothing else.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exampleDiff } from "./example-diff.ts";
import { testStore } from "./test-world.ts";

let store: ReturnType<typeof testStore>;

beforeEach(() => {
  store = testStore();
  mkdirSync(join(store.folder, "node_modules", "@hap"), { recursive: true });
  symlinkSync(join(import.meta.dirname, ".."), join(store.folder, "node_modules", "@hap", "core"));
  writeFileSync(join(store.folder, "package.json"), '{"type":"module"}');
});
afterEach(() => store.remove());

const draft = (section: string) => readFileSync(join(import.meta.dirname, "fixtures", `draft-${section}.txt`), "utf8");

/** Run a file of the folder; `said` resolves when it has printed `words`, `ended` with everything that it printed. */
function run(file: string, env: Record<string, string>, ...flags: string[]) {
  const child = spawn(process.execPath, ["--no-warnings", ...flags, file], {
    cwd: store.folder,
    env: { ...process.env, HAP_HUMAN_ID: "", HOME: store.folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
  return {
    said: (words: string) =>
      new Promise<string>((resolve, reject) => {
        const look = () => printed.includes(words) && resolve(printed);
        child.stdout.on("data", look);
        child.on("close", () => reject(new Error(`it ended without saying ${words}:\n${printed}`)));
        look();
      }),
    ended: new Promise<string>((resolve) => child.on("close", () => resolve(printed))),
  };
}

describe("the draft's own code", () => {
  it("[ENGINE-API-1, INPUT-DEFAULTS-1] of 7.3 runs on ~/.hap/hap.db, until it rejects what it has approved", async () => {
    const code = draft("7-3");
    writeFileSync(join(store.folder, "example.ts"), `const diffText = ${JSON.stringify(exampleDiff)};\n${code}`);
    const printed = await run("example.ts", {}).ended;
    expect(printed).toContain("already_decided");
    const engine = store.open({ dbPath: "~/.hap/hap.db" });
    const [ticket] = engine.listAll();
    expect(ticket).toMatchObject({
      to: "human:alex",
      from: "agent:local",
      state: "APPROVED",
      intent: { kind: "modify_file", summary: "Refactor authentication middleware" },
      lease: { ttl_seconds: 3600, on_timeout: "auto_reject" },
      risk: 0.26,
      resolution: { outcome: "approved", actor: { kind: "human", id: "human:alex" }, comment: "LGTM" },
    });
    expect(engine.getEvents({ ticket: ticket?.id as string }).map((event) => event.type)).toEqual([
      "ticket.create",
      "ticket.state_change",
      "ticket.ack",
      "intent.sign",
      "ticket.resolve",
      "intent.invalid",
    ]);
  });

  it("[ENGINE-API-1] of 10.1 opens a ticket at HAP_DB_PATH, polls, and applies what a person approved", async () => {
    writeFileSync(
      join(store.folder, "utils.ts"),
      `export async function generateRefactoring(file: string) {
         return { original: file, refactored: file, diff: { text: ${JSON.stringify(exampleDiff)}, additions: 2, deletions: 1 } };
       }`,
    );
    // The draft leaves out the extension of ./utils and where applyDiff comes from.
    writeFileSync(
      join(store.folder, "around.ts"),
      `import { registerHooks } from "node:module";
       registerHooks({ resolve: (name, context, next) => next(name === "./utils" ? "./utils.ts" : name, context) });
       Object.assign(globalThis, { applyDiff: (file: string) => console.log("applied to", file) });`,
    );
    writeFileSync(join(store.folder, "agent.ts"), `${draft("10-1")}\nawait proposeRefactoring("src/auth/middleware.ts");\n`);
    const agent = run("agent.ts", { HAP_DB_PATH: store.path }, "--import", "./around.ts");
    const id = /Ticket created: (tk_[a-z0-9]{26})/.exec(await agent.said("Ticket created: tk_"))?.[1] as string;
    const engine = store.open();
    expect(engine.getTicket(id)).toMatchObject({
      to: "human:alex",
      state: "PENDING",
      intent: { summary: "Refactor src/auth/middleware.ts" },
    });
    engine.approve(id, "LGTM");
    expect(await agent.ended).toMatch(/Approved! Applying changes\.\.\.\napplied to src\/auth\/middleware\.ts\n$/);
  });

  it("[ENGINE-API-1] answers to both spellings of each verb", () => {
    const engine = store.open();
    const ticket = () => engine.createTicket({ to: "human:alex" }).id;
    expect(engine.deliverTicket(ticket()).state).toBe("DELIVERED");
    expect(engine.ackTicket(ticket(), "looking").state).toBe("ACKED");
    expect(engine.approveTicket(ticket(), "yes").state).toBe("APPROVED");
    expect(engine.rejectTicket(ticket(), "no").state).toBe("REJECTED");
    expect(engine.cancelTicket(ticket(), "never mind").state).toBe("CANCELED");
  });
});
