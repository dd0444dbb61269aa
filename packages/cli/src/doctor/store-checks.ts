// The store: does it verify, does it accept the rules, is the clock right, what is its word worth (D1), is a passkey enrolled.
import type { AssuranceLevel } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import { trustWords } from "../show/trust-words.ts";
import { withstands } from "../show/withstands.ts";
import { type Check, check } from "./check.ts";

/** How far the newest event may lie in the future. */
const CLOCK_MS = 5_000;

export async function storeChecks(client: PersonClient, now: number): Promise<Check[]> {
  return [
    await attempt("store", () => integrity(client)),
    await attempt("policy", () => policy(client)),
    await attempt("clock", () => clock(client, now)),
    check("trust", client.trust === "open" ? "warn" : "ok", trustWords(client.trust)),
    await attempt("withstands", () => yes(client)),
    await attempt("passkey", () => passkey(client)),
  ];
}

async function attempt(id: string, work: () => Promise<Check>): Promise<Check> {
  try {
    return await work();
  } catch (error) {
    return check(id, "fail", error instanceof Error ? error.message : String(error));
  }
}

async function integrity(client: PersonClient): Promise<Check> {
  const report = await client.verify({ chainOnly: true });
  if (report.ok) return check("store", "ok", `${client.place} verifies (${report.events} events).`);
  return check("store", "fail", `${client.place} does not verify: ${report.violation.message}`);
}

async function policy(client: PersonClient): Promise<Check> {
  await client.checkPolicy({ kind: "run_command", details: { command: "true" } });
  return check("policy", "ok", "The policy files can be read.");
}

async function clock(client: PersonClient, now: number): Promise<Check> {
  const { tickets } = await client.list({ limit: 1 });
  const [newest] = tickets;
  const ahead = newest === undefined ? 0 : Date.parse(newest.updated_at) - now;
  if (ahead > CLOCK_MS)
    return check("clock", "fail", `The clock is wrong: the newest ticket is ${Math.round(ahead / 1000)} s in the future.`);
  return check("clock", "ok", `The clock says ${new Date(now).toISOString()}.`);
}

/** What the strongest yes of this person withstands. */
async function yes(client: PersonClient): Promise<Check> {
  const levels = (await client.credentials()).filter(({ revoked_at }) => revoked_at === null).map(({ level }) => level);
  const best = ["passkey", "present", "key"].find((level) => levels.includes(level as AssuranceLevel)) ?? "local";
  return check("withstands", client.trust === "open" ? "warn" : "ok", withstands(client.trust, best as AssuranceLevel).long);
}

async function passkey(client: PersonClient): Promise<Check> {
  const enrolled = await client.credentials();
  if (enrolled.length > 0)
    return check("passkey", "ok", `${enrolled.length} ${enrolled.length === 1 ? "key is" : "keys are"} enrolled.`);
  return check("passkey", "warn", "No passkey is enrolled: a critical yes rests on a typed phrase.");
}
