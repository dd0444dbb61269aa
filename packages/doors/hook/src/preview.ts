// Judges past calls as the gate would, without a store, a person or a sandbox.
import { findProject } from "@hap/sdk/project";
import { describeCall } from "./describe-call.ts";
import { HookError } from "./hook-error.ts";
import { HOSTS, type Host } from "./hosts.ts";
import { judge } from "./judge.ts";
import { confineMode, strictestVerdict } from "./policy-files.ts";
import type { JsonObject } from "./read-event.ts";

export { HOSTS, type Host } from "./hosts.ts";

/** A call from a transcript. */
export type PastCall = { host: Host; tool: string; input: JsonObject; cwd: string };

/** The verdict on a past call, its reason, and how dangerous the call is. */
export type Preview = {
  verdict: "run" | "confined" | "ask" | "deny";
  /** The id of the rule that answered: of the default policy, or of a policy file. */
  rule: string;
  why: string;
  tier: "routine" | "notable" | "critical";
  risk: number;
  /** The command or the first file, for people to recognise it. */
  about: string;
};

/** The machine that it is judged on. */
export type PreviewPlace = { home: string; path: string; canConfine: boolean };

/** Judge a past call; null for what the gate leaves to the host. */
export async function previewCall({ host, tool, input, cwd }: PastCall, place: PreviewPlace): Promise<Preview | null> {
  const { home, path, canConfine } = place;
  const project = findProject(cwd, home) ?? (cwd === "/" || home.startsWith(cwd) ? null : cwd);
  try {
    const described = await describeCall({ name: tool, input }, { agent: HOSTS[host].agent, cwd, project, home, path, gate: [] });
    if (described.shape?.does === "host_asks" || described.shape?.does === "question") return null;
    const { call, findings, file } = described;
    const { verdict, rule } = judge(described);
    const shown = { tier: call.tier, risk: call.risk, about: call.command ?? file?.path ?? call.paths[0] ?? tool };
    const stricter = strictestVerdict(home, project, call);
    if (stricter !== null) return { ...shown, ...stricter, why: stricter.why ?? "A rule of your policy matches." };
    if (verdict === "allow") return { ...shown, verdict: "run", rule: rule.id, why: rule.why };
    if (verdict === "confine" && confines(host, home, project, canConfine))
      return { ...shown, verdict: "confined", rule: rule.id, why: rule.why };
    return { ...shown, verdict: "ask", rule: rule.id, why: findings.length > 0 ? `${rule.why} (${findings[0]})` : rule.why };
  } catch (error) {
    if (!(error instanceof HookError)) throw error;
    return { verdict: "deny", rule: "unreadable", why: error.message, tier: "notable", risk: 0.5, about: tool };
  }
}

function confines(host: Host, home: string, project: string | null, canConfine: boolean): boolean {
  const { by } = HOSTS[host].confinement;
  if (by !== "hap") return by === "host";
  const mode = confineMode(home, project);
  return canConfine && project !== null && mode !== null && mode !== "off";
}
