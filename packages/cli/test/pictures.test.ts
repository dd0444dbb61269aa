// The pictures of `hap tui` in docs/images: made from the real screen, and compared with it, so that they stay true.
// With HAP_WRITE_PICTURES=1 they are made anew.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { World } from "./hap.ts";
import { pictureWords, screenPicture, THEMES } from "./screen-picture.ts";
import { ENTER, Tui } from "./tui.ts";

const images = fileURLToPath(new URL("../../../docs/images", import.meta.url));

const DIFF = `--- a/src/auth/middleware.ts
+++ b/src/auth/middleware.ts
@@ -1,6 +1,9 @@
 export function requireUser(request: Request): User {
-  const user = sessions.get(request.cookie);
-  return user;
+  const session = sessions.get(request.cookies.session);
+  if (session === undefined || session.expiresAt < Date.now()) {
+    throw new Unauthorized("Sign in again.");
+  }
+  return session.user;
 }
`;

/** A morning's inbox. Ids are given, so that pictures do not change with chance. */
async function morning(): Promise<World> {
  const world = new World();
  const ask = (at: number, from: string, summary: string, more: string[]) =>
    world.create(["--id", `tk_picture0000000000000${at}q7m`, "--from", from, "--summary", summary, ...more]);
  const shop = ["--project", "/srv/shop"];
  const command = (text: string) => ["--kind", "run_command", "--details", JSON.stringify({ command: text })];
  const deploy = ["--kind", "deploy", "--environment", "production", "--details", '{"command":"make deploy ENV=production"}'];
  await ask(1, "agent:deployer", "Deploy shop 4.2.1 to production", [
    ...deploy,
    ...shop,
    "--priority",
    "critical",
    "--ttl",
    "30m",
  ]);
  const diff = ["--kind", "modify_file", "--file", "src/auth/middleware.ts", "--diff-file", world.file("d.diff", DIFF)];
  await ask(2, "agent:code_assist", "Refuse sessions that have expired", [...diff, ...shop, "--priority", "high"]);
  const where = {
    type: "choice",
    prompt: "Where should the new service run?",
    options: ["Frankfurt", "Dublin", { label: "Virginia", description: "cheapest, but far from the users" }],
    allow_other: true,
  };
  await ask(3, "agent:tobarilu", "Where should the new service run?", [
    "--ask",
    JSON.stringify(where),
    "--project",
    "/srv/infra",
  ]);
  await ask(4, "agent:ci", "Run the integration tests", [...command("npm run test:integration"), ...shop]);
  for (const page of [5, 6, 7])
    await ask(page, "agent:docs", `Correct the spelling on page ${page}`, [
      ...["--kind", "modify_file", "--file", `docs/page-${page}.md`, "--lines-added", "1", "--lines-removed", "1"],
      ...["--project", "/srv/handbook", "--priority", "low", "--environment", "dev", "--confidence", "0.9"],
    ]);
  return world;
}

const asked = morning();

/** The same morning again, in a store of its own: looking at it changes it. */
async function sameMorning(): Promise<World> {
  const { folder } = await asked;
  const world = new World();
  for (const file of readdirSync(folder).filter((name) => name.startsWith("hap.db")))
    cpSync(join(folder, file), join(world.folder, file));
  return world;
}

/** What is typed to get to each picture, and what shows that it is there. */
const pictures: readonly {
  name: string;
  title: string;
  columns: number;
  rows: number;
  keys: readonly string[];
  shown: RegExp;
}[] = [
  { name: "tui-inbox", title: "The inbox in a terminal of 80 x 24", columns: 80, rows: 24, keys: [], shown: /page 7/ },
  { name: "tui-wide", title: "The inbox in a wide terminal", columns: 120, rows: 24, keys: [], shown: /within 30 minutes/ },
  {
    name: "tui-ticket",
    title: "A ticket with its diff",
    columns: 80,
    rows: 30,
    keys: ["j", ENTER],
    shown: /sessions\.get\(request/,
  },
  { name: "tui-reject", title: "Reasons for a no", columns: 80, rows: 24, keys: ["j", ENTER, "r"], shown: /own words/ },
  {
    name: "tui-answer",
    title: "A question and its answer",
    columns: 80,
    rows: 24,
    keys: ["jj", ENTER, "Ga2"],
    shown: /\(\*\) 2\. Dublin/,
  },
  {
    name: "tui-confirm",
    title: "A yes to a critical ticket is confirmed",
    columns: 80,
    rows: 24,
    keys: [ENTER, "Ga", `ship it${ENTER}`],
    shown: /To confirm, type/,
  },
];

test.for(pictures)(
  "[TUI-DOCS-1] $name is the screen as it is now, light and dark",
  async ({ name, title, columns, rows, keys, shown }) => {
    const tui = new Tui(await sameMorning(), { columns, rows });
    let before = await tui.until(/page 7|Correct the spelling/);
    for (const key of keys) {
      tui.type(key);
      before = await tui.until((screen) => screen !== before);
      if (key === ENTER) await tui.until("Timer paused while you review");
    }
    await tui.until((screen) => shown.test(screen) && tui.rows().at(-1) !== "");
    for (const [theme, colours] of Object.entries(THEMES)) {
      const path = join(images, `${name}-${theme}.svg`);
      const picture = () => screenPicture(tui.terminal, title, colours);
      if (process.env.HAP_WRITE_PICTURES) writeFileSync(path, picture());
      expect(existsSync(path)).toBe(true);
      const words = pictureWords(readFileSync(path, "utf8"));
      // The last rows of a frame may still be on their way.
      await tui.until(() => pictureWords(picture()) === words).catch(() => {});
      expect(words).toBe(pictureWords(picture()));
    }
  },
);
