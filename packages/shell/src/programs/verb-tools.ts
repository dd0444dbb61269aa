// Reads the verb table: joins the words, takes the first row that matches, notes its effects.
import type { Call } from "../grammar/scan.ts";
import { noteSecret } from "../grammar/touch-path.ts";
import { show } from "../show.ts";
import { noteEmbedded } from "./embedded.ts";
import type { Handler } from "./handler.ts";
import type { VerbTable } from "./verb-table.ts";
import { VERB_TABLES } from "./verbs.ts";

const LONGEST = 4096;
const RUNS_REST = /^(?:exec|run|--|dlx|x|-c|--call)$/;

function handleVerb(call: Call, table: VerbTable): void {
  const { scan, program, args } = call;
  const words = args.map((arg) => arg.text).join(" ");
  if (words.length > LONGEST) scan.note("opaque", `${program} is given more words than are read here`);
  const said = show(`${program} ${args.map((arg) => arg.raw).join(" ")}`);
  // A verb only known at run time could be the worst one.
  const hidden = args[0] !== undefined && args[0].certainty !== "exact";
  const row = hidden ? undefined : table.rows.find(([pattern]) => pattern.test(words.slice(0, LONGEST)));
  for (const effect of row?.[1] ?? table.else)
    scan.note(effect, `${said} ${row?.[2] ?? "is not known to do less"}`, effect === "network" ? row?.[3] : undefined);
  if (row === undefined && table.registries === true)
    scan.note("network", `${said} may fetch packages from a registry`, "registries");
  if (table.need !== undefined) scan.note("unknown", `${said} acts through a service outside`, table.need);
  if (hidden) scan.note("opaque", `${said} has a verb that is only known at run time`);
  for (const arg of args) noteSecret(scan, arg, program);
  noteEmbedded(call, table.runsFirstWord === true ? undefined : RUNS_REST);
}

/** One handler for every program of the verb table. */
export const VERB_HANDLERS: readonly (readonly [string, Handler])[] = VERB_TABLES.flatMap((table) =>
  table.programs.map((program) => [program, (call: Call) => handleVerb(call, table)] as const),
);
