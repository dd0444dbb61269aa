// One event, from what the host sent to what it is answered. The fast path imports nothing that costs: zod, SQLite, the network
// and the shell grammar are loaded only behind the judgement that needs them.
import { findProject } from "@hap/sdk/project";
import type { Answer } from "./answer.ts";
import { hasNamespaces } from "./confine/session-state.ts";
import { describeCall } from "./describe-call.ts";
import { firstFolder } from "./first-folder.ts";
import { HookError } from "./hook-error.ts";
import { HOSTS } from "./hosts.ts";
import { type Judgement, judge } from "./judge.ts";
import type { HookOptions } from "./options.ts";
import { policyYes } from "./policy-yes.ts";
import type { HookEvent } from "./read-event.ts";
import { shapeOf } from "./tools.ts";

/** Events that tell and ask nothing: they are noted, and never hold the host up. */
const TELLING = ["Notification", "Stop", "SubagentStop", "SessionStart", "SessionEnd", "StopFailure", "Interrupt"];

/** True for an event at which a failure must not stop anything: nothing is waiting for a decision. */
export function onlyTells(name: string): boolean {
  return TELLING.includes(name);
}

/** Time and the home folder, given by main. */
export type World = {
  home: string;
  now: () => number;
  /** Where the host's shell looks for programs. */
  path: string;
  /** The folder that the host was started in, where it says so. */
  hostProject: string | null;
  /** The folders of the hook itself. */
  own: readonly string[];
};

/** Answer an event. An error means that the gate stays closed. */
export async function handleEvent(event: HookEvent, options: HookOptions, world: World): Promise<Answer> {
  if (onlyTells(event.name)) {
    if (event.name === "SessionEnd" && event.session !== null)
      await (await import("./confine/end-session.ts")).endSession(world.home, event.session);
    await (await import("./ask/note-event.ts")).noteEvent(event, options);
    return { decision: "none" };
  }
  const project = options.project ?? findProject(event.cwd, world.home) ?? sessionProject(event, world);
  if (event.name === "Elicitation") return (await import("./ask/elicit.ts")).elicit(event, options, project, world.now());
  if (event.tool === null) throw new HookError(`hap-hook is not made for the event ${event.name}; remove it from the settings.`);
  if (isOurs(event, options) && (await import("./confine/issued.ts")).wasIssued(world.home, event.session, event.tool.input))
    return { decision: "allow", reason: "HAP issued this command." };
  if (event.session !== null && changesFiles(event.tool.name) && hasNamespaces(world.home, event.session))
    await (await import("./confine/pause-session.ts")).pauseSession(world.home, event.session);
  const agent = options.agent ?? HOSTS[options.host].agent;
  const around = { agent, cwd: event.cwd, project, home: world.home, path: world.path, gate: world.own, watch };
  const described = await describeCall(event.tool, around);
  const asking = { event, options, described, now: world.now };
  if (described.shape?.does === "host_asks") return { decision: "none" };
  if (described.shape?.does === "question")
    // The host's own dialog is the second place where a question can be answered, so it is not asked again there.
    return event.name === "PreToolUse" ? (await import("./ask/questions.ts")).askQuestions(asking) : { decision: "none" };
  const judgement = judge(described);
  if (event.mode === "plan") return inPlanMode(judgement.verdict, described.proven);
  const { does } = described.shape ?? {};
  const later = does === "shell" && described.input.run_in_background === true;
  const left = judgement.verdict === "allow" && does === "shell" && hasNamespaces(world.home, event.session);
  if (judgement.verdict === "confine" || left || later) {
    const { confineCall, isRacing } = await import("./confine/confine-call.ts");
    const { home, own, hostProject } = world;
    const confining = { event, options, described, home, own, hostProject };
    const races = left && isRacing(confining);
    if (judgement.verdict === "confine" || races || (judgement.verdict === "allow" && later)) {
      const confined = confineCall(confining);
      if (confined !== null) return confined;
    }
    // What was proven may no longer hold when the command gets there.
    if (races && event.name === "PreToolUse")
      return (await import("./ask/ask-person.ts")).askPerson({ ...asking, judgement: RACING });
  }
  if (judgement.verdict === "allow") return policyYes(event, options, judgement.rule.why);
  return (await import("./ask/ask-person.ts")).askPerson({ ...asking, judgement });
}

const RACING: Judgement = {
  verdict: "ask_engine",
  rule: {
    id: "racing",
    match: {},
    verdict: "ask",
    why: "A confined command is still running, and could change what this one reads or runs.",
  },
};

/** True for a tool that changes files outside of the sandbox. */
function changesFiles(tool: string): boolean {
  const does = shapeOf(tool)?.does;
  return does === "write" || does === "edit" || does === "patch";
}

/** True when the host asks for permission for what may be a command of ours. */
function isOurs(event: HookEvent, { host }: HookOptions): boolean {
  const command = event.tool?.input.command;
  return (
    event.name === "PermissionRequest" && HOSTS[host].asksForItself && typeof command === "string" && command.includes(" run ")
  );
}

/** While the host plans, nothing from here opens what it keeps closed: it decides itself, or the answer is no. */
function inPlanMode(verdict: Judgement["verdict"], proven: boolean): Answer {
  if (verdict === "allow" || proven) return { decision: "none" };
  return {
    decision: "deny",
    reason:
      "The session is in plan mode, and this would need a person's approval. Finish the plan first; then make the call again.",
  };
}

/** What may take long is watched from another thread, which costs too much for what does not. */
async function watch(): Promise<void> {
  await (await import("./watchdog.ts")).startWatchdog();
}

/** Without version control the project is the session's own folder, unless that is the home folder or one above it. */
function sessionProject(event: HookEvent, { home, hostProject }: World): string | null {
  const folder = hostProject ?? firstFolder(event.raw) ?? event.cwd;
  return folder === "/" || home === folder || home.startsWith(`${folder}/`) ? null : folder;
}
