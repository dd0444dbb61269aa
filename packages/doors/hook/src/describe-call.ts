// From a tool's call to what rules are asked about (D11): its kind, the files and the command that it names, its effects, its
// risk. The shell grammar is loaded only for a command that the allowlist does not prove.
import { computeRisk, computeTier, type MatchableCall } from "@hap/protocol/rules";
import { nodeDisk } from "@hap/shell/disk";
import { classifyPath } from "@hap/shell/paths";
import {
  type Classification,
  MOST_SUBSTITUTIONS,
  type Need,
  opensTooMany,
  proveCommand,
  type ShellContext,
  usesSystemPrograms,
} from "@hap/shell/proof";
import { describeFiles, describePatchIn, readingsOf, UNREADABLE_PATCH } from "./changed-files.ts";
import {
  applyEdits,
  editsOf,
  type FileText,
  LARGE_CHANGE,
  linesOf,
  patchedLines,
  readPatch,
  readText,
  roughlyChanged,
  statedLines,
} from "./file-change.ts";
import { HookError } from "./hook-error.ts";
import { isPlanFile } from "./plan-file.ts";
import { isDocumentation, isProjectFile } from "./public-web.ts";
import { type HookEvent, type JsonObject, word } from "./read-event.ts";
import { searchFindsSecret } from "./search-finds-secret.ts";
import { kindByName, shapeOf, type ToolShape, unknownFields } from "./tools.ts";

/** A call, and what was found out about it. */
export type DescribedCall = {
  tool: string;
  input: JsonObject;
  shape: ToolShape | null;
  /** What rules match against. */
  call: MatchableCall;
  /** The allowlist covers every part of the command. */
  proven: boolean;
  /** The command may run in a sandbox without a person. */
  confinable: boolean;
  /** Why a command cannot simply be confined. */
  needs: readonly Need[];
  /** Contents of files outside the project are searched. */
  searchesOutside: boolean;
  /** A search of the web, or a page of documentation. */
  publicWeb: boolean;
  /** What the effects come from, in words. */
  findings: readonly string[];
  /** True when every program of the command is the system's own, in a shell that HAP knows. Looks at the disk when it is asked. */
  trusted: () => boolean;
  /** The file that a write or edit changes, with its texts. */
  file: ({ path: string } & FileText) | null;
};

/** Everything outside of the call that counts. */
export type Surroundings = {
  agent: string;
  cwd: string;
  project: string | null;
  home: string;
  /** Where the host's shell looks for programs (PATH). */
  path: string;
  /** The hook's own folders. */
  gate: readonly string[];
  /** Called when reading the call took unusually long: see watchdog.ts. */
  watch?: () => Promise<void>;
  /** How long each step of reading the call may take; tests set it. */
  limitMs?: number;
};

/** Describe a tool's call. */
export async function describeCall(tool: NonNullable<HookEvent["tool"]>, around: Surroundings): Promise<DescribedCall> {
  const shape = shapeOf(tool.name);
  const place: ShellContext = {
    cwd: around.cwd,
    projectRoot: around.project ?? "",
    home: around.home,
    disk: nodeDisk(around.path),
    gate: around.gate,
  };
  const found = withUnknownFields(await take(() => find(tool, shape, place), isPlain(tool.input), around), tool);
  // The draft gives every new file the same number; here a long one counts as a large change does.
  const kind = found.kind === "create_file" ? "modify_file" : found.kind;
  const { risk } = computeRisk({ kind, linesChanged: found.lines, environment: null, confidence: null });
  return {
    tool: tool.name,
    input: tool.input,
    shape,
    proven: found.proven,
    confinable: found.confinable,
    needs: found.needs,
    searchesOutside: found.searchesOutside,
    publicWeb: found.publicWeb,
    findings: found.findings,
    trusted: found.trusted,
    file: found.file,
    call: {
      agent: around.agent,
      kind: found.kind,
      paths: found.paths,
      command: found.command,
      environment: null,
      project: around.project,
      home: around.home,
      risk,
      tier: computeTier(risk, found.effects),
      effects: found.effects,
    },
  };
}

type Found = {
  kind: string;
  paths: string[];
  command: string | null;
  effects: readonly string[];
  findings: readonly string[];
  proven: boolean;
  confinable: boolean;
  needs: readonly Need[];
  searchesOutside: boolean;
  publicWeb: boolean;
  lines: number;
  trusted: () => boolean;
  file: DescribedCall["file"];
};

const empty: Omit<Found, "kind"> = {
  paths: [],
  command: null,
  effects: [],
  findings: [],
  proven: false,
  confinable: false,
  needs: [],
  searchesOutside: false,
  publicWeb: false,
  lines: 0,
  trusted: () => true,
  file: null,
};

/** What was found, or a part of the program that has to be loaded to find it. */
type Step = Found | (() => Promise<() => Step>);

/** Matching rules against a longer command or path, here and in the engine, may take a while. */
const LONG_TEXT = 16_384;

const SHORT = 1_000;

/** True for a few short words without a pattern, which take no time to read. A limit would cost more than a millisecond. */
function isPlain(input: JsonObject): boolean {
  return Object.values(input).every((value) => typeof value === "string" && value.length <= SHORT && !/[*?[{]/.test(value));
}

/** Take steps, each within a limit of time: a host may let a call through whose hook takes too long. */
async function take(first: () => Step, plain: boolean, { watch, limitMs }: Surroundings): Promise<Found> {
  let result: Step = plain ? first() : async () => first;
  let slow = false;
  while (typeof result === "function") {
    const work = await result();
    const { withinTime } = await import("./within-time.ts");
    const taken: { result: Step; unusual: boolean } = withinTime(work, limitMs);
    result = taken.result;
    slow ||= taken.unusual;
  }
  if (slow || [result.command ?? "", ...result.paths].some((text) => text.length > LONG_TEXT)) await watch?.();
  return result;
}

function find(tool: NonNullable<HookEvent["tool"]>, shape: ToolShape | null, place: ShellContext): Step {
  switch (shape?.does) {
    case "shell":
      return findCommand(tool.input, shape, place);
    case "read":
      return findReading(tool.input, shape, place);
    case "write":
      return findWriting(tool.input, need(tool.input, shape.path), () => need(tool.input, shape.content), place);
    case "edit":
      return findWriting(tool.input, need(tool.input, shape.path), (text) => applyEdits(text, tool.input), place);
    case "patch":
      return findPatch(need(tool.input, "command"), place);
    case "web":
      return findWeb(tool, shape.reads, place);
    case "keep":
    case "host_asks":
    case "question":
      return { ...empty, kind: "host_tool" };
    default:
      return {
        ...empty,
        kind: kindByName(tool.name),
        effects: ["unknown"],
        findings: [`${tool.name} is not a tool that HAP knows`],
      };
  }
}

function findWeb({ name, input }: NonNullable<HookEvent["tool"]>, reads: "search" | "page", place: ShellContext): Found {
  const findings = [reads === "search" ? "the call searches the web" : "the call reads a page of the web"];
  return {
    ...empty,
    kind: kindByName(name),
    effects: ["network"],
    findings,
    publicWeb: reads === "search" || isDocumentation(input) || isProjectFile(input, place),
  };
}

/** A call with a field that HAP does not know is neither proven nor confined. */
function withUnknownFields(found: Found, { name, input }: NonNullable<HookEvent["tool"]>): Found {
  const fields = unknownFields(name, input);
  if (fields.length === 0) return found;
  const findings = fields.map((field) => `HAP does not know the field ${JSON.stringify(field)} of ${name}`);
  // Not among the effects of a small change, which would be allowed.
  const effects = [...found.effects.filter((effect) => effect !== "write_inside"), "unknown"].sort();
  return { ...found, proven: false, confinable: false, publicWeb: false, effects, findings: [...found.findings, ...findings] };
}

/** A field that the tool cannot work without. */
function need(input: JsonObject, field: string): string {
  const value = word(input, field);
  if (value === null) throw new HookError(`The call has no ${field}.`);
  return value;
}

type ShellTool = Extract<ToolShape, { does: "shell" }>;

function findCommand(input: JsonObject, { dialect, folder }: ShellTool, place: ShellContext): Step {
  const command = commandOf(input);
  // Where the host does not say in which folder it will run, relative paths could be anywhere.
  const cwd = folder === "unsaid" ? (absolute(word(input, "workdir")) ?? "") : place.cwd;
  const context = { ...place, cwd, dialect };
  if (opensTooMany(command))
    throw new HookError(
      `The command opens more than ${MOST_SUBSTITUTIONS} substitutions, which HAP does not read. Make it shorter.`,
    );
  const foundBy = (found: Classification) =>
    withPatch(command, context, {
      ...empty,
      kind: "run_command",
      command,
      proven: found.proven,
      confinable: !found.proven && found.needs.length === 0,
      needs: found.needs,
      effects: found.effects,
      findings: found.findings.map(({ what }) => what),
      trusted: () => dialect !== "unknown" && usesSystemPrograms(command, context),
    });
  const proof = proveCommand(command, context);
  if (proof !== undefined) return foundBy(proof);
  return async () => {
    const { classifyCommand } = await import("@hap/shell");
    return () => foundBy(classifyCommand(command, context));
  };
}

/** A patch in a command that changes more than plain files of the project asks. */
function withPatch(command: string, place: ShellContext, found: Found): Found {
  const patch = describePatchIn(command, place);
  if (patch === null) return found;
  if (patch.effects.every((effect) => effect === "write_inside")) return { ...found, proven: false };
  const effects = [...new Set([...found.effects, ...patch.effects])].sort();
  return { ...found, proven: false, confinable: false, effects, findings: [...found.findings, ...patch.findings] };
}

/** The command; some tools of Codex give it as a list of words. */
function commandOf(input: JsonObject): string {
  const value = input.command ?? input.cmd;
  if (Array.isArray(value) && value.every((part) => typeof part === "string")) return value.map(quoteWord).join(" ");
  if (typeof value === "string") return value;
  throw new HookError("The call has no command.");
}

function quoteWord(part: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`;
}

function absolute(path: string | null): string | null {
  return path?.startsWith("/") === true ? path : null;
}

function findReading(input: JsonObject, shape: Extract<ToolShape, { does: "read" }>, place: ShellContext): Found {
  const named = shape.paths.map((field) => word(input, field)).filter((path) => path !== null);
  const paths = named.length > 0 ? named.map((path) => readingsOf(path)[0]) : ["."];
  const classes = [...paths, ...named.flatMap(readingsOf)].map((path) => classifyPath(path, place));
  const effects = new Set(classes.map(({ inside }) => (inside ? "read_inside" : "read_outside")));
  const folder = classes[0];
  const secret =
    classes.some((path) => path.secret) ||
    (shape.search !== undefined && folder !== undefined && searchFindsSecret(input, shape.search, folder, place));
  return {
    ...empty,
    kind: "read_file",
    paths,
    effects: [...effects, ...(secret ? ["credentials"] : [])].sort(),
    findings: secret ? ["the call reads or can find credentials"] : [],
    searchesOutside: shape.search?.shows === "contents" && effects.has("read_outside"),
  };
}

function findWriting(input: JsonObject, path: string, after: (before: string) => string | null, place: ShellContext): Step {
  const [shown] = readingsOf(path);
  if (isPlanFile(path, place)) return { ...empty, kind: "host_tool", paths: [shown] };
  const { exists, text } = readText(classifyPath(shown, place).resolved);
  const readable = !exists || text !== null;
  const before = exists ? text : null;
  const made = readable ? after(before ?? "") : null;
  const rough = made === null ? statedLines(editsOf(input), exists) : roughlyChanged(before ?? "", made);
  const found: Found = {
    ...empty,
    ...describeFiles([{ path, op: "write" }], place),
    kind: exists ? "modify_file" : "create_file",
    lines: rough,
    file: { path: shown, before, after: made },
  };
  if (made === null || rough < LARGE_CHANGE) return found;
  // The exact count is loaded and made only where the rough one is that of a large change.
  return async () => {
    const { countChanges } = await import("./count-changes.ts");
    return () => ({ ...found, lines: countChanges(before ?? "", made, rough) });
  };
}

function findPatch(patch: string, place: ShellContext): Found {
  const files = readPatch(patch);
  if (files === null)
    return {
      ...empty,
      kind: "modify_file",
      ...UNREADABLE_PATCH,
      lines: linesOf(patch).length,
    };
  const kind = files.some(({ op }) => op === "delete")
    ? "delete_file"
    : files.every(({ isNew }) => isNew)
      ? "create_file"
      : "modify_file";
  const lines = patchedLines(patch);
  return { ...empty, ...describeFiles(files, place), kind, lines };
}
