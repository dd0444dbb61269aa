// From a tool's call to what rules are asked about (D11): its kind, the files and the command that it names, its effects, its
// risk. The shell grammar is loaded only for a command that the table of harmless ones does not know.
import { type Call, computeRisk, computeTier } from "@hap/protocol/rules";
import { classifyFileChange } from "@hap/shell/paths";
import { type Classification, type Need, proveCommand } from "@hap/shell/proof";
import { applyEdits, changedLines, editsOf, type FileText, linesOf, readPatch, readText } from "./file-change.ts";
import { HookError } from "./hook-error.ts";
import { type HookEvent, type JsonObject, word } from "./read-event.ts";
import { classifyReally, type Place, realPath, staysInside } from "./real-paths.ts";
import { shapeOf, type ToolShape, unknownKind } from "./tools.ts";

/** A call, and what was found out about it. */
export type DescribedCall = {
  tool: string;
  input: JsonObject;
  shape: ToolShape | null;
  /** What rules match against. */
  call: Call;
  /** The allowlist covers every part of the command. */
  proven: boolean;
  /** How the command may run in a sandbox without a person; null where it may not. */
  confinable: Confinable | null;
  /** Why a command cannot simply be confined. */
  needs: readonly Need[];
  /** What the effects come from, in words. */
  findings: readonly string[];
  /** The file that a write or edit changes, with its texts. */
  file: ({ path: string } & FileText) | null;
};

/** What a confined run must offer the command. */
type Confinable = Pick<Classification, "network" | "writesGit">;

/** Everything outside of the call that counts. */
export type Surroundings = { agent: string; cwd: string; project: string | null; home: string };

/** Describe a tool's call. */
export async function describeCall(tool: NonNullable<HookEvent["tool"]>, around: Surroundings): Promise<DescribedCall> {
  const shape = shapeOf(tool.name);
  const place: Place = { cwd: around.cwd, projectRoot: around.project ?? "", home: around.home };
  const found = await find(tool, shape, place);
  const { risk } = computeRisk({ kind: found.kind, linesChanged: found.lines, environment: null, confidence: null });
  return {
    tool: tool.name,
    input: tool.input,
    shape,
    proven: found.proven,
    confinable: found.confinable,
    needs: found.needs,
    findings: found.findings,
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
  confinable: Confinable | null;
  needs: readonly Need[];
  lines: number;
  file: DescribedCall["file"];
};

const empty: Omit<Found, "kind"> = {
  paths: [],
  command: null,
  effects: [],
  findings: [],
  proven: false,
  confinable: null,
  needs: [],
  lines: 0,
  file: null,
};

async function find(tool: NonNullable<HookEvent["tool"]>, shape: ToolShape | null, place: Place): Promise<Found> {
  switch (shape?.does) {
    case "shell":
      return findCommand(tool.input, shape.dialect, place);
    case "read":
      return findReading(tool.input, shape.paths, place);
    case "write":
      return findWriting(tool.input, need(tool.input, shape.path), () => need(tool.input, shape.content), place);
    case "edit":
      return findWriting(tool.input, need(tool.input, shape.path), (text) => applyEdits(text, tool.input), place);
    case "patch":
      return findPatch(need(tool.input, "command"), place);
    case "keep":
    case "host_asks":
    case "question":
      return { ...empty, kind: "host_tool" };
    default:
      return {
        ...empty,
        kind: unknownKind(tool.name),
        effects: ["unknown"],
        findings: [`${tool.name} is not a tool that HAP knows`],
      };
  }
}

/** A field that the tool cannot work without. */
function need(input: JsonObject, field: string): string {
  const value = word(input, field);
  if (value === null) throw new HookError(`The call has no ${field}.`);
  return value;
}

async function findCommand(input: JsonObject, dialect: "bash" | "unknown", place: Place): Promise<Found> {
  const command = commandOf(input);
  const context = { ...place, dialect };
  const plain = proveCommand(command, context);
  const proven = plain !== undefined && staysInside(command, place);
  const found: Classification = proven ? plain : (await import("@hap/shell")).classifyCommand(command, context);
  const linked = plain !== undefined && !proven;
  const confinable = !proven && !linked && found.needs.length === 0;
  return {
    ...empty,
    kind: "run_command",
    command,
    proven,
    confinable: confinable ? { network: found.network, writesGit: found.writesGit } : null,
    needs: linked ? ["outside"] : found.needs,
    effects: linked ? [...new Set([...found.effects, "read_outside"])].sort() : found.effects,
    findings: [...found.findings.map(({ what }) => what), ...(linked ? ["a link leads out of the project or to a secret"] : [])],
  };
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

function findReading(input: JsonObject, fields: readonly string[], place: Place): Found {
  const named = fields.map((field) => word(input, field)).filter((path) => path !== null);
  const paths = named.length > 0 ? named : ["."];
  const classes = paths.map((path) => classifyReally(path, place));
  const effects = new Set(classes.map(({ inside }) => (inside ? "read_inside" : "read_outside")));
  const secret = classes.some((path) => path.secret);
  return {
    ...empty,
    kind: "read_file",
    paths,
    effects: [...effects, ...(secret ? ["credentials"] : [])].sort(),
    findings: secret ? ["the file holds credentials"] : [],
  };
}

function findWriting(input: JsonObject, path: string, after: (before: string) => string | null, place: Place): Found {
  const real = realPath(path, place.cwd);
  const { exists, text } = readText(real);
  const readable = !exists || text !== null;
  const before = exists ? text : null;
  const made = readable ? after(before ?? "") : null;
  const lines = made === null ? claimedLines(input) : changedLines(before ?? "", made);
  return {
    ...findFiles([{ path, op: "write" }], place),
    kind: exists ? "modify_file" : "create_file",
    lines,
    file: { path, before, after: made },
  };
}

/** Where the texts cannot be compared, every line that the call holds counts. */
function claimedLines(input: JsonObject): number {
  const texts = editsOf(input).flatMap((edit) => [edit.old_string, edit.new_string, edit.content, edit.new_source]);
  return texts.reduce<number>((sum, text) => sum + (typeof text === "string" ? linesOf(text).length : 0), 0);
}

function findPatch(patch: string, place: Place): Found {
  const files = readPatch(patch);
  if (files === null)
    return {
      ...empty,
      kind: "modify_file",
      effects: ["unknown"],
      findings: ["the patch cannot be read"],
      lines: linesOf(patch).length,
    };
  const kind = files.some(({ op }) => op === "delete")
    ? "delete_file"
    : files.every(({ isNew }) => isNew)
      ? "create_file"
      : "modify_file";
  const lines = linesOf(patch).filter((line) => /^[+-]/.test(line)).length;
  return { ...findFiles(files, place), kind, lines };
}

/** The effects of changing files, under the names that they are called by and under their real ones. */
function findFiles(files: readonly { path: string; op: "write" | "delete" }[], place: Place): Omit<Found, "kind"> {
  const real = { ...place, projectRoot: realPath(place.projectRoot || "/", "/") };
  const found = files.flatMap(({ path, op }) => [
    classifyFileChange({ path, op }, place),
    classifyFileChange({ path: realPath(path, place.cwd), op }, real),
  ]);
  return {
    ...empty,
    paths: files.map(({ path }) => path),
    effects: [...new Set(found.flatMap(({ effects }) => effects))].sort(),
    findings: [...new Set(found.flatMap(({ findings }) => findings.map(({ what }) => what)))],
  };
}
