// The canary: a call that must be refused goes through the installed command, becomes a ticket, is rejected here, and must come
// back to the host as a no with our own words. Nothing less shows that the gate is armed.
import type { PersonClient } from "@hap/sdk";
import { type Check, check } from "./check.ts";
import { runGate, toolCall } from "./run-gate.ts";

const TOOL = "HapDoctorCanary";
const LIMIT_MS = 30_000;
/** Above this a person notices the hook at every call. */
const SLOW_MS = 1_000;

/** A harmless call is let through, and how long that takes. */
export async function harmlessCall(statesYes: boolean, command: string, cwd: string): Promise<Check> {
  const ran = await runGate(command, toolCall(cwd, "TodoWrite", { todos: [] }), LIMIT_MS);
  const said = statesYes ? '"permissionDecision":"allow"' : "{}";
  if (ran.code !== 0 || !ran.out.includes(said))
    return check("hook", "fail", `The hook does not answer a harmless call: exit ${ran.code}. ${ran.err || ran.out}`);
  const ms = Math.round(ran.ms);
  return check("hook", ms > SLOW_MS ? "warn" : "ok", `The hook answers a harmless call in ${ms} ms.`);
}

/** The canary call is refused, end to end. */
export async function canaryCall(client: PersonClient, command: string, cwd: string, chance: string): Promise<Check> {
  const words = `canary ${chance}`;
  const running = runGate(command, toolCall(cwd, TOOL, { chance }), LIMIT_MS);
  let ended = false;
  const end = running.finally(() => {
    ended = true;
  });
  while (!ended) {
    const { tickets } = await client.list({ state: "open", kind: `tool.${TOOL.toLowerCase()}` });
    const ours = tickets.find(({ intent }) => (intent.details.input as { chance?: string } | undefined)?.chance === chance);
    if (ours !== undefined) {
      await client.reject(ours.id, words);
      break;
    }
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 20))]);
  }
  const ran = await end;
  const denied = ran.code === 0 && ran.out.includes('"permissionDecision":"deny"') && ran.out.includes(words);
  if (denied) return check("canary", "ok", "A canary call was refused end to end, with the words of its rejection.");
  return check("canary", "fail", `The canary call was not refused as it must be: exit ${ran.code}. ${ran.err || ran.out}`);
}
