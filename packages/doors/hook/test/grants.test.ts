// Grants in the hook (D43): a call that a grant covers passes without a ticket, and nothing that only looks like it does.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GrantInput } from "@hap/protocol";
import { describe, expect, test } from "vitest";
import { claudePayloads as claude } from "./fixtures/claude-payloads.ts";
import { decided, World } from "./world.ts";

async function grant(world: World, input: Partial<GrantInput>): Promise<string> {
  const person = await world.person();
  const scope = { agent: "agent:claude-code", project: world.project, seconds: 3600, ...input };
  const { statement, needs } = await person.beginGrant(scope);
  const { nonce } = statement;
  const phrase = needs === null ? {} : { phrase: (await person.issueGrantPhrase(nonce)).phrase };
  return (await person.createGrant({ nonce, ...phrase })).id;
}

/** No waiting: what is not allowed at once is refused as still pending. */
const quick = (world: World) => ({ argv: ["--store", world.store, "--to", "human:alex", "--wait", "1"] });

describe("a grant", () => {
  test("[GRANT-GATE-1] lets a call pass, counted, without a ticket; other calls ask", async () => {
    const world = new World();
    const id = await grant(world, { commands: ["curl https://example.org/*"], uses: 1 });
    const call = claude.bash(world.project, "curl https://example.org/a");
    const ran = await world.run("claude", call, quick(world));
    expect(decided(ran)).toMatchObject({ decision: "allow", reason: expect.stringContaining(`granted this (${id})`) });
    expect(await world.tickets()).toEqual([]);
    expect(decided(await world.run("claude", call, quick(world)))).toMatchObject({ decision: "deny" });
    expect((await (await world.person()).grant(id)).used).toBe(1);
    expect(await world.tickets()).toHaveLength(1);
  });

  test("[GRANT-COMMAND-2, GRANT-PATH-1] is not used for a program of the project, a link out of it, or a gate path", async () => {
    const world = new World();
    const id = await grant(world, { commands: ["curl **"] });
    const bin = join(world.project, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "curl"), "#!/bin/sh\n");
    chmodSync(join(bin, "curl"), 0o755);
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const call = claude.bash(world.project, "curl https://example.org/a");
    expect(decided(await world.run("claude", call, { ...quick(world), env }))).toMatchObject({ decision: "deny" });
    const files = await grant(world, { paths: ["**"] });
    symlinkSync(join(world.home, ".bashrc"), join(world.project, "src", "link"));
    for (const name of ["src/link", ".hap/policy.json"]) {
      const write = claude.write(world.project, join(world.project, name), "x");
      expect(decided(await world.run("claude", write, quick(world)))).toMatchObject({ decision: "deny" });
    }
    const person = await world.person();
    expect([(await person.grant(id)).used, (await person.grant(files)).used]).toEqual([0, 0]);
  });

  test("[GRANT-DENY-1] a denial refuses at once, in its own words", async () => {
    const world = new World();
    const id = await grant(world, { verdict: "deny", commands: ["curl *"], seconds: null });
    const ran = await world.run("claude", claude.bash(world.project, "curl https://example.org/a"), quick(world));
    expect(decided(ran)).toMatchObject({ decision: "deny", reason: expect.stringContaining(id) });
    expect(await world.tickets()).toEqual([]);
  });
});
