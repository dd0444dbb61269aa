// Differential fuzzing of the gate: whatever it allows is really run, and every change must be one that the proof declared. With
// `commandsInside` the rule that the gate once had is put back, which must be found out.

import { nodeDisk } from "../../../../shell/src/node-disk.ts";
import { isGatePath } from "../../../../shell/src/paths/gate-files.ts";
import { prove } from "../../../../shell/src/proof.ts";
import { describeCall } from "../../src/describe-call.ts";
import { judge } from "../../src/judge.ts";
import { SECRET } from "../prepared-project.ts";
import { generateCommands } from "./generate-command.ts";
import { HOSTILE, Throwaway } from "./throwaway.ts";

const PATHS = ["/usr/local/bin:/usr/bin:/bin", "/usr/bin:/bin:./node_modules/.bin", "PROJECT/node_modules/.bin:/usr/bin:/bin"];
/** What git's own verbs write: see D33. */
const GITS_OWN = /^\.git\/(?:HEAD|index|ORIG_HEAD|COMMIT_EDITMSG|packed-refs|gc\.(?:log|pid)|(?:objects|refs|logs)(?:\/.*)?)$/;

/** What a run found: the first command that did more than was declared, with what reproduces it. */
export type Fuzzed = { ran: number; generated: number; failure: string | null };

/** Run `count` commands that the gate allows. */
export async function fuzzGate(options: { count: number; seed: number; commandsInside?: boolean }): Promise<Fuzzed> {
  const { count, seed, commandsInside = false } = options;
  const variants = Object.keys(HOSTILE);
  const commands = generateCommands(seed);
  let ran = 0;
  let generated = 0;
  for (let round = 0; ran < count; round += 1) {
    const hostile = variants[round % variants.length] as string;
    const path = PATHS[Math.floor(round / variants.length) % PATHS.length] as string;
    const place = new Throwaway(hostile);
    try {
      const most = ran + Math.ceil(count / (variants.length * 2));
      for (let tried = 0; ran < Math.min(most, count) && tried < 40 * (most - ran + 10); tried += 1) {
        const command = commands.next().value;
        generated += 1;
        const failure = await tryCommand(command, place, path.replace("PROJECT", place.project), commandsInside);
        if (failure === undefined) continue;
        ran += 1;
        if (failure !== null)
          return {
            ran,
            generated,
            failure: `${failure}: ${JSON.stringify(command)} (seed ${seed}, configuration "${hostile}", run ${ran})`,
          };
      }
    } finally {
      place.remove();
    }
  }
  return { ran, generated, failure: null };
}

/** Undefined: not allowed. Null: allowed, and it did nothing else than was declared. */
async function tryCommand(
  command: string,
  place: Throwaway,
  path: string,
  commandsInside: boolean,
): Promise<string | null | undefined> {
  const { home, project } = place;
  const around = { agent: "agent:fuzz", cwd: project, project, home, path, gate: [] };
  const described = await describeCall({ name: "Bash", input: { command } }, around);
  const { verdict } = judge(described);
  const flagged = described.call.effects.some((effect) => effect !== "read_inside" && effect !== "write_inside");
  const inside = commandsInside && !flagged && described.call.effects.length > 0;
  if (verdict !== "allow" && !inside) return undefined;
  const disk = nodeDisk(path);
  const proof = prove(command, { cwd: project, projectRoot: project, home, dialect: "bash", disk });
  const { changed, printed } = place.run(command, path);
  if (printed.includes(SECRET)) return "it printed a secret";
  if (printed.includes("Read-only file system")) return "it tried to write outside";
  if (verdict === "allow" && proof === undefined) return "it was allowed without a proof";
  const declared = new Set(proof?.changes);
  for (const name of changed) {
    const within = name.slice(project.length + 1);
    if (!name.startsWith(`${project}/`)) return `it changed ${name.slice(home.length)}`;
    if (GITS_OWN.test(within)) continue;
    if (isGatePath(name)) return `it changed the gate path ${within}`;
    if (proof !== undefined && !declared.has(name)) return `it changed ${within}, which was not declared`;
  }
  return null;
}
