// From a call to the ticket that a person sees: the whole command, the whole change, nothing shortened; the gate trims the summary.
import { relative } from "node:path";
import { ID_PATTERNS } from "@hap/protocol";
import type { AskInput } from "@hap/sdk/agent";
import type { DescribedCall } from "../describe-call.ts";
import { HOSTS } from "../hosts.ts";
import type { HookOptions } from "../options.ts";
import type { HookEvent, JsonObject } from "../read-event.ts";
import { realPath } from "../real-paths.ts";
import { patchDiff, unifiedDiff } from "./file-diff.ts";

/** The ticket of a call; the same call always gives the same one. `files`: what a command names, by its bytes. */
export function ticketInput(
  described: DescribedCall,
  event: HookEvent,
  options: HookOptions,
  files: Record<string, string>,
): AskInput {
  const { call } = described;
  const session = event.session?.toLowerCase();
  return {
    kind: call.kind,
    ...about(described, event, files),
    ...(session !== undefined && ID_PATTERNS.token.test(session) ? { session } : {}),
    ...(options.to === null ? {} : { to: options.to }),
    lease: { ttl_seconds: options.ttlSeconds, on_timeout: "auto_reject" },
    ask: { type: "approval", allow_edits: true },
  };
}

function about(
  described: DescribedCall,
  event: HookEvent,
  files: Record<string, string>,
): Pick<AskInput, "summary" | "details" | "file" | "diff"> {
  const { call, tool, input, shape } = described;
  const { description: _said, command: _command, cmd: _cmd, ...rest } = input;
  const also = { tool, cwd: event.cwd, ...(event.subagent === null ? {} : { subagent: event.subagent }) };
  switch (shape?.does) {
    case "shell":
      return {
        summary: `Run: ${call.command}`,
        details: { command: call.command ?? "", ...also, ...unlessEmpty("options", rest), ...unlessEmpty("files", files) },
      };
    case "write":
    case "edit":
      return aboutFile(described, event.cwd, also);
    case "patch": {
      const patch = String(input.command);
      return { summary: `Patch ${call.paths.join(", ")}`, details: { ...also, patch }, diff: patchDiff(patch) };
    }
    case "read":
      return { summary: `Read ${call.paths[0]}`, file: shown(call.paths[0] ?? ".", described, event.cwd), details: also };
    default:
      return { summary: `Use ${tool}`, details: { ...also, input } };
  }
}

function unlessEmpty(key: string, value: JsonObject): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}

function aboutFile(
  described: DescribedCall,
  cwd: string,
  also: JsonObject,
): Pick<AskInput, "summary" | "details" | "file" | "diff"> {
  const { file, call, input } = described;
  const path = shown(file?.path ?? "", described, cwd);
  const verb = call.kind === "create_file" ? "Create" : "Change";
  const named = { summary: `${verb} ${path}`, file: path };
  if (file === null || file.after === null) return { ...named, details: { ...also, input } };
  return { ...named, details: { ...also }, diff: unifiedDiff(path, file.before, file.after) };
}

/** The file as it really is: from the project where it lies inside, else from the root. */
export function shown(path: string, { call }: DescribedCall, cwd: string): string {
  const real = realPath(path, cwd);
  if (call.project === null) return real;
  const inside = relative(realPath(call.project, "/"), real);
  return inside === "" || inside === ".." || inside.startsWith("../") ? real : inside;
}

/** What the model says about its call; agent's words, kept beside the ticket. */
export function modelsWords(input: JsonObject, options: HookOptions): string | null {
  const said = input.description;
  return typeof said === "string" && said.trim() !== "" ? `${HOSTS[options.host].title} says: ${said.slice(0, 900)}` : null;
}
