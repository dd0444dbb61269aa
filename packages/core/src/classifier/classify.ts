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
  findings: Found["findings"];
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

/** What a request does, found without asking any policy: its effects and the paths that it names. */
export type Findings = { effects: Effect[]; findings: Found["findings"]; paths: string[]; lines: number };

/** Find out what a request does; slow for a long command, whose effects can be given. `home` lets `~` count as outside the project. */
export function findOut(
  request: TicketRequest,
  artifact: Artifact,
  home: string,
  files: readonly DiffFile[] = filesOfDetails(request.details),
  ofCommand?: Found,
): Findings {
  const { added, removed } = countLines(request.details, files);
  const paths = namedPaths(request.details, files);
  return { ...findEffects(request, artifact, paths, home, ofCommand), paths, lines: added + removed };
}

/** Rate a request by what was found out about it. */
export function rate(request: TicketRequest, { effects, findings, paths, lines }: Findings, table: RiskTable): Classified {
  const { environment } = request.artifact;
  const { risk: computed, factors } = computeRisk(
    { kind: request.kind, linesChanged: lines, environment, confidence: request.confidence },
    table,
  );
  const risk = Math.max(computed, request.riskClaimed ?? 0);
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

/** Cache of effects: agents repeat commands, and the effects follow from a command's text and place alone. */
const known = new Map<string, Found>();
const KNOWN_MOST = 256;
/** Longer keys are kept as digests. */
const KNOWN_CHARS = 2_000;

function foundBy(command: string, context: ShellContext): Found {
  const key = keyOf(command, context);
  const before = known.get(key);
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

/** The command of a request, and where it would run. */
export type CommandAt = { command: string; context: ShellContext };

/** The command that a request would have classified, or null where there is none, or its effects are cached. */
export function unknownCommand(request: TicketRequest, home: string): CommandAt | null {
  const { command } = request.details;
  if (typeof command !== "string") return null;
  const at = { command, context: placeOf(request, home) };
  return known.has(keyOf(at.command, at.context)) ? null : at;
}

/** Cache what another thread found out about a command, so that the next call about it does not classify it again. */
export function rememberFound({ command, context }: CommandAt, found: Found): void {
  remember(keyOf(command, context), found);
}

/** A command runs where its details say; files are named from the project. */
function placeOf(request: TicketRequest, home: string): ShellContext {
  const { cwd } = request.details;
  const projectRoot = request.project ?? unnamedProject;
  return { cwd: typeof cwd === "string" && cwd.startsWith("/") ? cwd : projectRoot, projectRoot, home };
}

function findEffects(
  request: TicketRequest,
  artifact: Artifact,
  paths: readonly string[],
  home: string,
  ofCommand: Found | undefined,
): Pick<Findings, "effects" | "findings"> {
  const effects = new Set<Effect>();
  const findings: Found["findings"][number][] = [];
  const take = (found: Found) => {
    for (const effect of found.effects) effects.add(effect);
    findings.push(...found.findings);
  };
  const { command } = request.details;
  const projectRoot = request.project ?? unnamedProject;
  if (typeof command === "string") take(ofCommand ?? foundBy(command, placeOf(request, home)));
  const op = request.kind === "delete_file" ? "delete" : "write";
  for (const path of paths) {
    // A hunk whose file is not named could change anything.
    if (path === "") effects.add("unknown");
    else take(foundIn(classifyFileChange({ path, op }, { cwd: projectRoot, projectRoot, home })));
  }
  const nothingShown = typeof command !== "string" && paths.length === 0;
  if (nothingShown && request.ask.type === "approval") effects.add("unknown");
  if (request.kind === "run_command" && typeof command !== "string") effects.add("unknown");
  if (request.artifact.environment?.includes("prod")) effects.add("production");
  if (artifact.opaque) effects.add("opaque");
  return { effects: [...effects].sort(), findings: findings.slice(0, FINDINGS_MOST.ticket) };
}
