// `--approvals hap`: what needs a person becomes a ticket in a real store; each end reaches the model in its own words.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GrantInput, Ticket } from "@hap/protocol";
import { connectPerson, type PersonClient } from "@hap/sdk/person";
import { describe, expect, it } from "vitest";
import { confirmPolicy } from "../../../test/support/confirm-policy.ts";
import { makePlace, type Place, type Ran, runYume, says, startYume, uses } from "./support/place.ts";

const args = ["--provider", "openai", "--approvals", "hap", "--prompt", "Go"];
const write = (content: string): [string, Record<string, unknown>] => ["Write", { file_path: "made.txt", content }];

/** Run, and let a person act on the first ticket that comes. */
async function withPerson(place: Place, act: (person: PersonClient, ticket: Ticket) => Promise<unknown>, more: string[] = []) {
  const person = await connectPerson({ dbPath: place.env.HAP_DB_PATH as string, person: "human:alex" });
  try {
    const started = startYume(place, [...args, ...more]);
    started.process.stdin.end();
    let ticket: Ticket | undefined;
    while (ticket === undefined) {
      ticket = (await person.list({ state: "open" })).tickets[0];
      if (ticket === undefined)
        await Promise.race([
          new Promise((resolve) => setTimeout(resolve, 50)),
          started.ended.then((ran) => Promise.reject(new Error(ran.stdout + ran.stderr))),
        ]);
    }
    await act(person, ticket);
    return { ran: await started.ended, ticket: await person.getTicket(ticket.id) };
  } finally {
    await person.close();
  }
}

/** A rule of the user's own policy about changing files, confirmed. */
async function trustRule(place: Place, more: Record<string, unknown>): Promise<void> {
  mkdirSync(join(place.home, ".hap"));
  const rule = { id: "writing", match: { path: "**" }, verdict: "ask", why: "A person looks at every change.", ...more };
  writeFileSync(join(place.home, ".hap/policy.json"), JSON.stringify({ version: 1, rules: [rule] }));
  const person = await connectPerson({ dbPath: place.env.HAP_DB_PATH as string, person: "human:alex", home: place.home });
  await confirmPolicy(person);
  await person.close();
}

function expectDenied(place: Place, { frames }: Ran, words: string): void {
  expect(existsSync(join(place.work, "made.txt"))).toBe(false);
  expect(place.asked()).toContain(words);
  expect(frames.at(-2)).toMatchObject({ result: "Then not.", permission_denials: [{ tool_name: "Write" }] });
}

describe("a grant", () => {
  const granted = async (place: Place, input: Partial<GrantInput>) => {
    const person = await connectPerson({ dbPath: place.env.HAP_DB_PATH as string, person: "human:alex" });
    const { statement, needs } = await person.beginGrant({ agent: "agent:yume", project: place.work, seconds: 3600, ...input });
    const { nonce } = statement;
    const phrase = needs === null ? {} : { phrase: (await person.issueGrantPhrase(nonce)).phrase };
    const { id } = await person.createGrant({ nonce, ...phrase });
    return { used: async () => (await person.grant(id)).used, close: () => person.close() };
  };

  it("[YUME-GRANT-1] opens what it covers without a ticket, in this project alone", async () => {
    const place = await makePlace([uses(["Bash", { command: "mkdir one", description: "made up" }]), says("Made.")]);
    const grant = await granted(place, { commands: ["mkdir *"] });
    const { code } = await runYume(place, args);
    expect([code, existsSync(join(place.work, "one")), await grant.used()]).toEqual([0, true, 1]);
    await grant.close();
  });

  it("[YUME-GRANT-1] does not open the same command in another folder, or a link that leads out", async () => {
    const other = join("..", "other");
    const place = await makePlace([
      uses(["Bash", { command: `cd ${other}` }]),
      uses(["Bash", { command: "mkdir one" }]),
      uses(["Write", { file_path: "link/made.txt", content: "x" }]),
      says("Then not."),
    ]);
    mkdirSync(join(place.work, other));
    symlinkSync(join(place.home), join(place.work, "link"));
    const commands = await granted(place, { commands: ["mkdir *"] });
    const files = await granted(place, { paths: ["link/**"] });
    const person = await connectPerson({ dbPath: place.env.HAP_DB_PATH as string, person: "human:alex" });
    const started = startYume(place, [...args, "--add-dir", other, "--allowedTools", "Bash(cd *)"]);
    started.process.stdin.end();
    const folders: unknown[] = [];
    let ended = false;
    void started.ended.then(() => {
      ended = true;
    });
    while (!ended) {
      for (const { id } of (await person.list({ state: "open" })).tickets) {
        folders.push(((await person.getTicket(id)).intent.details as { cwd?: string }).cwd ?? null);
        await person.reject(id, "no");
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(folders).toEqual([join(dirname(place.work), "other"), null]);
    expect([await commands.used(), await files.used()]).toEqual([0, 0]);
    await Promise.all([person.close(), commands.close(), files.close()]);
  });
});

describe("approvals by people", () => {
  it("[YUME-HAP-1] let a change through once a person said yes, which is used before anything is done", async () => {
    const place = await makePlace([uses(write("new\n")), says("Written.")]);
    writeFileSync(join(place.work, "made.txt"), "old\n");
    const { ran, ticket } = await withPerson(place, async (person, { id }) => {
      expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("old\n");
      const shown = await person.show(id);
      expect(JSON.stringify(shown)).toContain("-old");
      expect(JSON.stringify(shown)).toContain("+new");
      await person.approve(id);
    });
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("new\n");
    expect(ticket.consumed).toMatchObject({ by: "agent:yume" });
    expect(ran.frames.at(-2)).toMatchObject({ subtype: "success", permission_denials: [] });
  });

  it("[YUME-HAP-2] tell the model a person's no in the person's words, and list the denial", async () => {
    const place = await makePlace([uses(["Bash", { command: "npm publish" }]), says("I leave it.")]);
    const { ran } = await withPerson(place, (person, { id }) => person.reject(id, "Not before Monday."));
    expect(place.asked()).toContain("Not before Monday.");
    expect(ran.frames.at(-2)).toMatchObject({
      permission_denials: [{ tool_name: "Bash", tool_input: { command: "npm publish" } }],
    });
  });

  it.each<[string, (person: PersonClient, id: string) => Promise<unknown>, string]>([
    ["a wish for changes", (person, id) => person.requestChanges(id, "With a licence header."), "With a licence header."],
    ["a withdrawal", (person, id) => person.cancel(id, "Not needed any more."), "Not needed any more."],
  ])("[YUME-HAP-5] tell the model of %s in the person's words, and do not run the call", async (_, act, words) => {
    const place = await makePlace([uses(write("x")), says("Then not.")]);
    const { ran } = await withPerson(place, (person, { id }) => act(person, id));
    expectDenied(place, ran, words);
  });

  it("[YUME-HAP-5] tell the model that nobody answered, and do not run the call", async () => {
    const place = await makePlace([uses(write("x")), says("Then not.")]);
    await trustRule(place, { lease: { ttl_seconds: 1, on_timeout: "auto_reject" } });
    expectDenied(place, await runYume(place, args), "Nobody answered in time");
  });

  it("[YUME-HAP-5] take a timer's yes for none, unless a confirmed rule grants it", async () => {
    // Long enough for a slow machine to show the ticket to somebody: what nobody was given cannot approve itself.
    const lease = { ttl_seconds: 8, on_timeout: "auto_approve" };
    const run = async (more: Record<string, unknown>) => {
      const place = await makePlace([uses(write("by the clock")), says("Then not.")]);
      await trustRule(place, { lease, ...more });
      return { place, ...(await withPerson(place, (person, { id }) => person.show(id))) };
    };
    const [plain, granted] = await Promise.all([run({}), run({ timer_yes: true })]);
    expectDenied(plain.place, plain.ran, "no person said yes");
    expect(readFileSync(join(granted.place.work, "made.txt"), "utf8")).toBe("by the clock");
    expect(granted.ticket).toMatchObject({ resolution: { actor: { kind: "timer" } }, consumed: { by: "agent:yume" } });
    expect(granted.ran.frames.at(-2)).toMatchObject({ permission_denials: [] });
  });

  it("[YUME-HAP-2] repeat a no to the same call made again, without a second ticket", async () => {
    const place = await makePlace([uses(write("x")), says("No."), uses(write("x")), says("Still no.")]);
    await withPerson(place, (person, { id }) => person.reject(id, "Never x."));
    const { frames } = await runYume(place, args);
    expect(frames.at(-2)).toMatchObject({ result: "Still no." });
    expect(place.asked().match(/Never x\./g)?.length).toBeGreaterThanOrEqual(1);
    const person = await connectPerson({ dbPath: place.env.HAP_DB_PATH as string, person: "human:alex" });
    expect((await person.list({})).tickets).toHaveLength(1);
    await person.close();
  });

  it("[YUME-HAP-3] do not take a yes for a file that has changed since", async () => {
    const place = await makePlace([uses(write("new\n")), says("Then not.")]);
    writeFileSync(join(place.work, "made.txt"), "old\n");
    await withPerson(place, async (person, { id }) => {
      writeFileSync(join(place.work, "made.txt"), "somebody else's\n");
      await person.approve(id);
    });
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("somebody else's\n");
    expect(place.asked()).toContain("changed while the approval was awaited");
  });

  it("[YUME-HAP-3] withdraw the ticket when the run is interrupted", async () => {
    const place = await makePlace([uses(write("x"))]);
    const person = await connectPerson({ dbPath: place.env.HAP_DB_PATH as string, person: "human:alex" });
    const started = startYume(place, args);
    let open: Ticket | undefined;
    while (open === undefined) {
      open = (await person.list({ state: "open" })).tickets[0];
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    started.process.kill("SIGTERM");
    const { frames } = await started.ended;
    expect((await person.getTicket(open.id)).state).toBe("CANCELED");
    expect(frames.at(-2)).toMatchObject({ is_error: true });
    expect(existsSync(join(place.work, "made.txt"))).toBe(false);
    await person.close();
  });

  it("[YUME-HAP-4] obey the policy before anybody is asked", async () => {
    const place = await makePlace([uses(["Bash", { command: "npm publish" }]), says("Forbidden.")]);
    mkdirSync(join(place.work, ".hap"));
    writeFileSync(
      join(place.work, ".hap/policy.json"),
      JSON.stringify({
        version: 1,
        rules: [{ id: "no-publishing", match: { kind: "run_command" }, verdict: "deny", why: "Releases are made by hand." }],
      }),
    );
    const { frames } = await runYume(place, args);
    expect(frames.at(-2)).toMatchObject({ result: "Forbidden.", permission_denials: [{ tool_name: "Bash" }] });
    expect(place.asked()).toContain("Rule no-publishing forbids this: Releases are made by hand.");
  });

  it("[YUME-HAP-3] keep the gate closed when the store cannot be used", async () => {
    const place = await makePlace([uses(write("x")), says("No.")]);
    writeFileSync(join(place.home, "hap.db"), "this is no database, and long enough to be looked at as one ".repeat(100));
    await runYume(place, args);
    expect(existsSync(join(place.work, "made.txt"))).toBe(false);
    expect(place.asked()).toContain("the gate stays closed");
  });
});
