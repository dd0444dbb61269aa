// Risk, effects and tier of a request (D11), from what the runtime itself can see. Replay never recomputes them.
import {
  type Artifact,
  computeRisk,
  computeTier,
  type DiffFile,
  EFFECT_TIERS,
  filesOfDetails,
  type RiskFactors,
  type RiskTable,
  type TicketRequest,
  type Tier,
} from "@hap/protocol";
import {
  CLASSIFIER_VERSION,
  type Classification,
  classifyCommand,
  classifyFileChange,
  type Effect,
  type ShellContext,
} from "@hap/shell";
import { sha256 } from "../transaction/facts.ts";

/** What classification finds. `paths` are the files that the request names. */
export type Classified = {
  risk: number;
  riskClaimed: number | null;
  factors: RiskFactors;
  tier: Tier;
  effects: Effect[];
  /** What was found that is not harmless, a sentence each. */
  findings: Found["findings"][number][];
  classifier: string;
  paths: string[];
};

/** The effects of a command or a file change, and the sentences that say why. */
export type Found = { effects: readonly Effect[]; findings: readonly { effect: Effect; what: string }[] };

/** Sentences that are kept: of one effect, and of one ticket. */
const FINDINGS_MOST = { effect: 3, ticket: 16 };

/** What is worth keeping of a classification: every effect, and a few sentences for those that are not harmless. */
export function foundIn({ effects, findings }: Pick<Classification, "effects" | "findings">): Found {
  const risky = findings.filter(({ effect }) => EFFECT_TIERS[effect] !== "routine");
  const few = Object.values(Object.groupBy(risky, ({ effect }) => effect)).flatMap((of) => of.slice(0, FINDINGS_MOST.effect));
  return { effects, findings: few.slice(0, FINDINGS_MOST.ticket).map(({ effect, what }) => ({ effect, what })) };
}

/** Where relative paths of a request without a project count as inside. */
const unnamedProject = "/project";

/** Changed lines: counted in the diff where there is one, otherwise as claimed. */
export function countLines(details: TicketRequest["details"], files: readonly DiffFile[]): { added: number; removed: number } {
  const claimed = { added: asCount(details.lines_added), removed: asCount(details.lines_removed) };
  if (typeof details.diff !== "string") return claimed;
  if (files.length > 0) return { added: sum(files.map((file) => file.added)), removed: sum(files.map((file) => file.removed)) };
  // Not a diff that we can read: the larger of the claim and what looks like changes.
  const lines = details.diff.split("\n");
  return {
    added: Math.max(claimed.added, lines.filter((line) => line.startsWith("+")).length),
    removed: Math.max(claimed.removed, lines.filter((line) => line.startsWith("-")).length),
  };
}

function asCount(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.floor(value) : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Classify a request. `home` lets `~` be seen as outside the project; `files` are those of the request's diff. */
export function classify(
  request: TicketRequest,
  artifact: Artifact,
  table: RiskTable,
  home: string,
  files: readonly DiffFile[] = filesOfDetails(request.details),
): Classified {
  const lines = countLines(request.details, files);
  const { environment } = request.artifact;
  const { risk: computed, factors } = computeRisk(
    { kind: request.kind, linesChanged: lines.added + lines.removed, environment, confidence: request.confidence },
    table,
  );
  const risk = Math.max(computed, request.riskClaimed ?? 0);
  const paths = namedPaths(request.details, files);
  const projectRoot = request.project ?? unnamedProject;
  const { effects, findings } = findEffects(request, artifact, paths, { cwd: projectRoot, projectRoot, home });
  return {
    risk,
    riskClaimed: request.riskClaimed,
    factors,
    tier: computeTier(risk, effects),
    effects,
    findings,
    classifier: CLASSIFIER_VERSION,
    paths,
  };
}

/** Every path that the request names, the old one of a moved file too. */
export function namedPaths(details: TicketRequest["details"], files: readonly DiffFile[] = filesOfDetails(details)): string[] {
  const paths = files.flatMap((file) => (file.old_path === undefined ? [file.path] : [file.path, file.old_path]));
  if (typeof details.file === "string") paths.push(details.file);
  return [...new Set(paths)];
}

/** Agents ask about the same commands again and again, and what a command does follows from its text and place alone. */
const known = new Map<string, Found>();
const KNOWN_MOST = 256;
/** Longer keys are kept as digests. */
const KNOWN_CHARS = 2_000;

function foundBy(command: string, context: ShellContext): Found {
  const key = keyOf(command, context);
  const before = known.get(key) ?? learned.get(key);
  if (before !== undefined) return before;
  const found = foundIn(classifyCommand(command, context));
  remember(key, found);
  return found;
}

function keyOf(command: string, context: ShellContext): string {
  const key = JSON.stringify([command, context.cwd, context.projectRoot, context.home]);
  return key.length <= KNOWN_CHARS ? key : sha256(key);
}

function remember(key: string, found: Found): void {
  const [oldest] = known.keys();
  if (known.size >= KNOWN_MOST && oldest !== undefined) known.delete(oldest);
  known.set(key, found);
}

/** Results of the classifier's thread; kept apart so that a flood of short commands does not evict them before use. */
const learned = new Map<string, Found>();
const LEARNED_MOST = 4096;

/** Record what another thread found out about a command: `classify` uses it from here on. */
export function learn({ command, context }: CommandAt, found: Found): void {
  const [oldest] = learned.keys();
  if (learned.size >= LEARNED_MOST && oldest !== undefined) learned.delete(oldest);
  learned.set(keyOf(command, context), found);
}

/** The command of a request, and where it would run; null where there is none, or it is known. */
export type CommandAt = { command: string; context: ShellContext };

export function unknownCommand(request: TicketRequest, home: string): CommandAt | null {
  const { command } = request.details;
  if (typeof command !== "string") return null;
  const at = { command, context: placeOf(request, home) };
  const key = keyOf(at.command, at.context);
  return known.has(key) || learned.has(key) ? null : at;
}

/** A command runs where its details say; files are named from the project. */
function placeOf(request: TicketRequest, home: string): ShellContext {
  const { cwd } = request.details;
  const projectRoot = request.project ?? unnamedProject;
  return { cwd: typeof cwd === "string" && cwd.startsWith("/") ? cwd : projectRoot, projectRoot, home };
}

function findEffects(request: TicketRequest, artifact: Artifact, paths: readonly string[], context: ShellContext): FoundAll {
  const effects = new Set<Effect>();
  const findings: FoundAll["findings"] = [];
  const take = (found: Found) => {
    for (const effect of found.effects) effects.add(effect);
    findings.push(...found.findings);
  };
  const { command } = request.details;
  if (typeof command === "string") take(foundBy(command, placeOf(request, context.home ?? "")));
  const op = request.kind === "delete_file" ? "delete" : "write";
  for (const path of paths) {
    // A hunk whose file is not named could change anything.
    if (path === "") effects.add("unknown");
    else take(foundIn(classifyFileChange({ path, op }, context)));
  }
  const nothingShown = typeof command !== "string" && paths.length === 0;
  if (nothingShown && request.ask.type === "approval") effects.add("unknown");
  if (request.kind === "run_command" && typeof command !== "string") effects.add("unknown");
  if (request.artifact.environment?.includes("prod")) effects.add("production");
  if (artifact.opaque) effects.add("opaque");
  return { effects: [...effects].sort(), findings: findings.slice(0, FINDINGS_MOST.ticket) };
}

type FoundAll = Pick<Classified, "effects" | "findings">;
