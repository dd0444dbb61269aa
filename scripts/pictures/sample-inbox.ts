// An inbox as a team has it: one ticket of each kind that a person meets, for the pictures of the page.
import { crc32, deflateSync } from "node:zlib";
import type { RunningServer } from "@hap/server";

export const person = "human:alex";

const SESSION = `diff --git a/src/auth/session.ts b/src/auth/session.ts
--- a/src/auth/session.ts
+++ b/src/auth/session.ts
@@ -12,9 +12,12 @@ export class Session {
   readonly #store: Store;
   #expiresAt: number;
 
-  constructor(store: Store, ttl = 3600) {
+  constructor(store: Store, ttl = 900) {
     this.#store = store;
-    this.#expiresAt = Date.now() + ttl * 1000;
+    // Sessions end after a quarter of an hour without a request.
+    this.#expiresAt = Date.now() + ttl * 1000;
+    this.touch();
+    this.#watch();
   }
 
   touch(): void {
diff --git a/src/auth/session.test.ts b/src/auth/session.test.ts
--- a/src/auth/session.test.ts
+++ b/src/auth/session.test.ts
@@ -3,6 +3,7 @@ import { Session } from "./session.ts";
 
 test("a session ends", () => {
   const session = new Session(store);
-  clock.advance(3600_000);
+  clock.advance(900_000);
   expect(session.ended).toBe(true);
+  expect(store.size).toBe(0);
 });
`;

/** A small picture: a bar chart, as an agent could attach it. */
function chart(): string {
  const [width, height] = [240, 80];
  const bars = [0.3, 0.45, 0.4, 0.62, 0.55, 0.8, 0.95];
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3, 255);
    row[0] = 0;
    for (let x = 0; x < width; x++) {
      const bar = bars[Math.floor(x / 34)];
      if (bar === undefined || x % 34 > 25 || y < height - bar * height) continue;
      row.set([0x3b, 0x5b, 0x92], 1 + x * 3);
    }
    return row;
  });
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const file = [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat(file).toString("base64");
}

const QUESTION = `Both hold our load. What differs:

| | p95 | cost a month | backups |
|---|---|---|---|
| PostgreSQL | 12 ms | 40 EUR | every hour |
| SQLite | 3 ms | 0 EUR | by file copy |

Requests per day over the last week:

![Requests per day](data:image/png;base64,${chart()})

@human:sam runs the backups today.`;

/** What the pictures show, by the names that they use. */
export type Sample = Record<"deploy" | "install" | "session" | "lookAlike" | "question" | "conversation", string>;

/** Fill a store. */
export function fillInbox({ engine }: RunningServer): Sample {
  const ask = (input: Record<string, unknown>) =>
    engine.createTicket({ to: person, from: "agent:code-helper", project: "/srv/shop", ...input }).id;
  const run = (summary: string, command: string, more: Record<string, unknown> = {}) =>
    ask({ kind: "run_command", summary, details: { command }, ...more });
  const deploy = run("Deploy api 2.14.0 to production", "kubectl --context prod set image deploy/api api=registry/api:2.14.0", {
    from: "agent:deployer",
    kind: "deploy",
    environment: "production",
    priority: "critical",
    ttl_seconds: 900,
  });
  run("Install the tracing agent", "curl -fsSL https://get.example.dev/install.sh | sudo bash", { priority: "high" });
  const install = run("Add the lint plugin", "npm install --save-dev eslint-plugin-security", { priority: "high" });
  const session = ask({
    kind: "modify_file",
    summary: "Shorten the session lifetime to 15 minutes",
    confidence: 0.9,
    details: { file: "src/auth/session.ts", diff: SESSION },
  });
  run("Publish the release branch", "git push --force origin release/2.14");
  const lookAlike = run(
    "Fetch the p\u0430ypal statement",
    "curl https://p\u0430ypal.com/statement.pdf -o /tmp/\u202efdp.tnemetats",
    {
      from: "agent:researcher",
      project: "/srv/ledger",
      ttl_seconds: 3600,
    },
  );
  const question = ask({
    from: "agent:researcher",
    kind: "question",
    summary: "Which database should the ledger use?",
    details: {},
    ask: {
      type: "choice",
      prompt: QUESTION,
      options: [
        { label: "PostgreSQL", description: "one more service to run" },
        { label: "SQLite", description: "one file beside the app" },
      ],
      allow_other: true,
    },
  });
  run("List the build output", "ls -la dist", { priority: "low", confidence: 0.95 });
  for (const [file, summary] of [
    ["README.md", "Fix a typo in the README"],
    ["src/index.ts", "Sort the imports of index.ts"],
  ] as const)
    ask({
      kind: "modify_file",
      summary,
      priority: "low",
      confidence: 0.99,
      details: { file, diff: `--- a/${file}\n+++ b/${file}\n@@ -1,1 +1,1 @@\n-Teh app\n+The app\n` },
    });
  for (const [at, command] of ["npm test", "npm run build", "npm run lint", "git status", "git diff"].entries()) {
    const id = run(`Run ${command}`, command, { confidence: 0.9 });
    if (at % 4 === 3) engine.reject(id, "Not needed.", { by: person });
    else engine.approve(id, undefined, { by: person });
  }
  return { deploy, install, session, lookAlike, question, conversation: talk(engine) };
}

/** A conversation with one answer given and one question open. */
function talk(engine: RunningServer["engine"]): string {
  const { agent } = engine.joinAgent({ agent_runtime: "claude_code", project_dir: "/srv/shop" });
  const cue = (prompt: string, ask: Record<string, unknown> = { type: "text" }) =>
    engine.cue({ from: agent, to: person, kind: "cue", summary: "Next step", details: {}, ask: { ...ask, prompt } }).id;
  engine.answer(cue("The session tests pass. Shall I go on with the **ledger**?"), "Yes. Keep the old endpoint for a month.", {
    by: person,
  });
  cue("Where should the old endpoint answer from?", { type: "choice", options: ["The new service", "A redirect"] });
  return agent;
}
