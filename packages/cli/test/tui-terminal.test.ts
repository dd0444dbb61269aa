// `hap tui` and the terminal itself: sizes, colours, many tickets, and how it is left, whatever ends the program.
import { readFileSync } from "node:fs";
import { connectAgent, connectPerson } from "@hap/sdk";
import { describe, expect, test } from "vitest";
import { ended, HAP, World } from "./hap.ts";
import { ENTER, ESC, Tui } from "./tui.ts";

/** The last of a mode's switches that was sent: set (h) or reset (l). */
const mode = (raw: string, number: number) =>
  raw
    .match(new RegExp(`${ESC}\\[\\?${number}[hl]`, "g"))
    ?.at(-1)
    ?.at(-1);

describe("[TUI-RESTORE-1] the terminal is as it was", () => {
  /** A shell at the terminal, which runs hap tui as a child and stays. */
  async function underShell(world: World, env: Record<string, string> = {}): Promise<{ tui: Tui; pid: number }> {
    const pidFile = world.file("pid", "");
    const tui = new Tui(world, { argv: ["bash", "--norc", "--noprofile"], env: { ...env, PS1: "shell> " } });
    await tui.until("shell>");
    tui.type(`sh -c 'echo $$ > ${pidFile}; exec "${process.execPath}" "${HAP}" tui'; echo "left with $?"\r`);
    await tui.until(/mine 1[\s\S]*Wait for me/);
    return { tui, pid: Number(readFileSync(pidFile, "utf8")) };
  }

  async function isSane(tui: Tui, code: number): Promise<void> {
    await tui.until(`left with ${code}`);
    expect(tui.terminal.buffer.active.type).toBe("normal");
    expect(tui.terminal.modes.wraparoundMode).toBe(true);
    expect(mode(tui.raw, 25)).toBe("h");
    expect(mode(tui.raw, 1049)).toBe("l");
    expect(mode(tui.raw, 2026)).toBe("l");
    // The terminal driver echoes and edits lines again.
    tui.type("stty -a\r");
    const settings = await tui.until(/-?icanon[\s\S]*shell>/);
    expect(settings).toMatch(/(^|\s)icanon(\s|$)/m);
    expect(settings).toMatch(/(^|\s)echo(\s|$)/m);
    expect(settings).toMatch(/(^|\s)isig(\s|$)/m);
  }

  test("after q", async () => {
    const world = new World();
    await world.create(["--summary", "Wait for me"]);
    const { tui } = await underShell(world);
    tui.type("q");
    await isSane(tui, 0);
  });

  test.for([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGQUIT", 131],
  ] as const)("after %s, which ends it with %i", async ([signal, code]) => {
    const world = new World();
    await world.create(["--summary", "Wait for me"]);
    const { tui, pid } = await underShell(world);
    tui.type("?");
    await tui.until("── Keys");
    process.kill(pid, signal);
    await isSane(tui, code);
  });

  test("after an error that nobody caught, which is told where it can be read", async () => {
    const world = new World();
    const bomb = world.file("bomb.mjs", 'process.on("SIGUSR2", () => { throw new Error("a bug"); });');
    await world.create(["--summary", "Wait for me"]);
    const { tui, pid } = await underShell(world, { NODE_OPTIONS: `--import=file://${bomb}` });
    process.kill(pid, "SIGUSR2");
    await isSane(tui, 70);
    expect(tui.text()).toContain("Something unexpected went wrong: a bug");
  });

  test("while it is suspended, and the inbox is back afterwards", async () => {
    const world = new World();
    await world.create(["--summary", "Wait for me"]);
    const { tui } = await underShell(world);
    tui.type("\u001a");
    await tui.until("Stopped");
    expect(tui.terminal.buffer.active.type).toBe("normal");
    tui.type("fg\r");
    await tui.until(/mine 1[\s\S]*Wait for me/);
    expect(tui.terminal.buffer.active.type).toBe("alternate");
    tui.type("q");
    await tui.until((screen) => screen.includes("shell>") && !screen.includes("mine 1"));
    expect(mode(tui.raw, 25)).toBe("h");
  });

  test("[TUI-RESTORE-2] what was not sent yet is not sent when it is killed, and the person says what happens on q", async () => {
    const world = new World();
    const tickets = [await world.create(["--summary", "One"]), await world.create(["--summary", "Two"])];
    const outcomes = () =>
      Promise.all(tickets.map(async ({ id }) => (await world.json(["show", id])).resolution?.outcome ?? null));
    const reject = async (keys: string) => {
      const tui = new Tui(world);
      await tui.until("Two");
      tui.type("gxxr");
      await tui.until(/── Reject 2 tickets/);
      // In one piece with what follows: there are five seconds in which nothing is sent, and a machine may be slow.
      tui.type(ENTER + keys);
      return tui;
    };
    const killed = await reject("");
    await killed.until(() => /reject 2 tickets in/.test(killed.raw));
    killed.kill("SIGTERM");
    await killed.exited;
    expect(await outcomes()).toEqual([null, null]);
    const undone = await reject("q");
    await undone.until("was not sent yet");
    undone.type("u");
    expect((await undone.exited).exitCode).toBe(0);
    expect(await outcomes()).toEqual([null, null]);
    const sent = await reject("q");
    await sent.until("was not sent yet");
    sent.type("s");
    expect((await sent.exited).exitCode).toBe(0);
    expect(await outcomes()).toEqual(["rejected", "rejected"]);
  });
});

describe("[TUI-TERMINAL-1] without a terminal it says so", () => {
  const world = new World();

  test("and what to use instead", async () => {
    const ran = await world.run(["tui"]);
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(ran.err).toMatch(/hap tui needs a terminal.*hap inbox/);
  });

  test("on a terminal that cannot move its cursor, too", async () => {
    const { screen, code } = await world.atTerminal(["tui"], { env: { TERM: "dumb" } });
    expect(code).toBe(3);
    expect(screen).toContain("needs a terminal");
    expect(screen).not.toContain(`${ESC}[?1049h`);
  });

  test("and it has no JSON", async () => {
    expect((await world.run(["tui", "--json"])).err).toContain("hap inbox --json");
  });

  test("[TUI-AGENT-1] nor does an agent get to see it", async () => {
    const { screen, code } = await world.atTerminal(["tui"], { env: { HAP_AGENT_ID: "agent:ci" } });
    expect(code).toBe(3);
    expect(screen).toContain("agents do not read a person's inbox");
  });
});

test("[TUI-SIZE-1] it follows the window, down to one that is too small, and keeps its place in a ticket", async () => {
  const world = new World();
  const command = Array.from({ length: 80 }, (_, line) => `echo step ${line}`).join("\n");
  await world.create(["--summary", "Many steps", "--kind", "run_command", "--details", JSON.stringify({ command })]);
  const tui = new Tui(world);
  await tui.until("Many steps");
  tui.type(ENTER);
  await tui.until("echo step 3");
  tui.type("  ");
  await tui.until("│ echo step 40");
  tui.resize(132, 40);
  const wide = await tui.until(/rows \d+-\d+ of \d+/);
  await tui.until((screen) => screen.includes("echo step 40") && screen.split("\n").at(-1)?.includes("approve") === true);
  expect(wide.split("\n")).toHaveLength(40);
  tui.resize(30, 6);
  await tui.until("Too small: 30 x 6.");
  tui.resize(80, 24);
  await tui.until("echo step 40");
  tui.type(ESC);
  await tui.until(/> Many steps/);
});

test("[TUI-COLOUR-1] under NO_COLOR nothing is coloured, and everything can still be told apart", async () => {
  const world = new World();
  await world.create(["--summary", "Reboot", "--kind", "run_command", "--details", '{"command":"sudo reboot"}']);
  const tui = new Tui(world, { env: { NO_COLOR: "1" } });
  const screen = await tui.until(/> Reboot/);
  expect(screen).toMatch(/\[! critical 0\.54\]/);
  tui.type(ENTER);
  await tui.until("│ sudo reboot");
  expect(tui.raw).not.toMatch(new RegExp(`${ESC}\\[[1-9][0-9;]*m`));
  const coloured = new Tui(world);
  await coloured.until(/Reboot/);
  expect(coloured.raw).toMatch(new RegExp(`${ESC}\\[[1-9][0-9;]*m`));
});

test("[TUI-PASTE-1] pasted text presses no keys", async () => {
  const world = new World();
  const { id } = await world.create(["--summary", "Do not touch"]);
  const tui = new Tui(world);
  await tui.until(/> Do not touch/);
  tui.type(`${ESC}[200~r\rq${ESC}[201~`);
  await tui.until("Pasted text is not taken for keys here.");
  expect((await world.json(["show", id])).resolution).toBeNull();
});

test("[TUI-SAFE-1] an agent's words cannot draw on the screen", async () => {
  const world = new World();
  const evil = `Harmless${ESC}[2J${ESC}[1;1H \u202Eyes`;
  await world.create([
    "--summary",
    evil,
    "--kind",
    "run_command",
    "--details",
    JSON.stringify({ command: `ls ${ESC}[8m; rm x` }),
  ]);
  const tui = new Tui(world);
  await tui.until("Harmless<U+001B>[2J<U+001B>[1;1H <U+202E>yes");
  tui.type(ENTER);
  await tui.until("│ ls <U+001B>[8m; rm x");
});

test("[TUI-MANY-1] of ten thousand tickets it reads a page at a time, and only what it shows", async () => {
  const world = new World();
  const home = world.folder;
  const agents = await Promise.all(
    Array.from({ length: 10 }, (_, at) => connectAgent({ agent: `agent:many${at}`, dbPath: world.dbPath, home })),
  );
  for (let round = 0; round < 10; round++)
    await Promise.all(
      agents.flatMap((agent, at) =>
        Array.from({ length: 100 }, (_, index) =>
          agent.createTicket({ to: "human:alex", kind: "modify_file", summary: `Ticket ${at * 1000 + round * 100 + index}` }),
        ),
      ),
    );
  for (const agent of agents) await agent.close();
  const person = await connectPerson({ person: "human:alex", dbPath: world.dbPath, home });
  /** Reading a page delivers its tickets: what was delivered is what was read. */
  const read = async () => {
    let count = 0;
    for (let cursor: string | undefined; ; ) {
      const page = await person.list({ state: ["DELIVERED", "ACKED"], limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
      count += page.tickets.length;
      if (page.next === null) return count;
      cursor = page.next;
    }
  };
  const tui = new Tui(world);
  await tui.until(/NORMAL \d+\+/);
  const first = await read();
  expect(first).toBeGreaterThanOrEqual(10);
  expect(first).toBeLessThanOrEqual(21);
  tui.type("G");
  await tui.until((screen) => Number(/NORMAL (\d+)|mine (\d+)/.exec(screen)?.slice(1).find(Boolean)) > first);
  await expect.poll(read).toBeLessThanOrEqual(first + 21);
  tui.type("gGGG");
  await tui.until(/mine \d{2,}\+/);
  tui.type(`r${ENTER}`);
  await tui.until(/Rejected \(assurance local\)/);
  expect(await read()).toBeLessThan(200);
  tui.type("q");
  expect((await tui.exited).exitCode).toBe(0);
  await person.close();
});

test("[TUI-LAZY-1] its code is loaded only when it is called", async () => {
  const world = new World();
  const trace = world.start(["inbox"], { env: { NODE_DEBUG: "esm,module" } });
  const { err } = await ended(trace);
  expect(err).toMatch(/commands\/inbox\.ts|inbox-\w+\.cjs/);
  expect(err).not.toMatch(/run-tui/);
});
