// hap export-data and hap delete-human as people run them: on the embedded store, at a terminal, and against a server.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type PersonData, type PersonDeletion, personDataSchema, type Ticket } from "@hap/protocol";
import { expect, test } from "vitest";
import { timeline } from "../src/show/timeline.ts";
import { makePaint } from "../src/terminal/paint.ts";
import { endedWords } from "../src/tui/model/outcome-notice.ts";
import { World } from "./hap.ts";

const HANDLE = /human:[0-9a-hjkmnp-tv-z]{26}/;

async function lived(): Promise<World> {
  const world = new World();
  const { id } = await world.create(["--to", "human:sam", "--summary", "Ask Sam about it"]);
  await world.ok(["approve", id, "zebracomment"], { env: { HAP_HUMAN_ID: "human:sam" } });
  return world;
}

test("[RIGHTS-EXPORT-1] hap export-data writes everything as JSON, to a file that only its owner reads", async () => {
  const world = await lived();
  const data = JSON.parse(await world.ok(["export-data", "--human-id=human:sam"])) as PersonData;
  expect(personDataSchema().safeParse(data).success).toBe(true);
  expect(data.comments).toMatchObject([{ text: "zebracomment" }]);
  const said = await world.ok(["export-data", "--human-id=human:sam", "--output", "sam.json"]);
  expect(said).toContain("Wrote 1 tickets");
  const path = join(world.folder, "work", "sam.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ person: "human:sam" });
  expect((await world.run(["export-data", "--human-id=human:sam", "--output", "sam.json"])).err).toContain("exists");
});

test("[RIGHTS-AGENT-1] neither command runs for an agent, nor for somebody else", async () => {
  const world = await lived();
  for (const args of [
    ["export-data", "--human-id=human:sam"],
    ["delete-human", "--human-id=human:sam", "--dry-run"],
  ]) {
    expect(await world.run(args, { env: { HAP_AGENT_ID: "agent:evil" } })).toMatchObject({
      code: 3,
      err: expect.stringContaining("agents do not"),
    });
    expect(await world.run([args[0] as string, "--human-id=human:nobody"])).toMatchObject({ code: 4 });
  }
});

test("[RIGHTS-DELETE-3] hap delete-human shows a dry run, and without a terminal deletes nothing", async () => {
  const world = await lived();
  const plan = await world.json<PersonDeletion>(["delete-human", "--human-id=human:sam", "--dry-run"]);
  expect(plan).toMatchObject({ dry_run: true, mentions: [{ field: "summary", decision: null }] });
  const words = await world.ok(["delete-human", "--human-id=human:sam", "--dry-run"]);
  expect(words).toMatch(/ask sam about it[\s\S]*undecided[\s\S]*Kept:[\s\S]*Nothing was changed/);
  const refused = await world.run(["delete-human", "--human-id=human:sam", "--mentions", "erase"]);
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining("terminal") });
  expect((await world.json<PersonData>(["export-data", "--human-id=human:sam"])).comments).toHaveLength(1);
});

test("[RIGHTS-DELETE-1, RIGHTS-DELETE-2, RIGHTS-DELETE-4] at a terminal it asks about each mention, then for the phrase", async () => {
  const world = await lived();
  await world.ok(["backup", "before.db"]);
  const replies = [
    { expect: "erase/keep\\] ", send: "what\r" },
    { expect: "erase/keep\\] ", send: "erase\r" },
    { expect: "type:  (delete human:sam [a-z0-9]+)\\r?\\n", send: "{0}\r" },
  ];
  const { code, screen } = await world.atTerminal(["delete-human", "--human-id=human:sam"], { replies, columns: 200, rows: 60 });
  expect(screen).toContain("Kept:");
  expect(code).toBe(0);
  expect(await world.ok(["verify"])).toContain("OK");
  for (const path of [world.dbPath, join(world.folder, "work", "before.db")])
    expect(readFileSync(path).toString("latin1")).not.toMatch(/zebracomment|human:sam|Ask Sam/);
  const listed = await world.ok(["list", "--all"]);
  expect(listed).not.toContain("human:sam");
  expect(await world.ok(["events"])).toContain("person.erased");
});

test("[RIGHTS-FACES-1] every face says erased person where a deleted person's name was", async () => {
  const world = new World();
  const { id } = await world.create(["--to", "human:sam", "--summary", "Ask Sam about it"]);
  await world.ok(["approve", id, "zebracomment"], { env: { HAP_HUMAN_ID: "human:sam" } });
  const replies = [{ expect: "type:  (delete human:sam [a-z0-9]+)\\r?\\n", send: "{0}\r" }];
  const args = ["delete-human", "--human-id=human:sam", "--mentions", "erase"];
  expect((await world.atTerminal(args, { replies, columns: 200, rows: 60 })).code).toBe(0);
  const shown = await world.ok(["show", id]);
  expect(shown).toMatch(/To: erased person[\s\S]*Approved by erased person\.[\s\S]*approve by erased person/);
  const events = await world.ok(["events"]);
  expect(events).toContain('"person":"erased person"');
  for (const text of [shown, events, await world.ok(["list", "--all"])]) expect(text).not.toMatch(HANDLE);
  // Programs still get the handle: it tells one erased person from another.
  const ticket = await world.json<Ticket>(["show", id]);
  expect(ticket.to).toMatch(HANDLE);
  expect(endedWords(ticket, "human:me", Date.now())).toContain("approved by erased person");
  const agent = { agent: "agent:ci", listening: null, name: null, group: null };
  const message = {
    from: ticket.to,
    queued_at: ticket.created_at,
    withdrawn_at: null,
    taken_at: null,
    attachments: [],
    text: null,
  };
  const rows = timeline({ width: 200, paint: makePaint({}, false) }, {
    agent,
    tickets: [ticket],
    messages: [message],
  } as never).join("\n");
  expect(rows.match(/erased person/g)).toHaveLength(2);
  expect(rows).not.toMatch(HANDLE);
});
