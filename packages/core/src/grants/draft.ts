// What a person says to make a grant, checked and in the form that is kept (D43).
import {
  expandHome,
  type GrantInput,
  type GrantPatterns,
  grantInputSchema,
  grantWords,
  HapError,
  type ParsedGrantInput,
  parseWith,
  realNames,
} from "@hap/protocol";

/** A grant before it has a name. `project` is a folder. */
export type GrantDraft = Omit<ParsedGrantInput, "commands" | "paths" | "hosts"> & { patterns: GrantPatterns | null };

/** Check what was said. A grant to allow names its agent, and what that agent may do. */
export function readGrant(input: GrantInput, home: string): GrantDraft {
  const { commands, paths, hosts, ...parsed } = parseWith(grantInputSchema(), input, "The grant");
  const project = readProject(parsed.project);
  const none = commands == null && paths == null && hosts == null;
  const patterns: GrantPatterns = {
    commands: commands ?? null,
    paths: paths?.map((path) => readPath(path, project, home)) ?? null,
    hosts: hosts?.map((host) => host.toLowerCase()) ?? null,
  };
  const draft = { ...parsed, project, patterns: none ? null : patterns };
  if (draft.verdict === "allow") guardAllow(draft);
  else guardDeny(draft);
  return draft;
}

function guardAllow({ agent, kinds, patterns }: GrantDraft): void {
  if (agent == null)
    throw new HapError("invalid_input", "agent is missing; a grant is for one agent. Only a denial can be about all of them.", {
      field: "agent",
    });
  if (kinds != null || patterns?.commands != null || patterns?.paths != null) return;
  throw new HapError(
    "invalid_input",
    "The grant does not say what it allows. Name commands, paths or kinds, such as the command `npm install *`.",
    { field: "commands" },
  );
}

/** A denial that ends by being met would only wait to be worn out. */
function guardDeny({ uses, rate }: GrantDraft): void {
  if (uses == null && rate == null) return;
  throw new HapError("invalid_input", "A denial has no number of uses and no rate; give it a time, or no end.", {
    field: "uses",
  });
}

function readProject(project: string | null | undefined): string | null {
  if (project == null) return null;
  if (!project.startsWith("/"))
    throw new HapError("invalid_input", `project is ${JSON.stringify(project)}; it must be the whole path of a folder.`, {
      field: "project",
    });
  return realNames(project, null)[0]?.replace(/(?<=.)\/$/, "") ?? project;
}

/** A pattern of paths as calls name them: from the project's folder where it lies inside. */
function readPath(path: string, project: string | null, home: string): string {
  return realNames(expandHome(path, home), project)[0] ?? path;
}

/** One sentence that says what it does. */
export function draftWords({ patterns, ...draft }: GrantDraft): string {
  return grantWords({
    verdict: draft.verdict,
    agent: draft.agent ?? null,
    session: draft.session ?? null,
    project: draft.project ?? null,
    kinds: draft.kinds ?? null,
    commands: patterns?.commands ?? null,
    paths: patterns?.paths ?? null,
    hosts: patterns?.hosts ?? null,
    environments: draft.environments ?? null,
    effects: draft.effects ?? null,
    uses: draft.uses ?? null,
    rate: draft.rate ?? null,
  });
}
