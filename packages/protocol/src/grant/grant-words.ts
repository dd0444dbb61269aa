// One sentence that says what a grant or a denial does, the same on every face.
import { lengthWords } from "../length-words.ts";
import type { GrantPatterns, GrantScope } from "./match-grant.ts";

/** What the sentence needs. `project` is the folder. */
export type WordedGrant = Omit<GrantScope, "project"> &
  GrantPatterns & {
    verdict: "allow" | "deny";
    project: string | null;
    uses: number | null;
    rate: { uses: number; seconds: number } | null;
  };

/** Such as "agent:ci may run `npm install *` in /srv/app, at most 20 times." Times are shown beside it. */
export function grantWords(grant: WordedGrant): string {
  const who = grant.agent ?? "No agent";
  const may = grant.verdict === "allow" ? "may" : grant.agent === null ? "may" : "may not";
  const limits = grant.verdict === "allow" ? limitWords(grant) : "";
  return `${who} ${may} ${whatWords(grant)}${whereWords(grant)}${limits}.`;
}

function whatWords({ commands, paths, hosts, kinds, effects, verdict }: WordedGrant): string {
  const parts: string[] = [];
  if (commands !== null) parts.push(`run ${either(commands.map((command) => `\`${command}\``))}`);
  if (paths !== null) parts.push(commands === null ? `change ${either(paths)}` : `with files ${either(paths)}`);
  if (commands === null && paths === null) parts.push(kinds === null ? "do anything" : `do what is asked as ${either(kinds)}`);
  else if (kinds !== null) parts.push(`asked as ${either(kinds)}`);
  if (hosts !== null) parts.push(`on ${either(hosts)}`);
  if (effects !== null)
    parts.push(verdict === "allow" ? `with no effects but ${either(effects, "and")}` : `with the effect ${either(effects)}`);
  return parts.join(" ");
}

function whereWords({ project, session, environments }: WordedGrant): string {
  const parts = [
    ...(project === null ? [] : [`in ${project}`]),
    ...(session === null ? [] : [`in the session ${session}`]),
    ...(environments === null ? [] : [`in ${either(environments)}`]),
  ];
  return parts.length === 0 ? "" : ` ${parts.join(", ")}`;
}

function limitWords({ uses, rate }: WordedGrant): string {
  const parts = [
    ...(uses === null ? [] : [`at most ${uses} ${uses === 1 ? "time" : "times"}`]),
    ...(rate === null ? [] : [`at most ${rate.uses} in ${lengthWords(rate.seconds)}`]),
  ];
  return parts.length === 0 ? "" : `, ${parts.join(", ")}`;
}

function either(items: readonly string[], word: "or" | "and" = "or"): string {
  if (items.length === 0) return "none";
  const [last, ...others] = [...items].reverse();
  return others.length === 0 ? String(last) : `${others.reverse().join(", ")} ${word} ${last}`;
}
