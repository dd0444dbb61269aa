// The webhook receiver and the workflow's step as processes, against a local server that speaks GitHub's API.
import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ticket } from "@hap/protocol";
import { afterEach, expect, test } from "vitest";
import { parse } from "yaml";
import { ended, World } from "../../../cli/test/hap.ts";
import { GitHubServer } from "./github-server.ts";

const SECRET = "It's a Secret to Everybody";
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const event = (action: string, more: object = {}) => ({
  action,
  pull_request: {
    number: 7,
    title: "Refactor the parser",
    html_url: "https://github.com/acme/app/pull/7",
    body: "It was slow.",
    additions: 1,
    deletions: 1,
    user: { login: "octo" },
    requested_reviewers: [{ login: "octo" }, { login: "Alex" }],
    head: { sha: "a".repeat(40) },
    base: { sha: "b".repeat(40) },
    ...more,
  },
  repository: { name: "app", owner: { login: "acme" } },
});

async function setUp() {
  const github = await GitHubServer.start();
  undo.push(() => github.close());
  const world = new World();
  const env = { GITHUB_TOKEN: "gh-token", GITHUB_API_URL: github.url, GITHUB_WEBHOOK_SECRET: SECRET };
  return { github, world, env };
}

/** Start `hap github serve`; returns its address and how to end it. */
async function serve(world: World, env: Record<string, string>, ...args: string[]) {
  const child = world.start(["github", "serve", "--port", "0", ...args], { env });
  const done = ended(child);
  const stop = async () => {
    child.kill("SIGTERM");
    return done;
  };
  undo.push(stop);
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(/http:\S+/.exec(chunk.toString())?.[0] ?? ""));
    void done.then(({ err }) => reject(new Error(err)));
  });
  return { address, stop, child };
}

function deliver(address: string, payload: object, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify(payload);
  const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
  const all = {
    "content-type": "application/json",
    "x-github-event": "pull_request",
    "x-hub-signature-256": signature,
    ...headers,
  };
  return fetch(address, { method: "POST", body, headers: all });
}

async function opened(response: Response): Promise<string> {
  expect(response.status).toBe(202);
  return (await response.text()).trim();
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("[GITHUB-TICKET-1, GITHUB-REVIEW-1] a pull request becomes a ticket, and the person's yes a review of that commit", async () => {
  const { github, world, env } = await setUp();
  const { address } = await serve(world, env);
  const id = await opened(await deliver(address, event("opened")));
  const ticket = await world.json<Ticket>(["show", id]);
  expect(ticket).toMatchObject({
    from: "agent:github",
    to: "human:alex",
    intent: {
      kind: "modify_file",
      summary: "Refactor the parser",
      details: { lines_added: 1, lines_removed: 1, diff: github.diff },
    },
    lease: { ttl_seconds: 86_400, on_timeout: "cancel" },
    artifact: { repo: "github.com/acme/app", base_commit: "b".repeat(40) },
  });
  expect(github.comments).toEqual([`HAP Ticket: ${id}`]);
  // Delivered again, nothing is opened or said twice.
  expect(await opened(await deliver(address, event("opened")))).toBe(id);
  expect(github.comments).toHaveLength(1);
  await world.ok(["approve", id, "LGTM"]);
  await until(() => github.toldAt("/reviews").length > 0);
  const [review] = github.toldAt("/reviews");
  expect(review?.path).toBe("/repos/acme/app/pulls/7/reviews");
  expect(review?.body).toMatchObject({
    event: "APPROVE",
    commit_id: "a".repeat(40),
    body: expect.stringContaining("They said: LGTM"),
  });
  const after = await world.json<Ticket>(["show", id]);
  expect(after.consumed).not.toBeNull();
});

test.each([
  ["reject", "REQUEST_CHANGES"],
  ["changes", "REQUEST_CHANGES"],
  ["cancel", "COMMENT"],
])("[GITHUB-REVIEW-1] %s goes back as %s, with the person's words", async (verb, kind) => {
  const { github, world, env } = await setUp();
  const { address } = await serve(world, env);
  const id = await opened(await deliver(address, event("opened")));
  await world.ok([verb, id, "Needs tests"]);
  await until(() => github.toldAt("/reviews").length > 0);
  expect(github.toldAt("/reviews")[0]?.body).toMatchObject({ event: kind, body: expect.stringContaining("Needs tests") });
});

test("[GITHUB-CHECK-1] as a check it is in progress, then completed; where no review is allowed, the words are a comment", async () => {
  const { github, world, env } = await setUp();
  const { address, stop } = await serve(world, env, "--report", "check");
  const id = await opened(await deliver(address, event("opened")));
  await world.ok(["approve", id, "Fine"]);
  await until(() => github.toldAt("/check-runs").length > 1);
  expect(github.toldAt("/check-runs").map(({ body }) => [body.status, body.conclusion, body.external_id])).toEqual([
    ["in_progress", undefined, id],
    ["completed", "success", id],
  ]);
  await stop();
  const own = await serve(world, env);
  github.failing["/reviews"] = [422];
  const second = await opened(await deliver(own.address, event("opened", { number: 8 })));
  await world.ok(["approve", second, "Also fine"]);
  await until(() => github.comments.some((said) => said.includes("Also fine")));
});

test("[GITHUB-STALE-1] a new commit withdraws the ticket of the old one and asks anew; closing withdraws, reopening asks again", async () => {
  const { world, env } = await setUp();
  const { address } = await serve(world, env);
  const first = await opened(await deliver(address, event("opened")));
  const second = await opened(await deliver(address, event("synchronize", { head: { sha: "c".repeat(40) } })));
  expect(second).not.toBe(first);
  expect(await world.json<Ticket>(["show", first])).toMatchObject({
    state: "CANCELED",
    resolution: { comment: "Code changed; approval no longer relevant" },
  });
  await deliver(address, event("closed", { head: { sha: "c".repeat(40) } }));
  expect((await world.json<Ticket>(["show", second])).state).toBe("CANCELED");
  const third = await opened(await deliver(address, event("reopened", { head: { sha: "c".repeat(40) } })));
  expect((await world.json<Ticket>(["show", third])).state).toBe("DELIVERED");
  expect(await opened(await deliver(address, event("opened", { number: 9, draft: true })))).toBe("Nothing to ask.");
});

test("[GITHUB-SIGNATURE-1] what is not signed with the secret is refused unread", async () => {
  const { github, world, env } = await setUp();
  const { address } = await serve(world, env);
  const forged = `sha256=${createHmac("sha256", "guess")
    .update(JSON.stringify(event("opened")))
    .digest("hex")}`;
  for (const signature of ["", "sha256=", forged, forged.slice(0, -1)])
    expect((await deliver(address, event("opened"), { "x-hub-signature-256": signature })).status).toBe(401);
  expect((await fetch(address)).status).toBe(405);
  expect((await deliver(address, { zen: "Keep it simple" }, { "x-github-event": "ping" })).status).toBe(200);
  expect((await deliver(address, { action: "created" }, { "x-github-event": "issues" })).status).toBe(202);
  const wrong = await deliver(address, { action: "opened" });
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain("pull_request");
  expect(github.told).toEqual([]);
  expect(await world.json(["list", "--all"])).toEqual([]);
  const bare = await world.run(["github", "serve"], { env: { ...env, GITHUB_WEBHOOK_SECRET: "" } });
  expect(bare).toMatchObject({ code: 2 });
  expect(bare.err).toContain("GITHUB_WEBHOOK_SECRET is not set");
});

test("[GITHUB-RESTART-1] a decision that came while the receiver was away, or GitHub was, is passed on once", async () => {
  const { github, world, env } = await setUp();
  const first = await serve(world, env);
  const id = await opened(await deliver(first.address, event("opened")));
  first.child.kill("SIGKILL");
  await world.ok(["approve", id, "While you were out"]);
  github.failing["/reviews"] = [500];
  const second = await serve(world, env);
  await until(() => github.toldAt("/reviews").length === 1);
  expect((await world.json<Ticket>(["show", id])).heard_at).toBeNull();
  await second.stop();
  const third = await serve(world, env);
  let heard = null;
  while (heard === null) heard = (await world.json<Ticket>(["show", id])).heard_at;
  await third.stop();
  await (await serve(world, env)).stop();
  expect(github.toldAt("/reviews").map(({ body }) => body.event)).toEqual(["APPROVE", "APPROVE"]);
  github.failing["/comments"] = [500];
  const lost = await deliver((await serve(world, env)).address, event("opened", { number: 10 }));
  expect(lost.status).toBe(500);
});

test("[GITHUB-ACTION-1] a workflow's step asks, waits, reports, and ends with the decision's exit code", async () => {
  const { github, world, env } = await setUp();
  const path = join(world.folder, "event.json");
  writeFileSync(path, JSON.stringify(event("opened")));
  const step = { env: { ...env, GITHUB_EVENT_PATH: path } };
  const open = await world.run(["github", "action", "--to", "human:alex", "--timeout", "0s"], step);
  expect(open.code, open.err).toBe(14);
  const id = /tk_[a-z0-9]+/.exec(open.err)?.[0] ?? "";
  await world.ok(["reject", id, "Not yet"]);
  const done = await world.run(["github", "action", "--to", "human:alex"], step);
  expect(done).toMatchObject({ code: 10, out: "Rejected by human:alex: do not do this. They said: Not yet\n" });
  expect(github.toldAt("/reviews").map(({ body }) => body.event)).toEqual(["REQUEST_CHANGES"]);
  const action = parse(readFileSync(new URL("../action.yml", import.meta.url), "utf8"));
  expect(action.runs.steps.at(-1).run).toContain('hap.mjs" github action');
  expect(Object.keys(action.inputs)).toEqual(["hap-url", "hap-api-key", "token", "to", "report", "timeout"]);
});
