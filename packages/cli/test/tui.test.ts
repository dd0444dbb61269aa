// `hap tui` as a person uses it, at two sizes: list, read, decide, answer, undo.
import { describe, expect, test } from "vitest";
import { HAP, World } from "./hap.ts";
import { DOWN, ENTER, ESC, SIZES, Tui } from "./tui.ts";

const DIFF = `--- a/src/greeting.ts
+++ b/src/greeting.ts
@@ -1,2 +1,62 @@
-export const greeting = "Hello";
${Array.from({ length: 60 }, (_, line) => `+export const line${line} = ${line};`).join("\n")}
 // the end
`;
const command = (text: string) => ["--kind", "run_command", "--details", JSON.stringify({ command: text })];
const approval = ["--kind", "modify_file", "--file", "docs/a.md", "--environment", "dev", "--confidence", "0.9"];
const ask = (question: object) => ["--ask", JSON.stringify(question)];

/** A ticket that changes a file, with its diff. */
function createChange(world: World) {
  const file = ["--file", "src/greeting.ts", "--diff-file", world.file("d.diff", DIFF)];
  return world.create(["--summary", "Change it", "--kind", "modify_file", ...file]);
}

/** Open the ticket under the cursor and read all of it, a page at a time. */
async function readAll(tui: Tui, key = ENTER): Promise<void> {
  tui.type(key);
  for (let screen = await tui.until(UNREAD_OR_READ); !screen.includes("all read"); ) {
    const before = screen;
    tui.type(" ");
    screen = await tui.until((shown) => shown !== before && UNREAD_OR_READ.test(shown));
  }
}
const UNREAD_OR_READ = /more before you can approve|all read/;

describe.for(SIZES)("at $columns x $rows", (size) => {
  test("[TUI-LIST-1] tickets stand under their priority with agent, project, age, countdown and risk", async () => {
    const world = new World();
    await world.create(["--summary", "A small change", "--from", "agent:ci", "--project", "/srv/shop", ...approval]);
    await world.create(["--summary", "Run it", "--priority", "critical", "--from", "agent:ops", ...command("sudo reboot")]);
    const tui = new Tui(world, size);
    const screen = await tui.until("A small change");
    expect(screen.indexOf("CRITICAL 1")).toBeLessThan(screen.indexOf("Run it"));
    expect(screen.indexOf("Run it")).toBeLessThan(screen.indexOf("NORMAL 1"));
    expect(screen.indexOf("NORMAL 1")).toBeLessThan(screen.indexOf("A small change"));
    for (const words of ["mine 2", "agent:ci", "shop", "[routine 0.14]", "[! critical", "live"]) expect(screen).toContain(words);
    expect(screen).toMatch(/(5\d:\d\d|1h00m)/);
    for (const row of tui.rows()) expect(row.length).toBeLessThanOrEqual(size.columns);
  });

  test("[TUI-LIVE-1] what arrives appears by itself, and does not move the cursor", async () => {
    const world = new World();
    const first = await world.create(["--summary", "Here before"]);
    const tui = new Tui(world, size);
    await tui.until(/> Here before/);
    const late = await world.create(["--summary", "Came later", "--priority", "critical", "--from", "agent:late"]);
    const screen = await tui.until(/Came later[\s\S]*> Here before/);
    expect(screen).toContain("New from agent:late: Came later");
    // Being in view is being delivered; looking at all of the log delivers nothing.
    const delivered = async () => (await world.json<{ type: string }[]>(["events", "--ticket", late.id])).map(({ type }) => type);
    await expect.poll(delivered, { timeout: 45_000 }).toEqual(["ticket.create", "ticket.state_change"]);
    expect(first.state).toBe("PENDING");
  });

  test("[TUI-OPEN-1] opening says that the lease is paused for a while, and shows all of it", async () => {
    const world = new World();
    const { id } = await createChange(world);
    const tui = new Tui(world, size);
    await tui.until("Change it");
    tui.type(ENTER);
    const screen = await tui.until(
      /Timer paused while you review \((10:00|[89]:\d\d) left\); then (5\d:\d\d|1h00m) until it rejects itself/,
    );
    expect(screen).toContain("│ Diff");
    expect(screen).toMatch(/│ Change it/);
    const { state, lease } = await world.json(["show", id]);
    expect(state).toBe("ACKED");
    expect(lease.ack_lapses_at).not.toBeNull();
    const seen = new Set<string>();
    for (let top = 1; !tui.text().includes("all read"); top += 8) {
      for (const row of tui.rows()) seen.add(row);
      tui.type("j".repeat(8));
      // All eight of them: frames in between show less.
      await tui.until((shown) => shown.includes(` rows ${top + 8}-`) || shown.includes("all read"));
    }
    for (const row of tui.rows()) seen.add(row);
    for (let line = 0; line < 60; line++) expect([...seen].join("\n")).toContain(`+export const line${line} = ${line};`);
  });

  test("[TUI-READ-1] a yes is possible only after all of it was in view", async () => {
    const world = new World();
    const { id } = await createChange(world);
    const tui = new Tui(world, size);
    await tui.until("Change it");
    tui.type("a");
    await tui.until(/Read all of it first: \d+ more rows/);
    expect((await world.json(["show", id])).resolution).toBeNull();
    // The end is in view, and what was jumped over is still to be read.
    tui.type("G");
    await tui.until(/rows \d+-(\d+) of \1, \d+ more before you can approve/);
    await readAll(tui, "g");
    tui.type("a");
    await tui.until("A comment for the agent");
    tui.type(`Nice work${ENTER}`);
    await tui.until("Approved (assurance local): Change it");
    expect((await world.json(["show", id])).resolution).toMatchObject({
      outcome: "approved",
      comment: "Nice work",
      confirmed: false,
    });
  });
});

// What a decision takes does not depend on the size: the frames of every size are checked without a terminal (update.test.ts).
describe("deciding", () => {
  const [size] = SIZES;

  test("[TUI-DECIDE-1] a no takes a ready reason or one's own words, and changes take words", async () => {
    const world = new World();
    const [one, two, three] = [
      await world.create(["--summary", "One"]),
      await world.create(["--summary", "Two"]),
      await world.create(["--summary", "Three"]),
    ];
    const tui = new Tui(world, size);
    await tui.until(/> One/);
    tui.type("r");
    await tui.until("1. No.");
    tui.type(`3${ENTER}`);
    await tui.until("Rejected (assurance local): One");
    tui.type("r");
    await tui.until("1. No.");
    tui.type(`Never on a Friday${ENTER}`);
    await tui.until("Rejected (assurance local): Two");
    tui.type("c");
    await tui.until("What should change:");
    tui.type(ENTER);
    await tui.until("Say what should change");
    tui.type(`Add a test${ENTER}`);
    await tui.until("Changes requested (assurance local): Three");
    const ends = await Promise.all([one, two, three].map(({ id }) => world.json(["show", id])));
    expect(ends.map(({ resolution }) => [resolution?.outcome, resolution?.comment])).toEqual([
      ["rejected", "Too risky: find a safer way."],
      ["rejected", "Never on a Friday"],
      ["changes_requested", "Add a test"],
    ]);
    await tui.until("Nothing waits for human:alex.");
  });

  test("[TUI-VERSION-1] one's own version of a command is approved where the ticket allows it", async () => {
    const world = new World();
    const details = ["--environment", "production", ...command("rm -rf ~/backups")];
    const edited = await world.create(["--summary", "Clean up", ...details, ...ask({ type: "approval", allow_edits: true })]);
    await world.create(["--summary", "As it is", ...details]);
    const tui = new Tui(world, size);
    await tui.until(/> Clean up/);
    tui.type(ENTER);
    await tui.until(/e edit/);
    tui.type("Ge");
    await tui.until("the agent is given your version");
    tui.type(ENTER);
    await tui.until("Nothing changed yet");
    tui.type(`/2019${ENTER}`);
    const asked = await tui.until(/type: {2}approve production \w{4}/);
    expect(asked).toContain("Your command: rm -rf ~/backups/2019");
    tui.type(`${/approve production \w{4}/.exec(asked)?.[0]}${ENTER}`);
    await tui.until("Approved (assurance local, confirmed): Clean up");
    expect((await world.json(["show", edited.id])).resolution).toMatchObject({
      outcome: "approved",
      edits: { command: "rm -rf ~/backups/2019" },
    });
    await tui.until(/> As it is/);
    tui.type(ENTER);
    await tui.until("Timer paused while you review");
    tui.type("e");
    await tui.until("This ticket does not allow edits");
  });

  test("[TUI-STEPUP-1] a critical yes takes the phrase, typed and not pasted", async () => {
    const world = new World();
    const { id } = await world.create(["--summary", "Clean up", "--environment", "production", ...command("rm -rf ~/backups")]);
    const tui = new Tui(world, size);
    await tui.until("Clean up");
    await readAll(tui);
    tui.type("a");
    await tui.until("A comment for the agent");
    tui.type(ENTER);
    const asked = await tui.until(/To confirm, type: {2}approve production \w{4}/);
    for (const words of ["wants to run this command in production", "Deletes outside the project", "│ rm -rf ~/backups"])
      expect(asked).toContain(words);
    const phraseOf = (screen: string) => /type: {2}(approve production \w{4})/.exec(screen)?.[1] ?? "";
    const first = phraseOf(asked);
    tui.type(`${ESC}[200~${first}${ESC}[201~${ENTER}`);
    const again = await tui.until((screen) => screen.includes("That was not the phrase") && phraseOf(screen) !== first);
    expect((await world.json(["show", id])).resolution).toBeNull();
    tui.type(`${phraseOf(again)}${ENTER}`);
    await tui.until("Approved (assurance local, confirmed): Clean up");
    expect((await world.json(["show", id])).resolution).toMatchObject({ outcome: "approved", confirmed: true });
    expect(await world.ok(["events"])).not.toContain(phraseOf(again));
  });

  test("[TUI-ANSWER-1] each kind of question is answered, checked, with what it suggests", async () => {
    const world = new World();
    const text = await world.create(["--summary", "Say it", ...ask({ type: "text", prompt: "Name?", max_length: 8 })]);
    const choice = await world.create(["--summary", "Pick", ...ask({ type: "choice", options: ["Red", "Blue"], default: "2" })]);
    const several = await world.create([
      "--summary",
      "Several",
      ...ask({ type: "choice", options: ["A", "B", "C"], allow_multiple: true, allow_other: true }),
    ]);
    const confirm = await world.create([
      "--summary",
      "Sure",
      ...ask({ type: "confirm", text: "Sure?", confirm_label: "Go", cancel_label: "Stop" }),
    ]);
    const fields = [
      { key: "name", label: "Name", default: "shop" },
      { key: "count", label: "Count", kind: "number" },
      { key: "fast", label: "Fast", kind: "boolean" },
    ];
    const form = await world.create(["--summary", "Fill in", ...ask({ type: "form", fields })]);
    const tui = new Tui(world, size);
    const answer = async (summary: string, keys: readonly string[]) => {
      await tui.until(new RegExp(`> ${summary}`));
      await readAll(tui);
      tui.type("a");
      await tui.until(/── Answer/);
      for (const key of keys) tui.type(key);
    };
    await answer("Say it", ["far too long", ENTER]);
    await tui.until("at most 8 are allowed");
    tui.type(`\u0015short${ENTER}`);
    await tui.until("Answered (assurance local): Say it");
    await answer("Pick", [ENTER]);
    await tui.until("Answered (assurance local): Pick");
    await answer("Several", [ENTER]);
    await tui.until("choose at least one");
    tui.type(` ${DOWN}${DOWN} ${DOWN}and more${ENTER}`);
    await tui.until("Answered (assurance local): Several");
    await answer("Sure", [DOWN, ENTER]);
    await tui.until("Answered (assurance local): Sure");
    await answer("Fill in", ["\t", "many", "\t", "2", ENTER]);
    await tui.until("Count must be a number");
    tui.type(`${ESC}[Z\u00154${ENTER}`);
    await tui.until("Answered (assurance local): Fill in");
    const answers = await Promise.all(
      [text, choice, several, confirm, form].map(async ({ id }) => (await world.json(["show", id])).resolution?.answer),
    );
    expect(answers).toEqual([
      { type: "text", text: "short" },
      { type: "choice", choices: ["2"] },
      { type: "choice", choices: ["1", "3"], other: "and more" },
      { type: "confirm", confirmed: true },
      { type: "form", values: { name: "shop", count: 4, fast: true } },
    ]);
  });

  test("[TUI-FILTER-1] a filter narrows to its words, Esc shows all, and Tab goes through the lists", async () => {
    const world = new World();
    await world.create(["--summary", "Write docs", "--from", "agent:docs"]);
    const { id } = await world.create(["--summary", "Build it", "--from", "agent:ci"]);
    await world.create(["--summary", "For somebody else", "--to", "human:sam"]);
    await world.ok(["reject", (await world.create(["--summary", "Long over"])).id]);
    const tui = new Tui(world, size);
    await tui.until("Build it");
    tui.type(`/AGENT:ci build${ENTER}`);
    const narrowed = await tui.until((screen) => !screen.includes("Write docs") && !screen.includes("── Show only"));
    expect(narrowed).toContain("mine 1");
    tui.type(ESC);
    await tui.until(/mine 2[\s\S]*Write docs/);
    tui.type("\t");
    expect(await tui.until(/all 3/)).toContain("For somebody else");
    tui.type("\t");
    expect(await tui.until(/decided 1/)).toMatch(/Long over[\s\S]*rejected/);
    tui.type("\t");
    await tui.until(/mine 2/);
    expect((await world.json(["show", id])).state).toBe("DELIVERED");
  });

  test("[TUI-BATCH-1] alike routine tickets are approved together, after all were read and a time to undo", async () => {
    const world = new World();
    const ids: string[] = [];
    for (const name of ["One", "Two", "Three"])
      ids.push((await world.create(["--summary", name, "--from", "agent:docs", ...approval])).id);
    await world.create(["--summary", "Other", "--from", "agent:ci", ...command("make test")]);
    const ends = () => Promise.all(ids.map(async (id) => (await world.json(["show", id])).resolution?.outcome ?? null));
    const tui = new Tui(world, size);
    await tui.until(/Other/);
    tui.type("gxxx");
    await tui.until("3 selected");
    tui.type("xa");
    await tui.until(/is notable: approve it on its own/);
    tui.type("x");
    await tui.until((screen) => screen.split("[x]").length - 1 === 3);
    tui.type("a");
    await tui.until(/3 tickets of agent:docs/);
    await readAll(tui, "g");
    tui.type("a");
    await tui.until(/── Approve 3 tickets/);
    // In one piece: on a slow machine the time to undo may be over before an answer to the screen comes.
    tui.type(`${ENTER}u`);
    await tui.until("Undone: nothing was sent for 3 tickets.");
    expect(await ends()).toEqual([null, null, null]);
    tui.type("r");
    await tui.until(/── Reject 3 tickets/);
    tui.type(`2${ENTER}`);
    await tui.until(() => /reject 3 tickets in \d s: u undoes it/.test(tui.raw));
    await tui.until("Rejected: 3 tickets");
    expect(await ends()).toEqual(["rejected", "rejected", "rejected"]);
  });

  test("[TUI-FIRST-1] whoever decides first wins, and the other screen says who it was", async () => {
    const world = new World();
    const { id } = await world.create(["--summary", "Wanted by two", "--escalate-to", "human:sam"]);
    const one = new Tui(world, size);
    const two = new Tui(world, { ...size, env: { HAP_HUMAN_ID: "human:sam" } });
    await Promise.all([one.until(/> Wanted by two/), two.until("Nothing waits for human:sam.")]);
    two.type("\t");
    await two.until(/> Wanted by two/);
    await Promise.all([readAll(one), readAll(two)]);
    one.type("a");
    await one.until("A comment for the agent");
    two.type("a");
    await two.until("A comment for the agent");
    two.type(ENTER);
    await two.until("Approved (assurance local): Wanted by two");
    const screen = await one.until(/was approved by human:sam, just now/);
    expect(screen).not.toContain("── Approve");
    one.type("a");
    await one.until("It has ended: there is nothing left to decide.");
    const votes = (await world.json<{ type: string }[]>(["events", "--ticket", id])).filter(({ type }) => type === "intent.sign");
    expect(votes).toHaveLength(1);
  });

  test("[TUI-TIME-1] not now puts a ticket off, and + gives five minutes", async () => {
    const world = new World();
    const [soon, later] = [
      await world.create(["--summary", "Soon over", "--ttl", "55s"]),
      await world.create(["--summary", "For later"]),
    ];
    const tui = new Tui(world, size);
    expect(await tui.until(/> Soon over/)).toMatch(/\+ 5 min/);
    tui.type("+");
    await tui.until("Extended by 5 minutes.");
    expect(await tui.until(/[56]:\d\d/)).not.toContain("+ 5 min");
    tui.type("js");
    await tui.until("Not now: back in the inbox after");
    tui.type(`2${ENTER}`);
    await tui.until((screen) => screen.includes("Snoozed for 60 minutes.") && !screen.includes("For later"));
    expect((await world.json(["show", soon.id])).lease.remaining_seconds).toBeGreaterThan(200);
    expect((await world.json(["show", later.id])).lease.snoozed_until).not.toBeNull();
  });
});

test("[TUI-UNDO-1] one yes is undone with u while it is held; the next takes effect when the inbox is left", async () => {
  const world = new World();
  const { id } = await world.create(["--summary", "Install it", ...command("npm install left-pad")]);
  const tui = new Tui(world, { argv: [process.execPath, HAP, "tui", "--undo", "30"] });
  const state = async () => (await world.json(["show", id])).state;
  await tui.until("Install it");
  await readAll(tui);
  tui.type(`a`);
  await tui.until("A comment for the agent");
  tui.type(ENTER);
  await tui.until(/Approved\. It takes effect in \d+ s: u undoes it/);
  expect(await state()).toBe("ACKED");
  tui.type("u");
  await tui.until(/> Install it[\s\S]*Undone\. The ticket is open again\./);
  await readAll(tui);
  tui.type("a");
  await tui.until("A comment for the agent");
  tui.type(ENTER);
  await tui.until(/It takes effect in/);
  tui.type("q");
  expect(await tui.exited).toMatchObject({ exitCode: 0 });
  expect(await state()).toBe("APPROVED");
  const decided = (await world.json<{ type: string }[]>(["events", "--ticket", id])).filter(
    ({ type }) => type === "ticket.resolve",
  );
  expect(decided).toHaveLength(1);
});
