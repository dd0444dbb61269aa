// What a grant covers (D43): the scope and patterns of a grant against one call.
import {
  allowsFacts,
  allowsTexts,
  denies,
  type GrantFacts,
  type GrantPatterns,
  type GrantScope,
  type GrantTexts,
  HapError,
  type Json,
} from "@hap/protocol";
import { type Case, invalid, type Suite, valid } from "../vector.ts";

type Input = {
  verdict: "allow" | "deny";
  scope: GrantScope;
  patterns: GrantPatterns;
  facts: GrantFacts;
  texts: GrantTexts;
};
type Change = { [K in keyof Input]?: K extends "verdict" ? Input[K] : Partial<Input[K]> };

const project = "prj_0123456789abcdefghjkmnpqrs";
const base: Input = {
  verdict: "allow",
  scope: { agent: "agent:ci", session: null, project, kinds: null, environments: null, effects: null },
  patterns: { commands: ["npm install *"], paths: null, hosts: null },
  facts: {
    agent: "agent:ci",
    session: "s1",
    project,
    kind: "run_command",
    environment: "dev",
    tier: "notable",
    effects: ["unknown"],
  },
  texts: { commands: [["npm", "install", "left-pad"]], paths: [], hosts: [], readable: true },
};

function input(change: Change = {}): Json {
  return {
    verdict: change.verdict ?? base.verdict,
    scope: { ...base.scope, ...change.scope },
    patterns: { ...base.patterns, ...change.patterns },
    facts: { ...base.facts, ...change.facts },
    texts: { ...base.texts, ...change.texts },
  } as unknown as Json;
}
const runs = (...commands: string[][]): Change => ({ texts: { commands } });
const pattern = (command: string, ...words: string[]): Change => ({
  patterns: { commands: [command] },
  texts: { commands: [words] },
});
const files = (paths: string[], patterns: string[] | null): Change => ({
  patterns: { commands: null, paths: patterns },
  texts: { commands: null, paths },
});
const deny = (change: Change): Change => ({ verdict: "deny", scope: { agent: null, ...change.scope }, ...change });

const covered: [string, Change, string][] = [
  ["a command that fits", {}, "Command"],
  ["no further words where a last star may stand for them", runs(["npm", "install"]), "Command"],
  ["two commands that both fit", runs(["npm", "install", "a"], ["npm", "install", "b"]), "Command"],
  ["a last double star takes options", pattern("curl **", "curl", "-sS", "https://a.example"), "Option"],
  ["an option that the pattern names", pattern("npm install -D *", "npm", "install", "-D", "x"), "Option"],
  ["an option by a star that begins as one", pattern("npm install --save-*", "npm", "install", "--save-dev"), "Option"],
  ["a quoted word with a blank", pattern("git commit -m 'a b'", "git", "commit", "-m", "a b"), "Command"],
  ["a quoted star stands for itself", pattern("echo '*'", "echo", "*"), "Command"],
  ["a star inside of a word", pattern("make test-*", "make", "test-unit"), "Command"],
  ["a file that fits", files(["src/a.ts"], ["src/**"]), "Path"],
  ["a kind that shows neither command nor file", { ...files([], null), scope: { kinds: ["run_command"] } }, "Kind"],
  ["hosts that all fit", { patterns: { hosts: ["*.example.org"] }, texts: { hosts: ["a.example.org"] } }, "Host"],
  ["no other effect than those named", { scope: { effects: ["network", "unknown"] } }, "Effect"],
  ["a denial of a critical call", deny({ facts: { tier: "critical" } }), "Denial"],
  ["a denial of one command of two", deny(runs(["true"], ["npm", "install"])), "Denial"],
  ["a denial with options between", deny(runs(["/usr/bin/npm", "-g", "install", "x"])), "Denial"],
];

const uncovered: [string, Change, string][] = [
  ["another agent", { facts: { agent: "agent:other" } }, "Scope"],
  ["another session", { scope: { session: "s2" } }, "Scope"],
  ["another project", { facts: { project: null } }, "Scope"],
  ["another kind", { scope: { kinds: ["deploy"] } }, "Kind"],
  ["another environment", { scope: { environments: ["staging"] } }, "Scope"],
  ["no environment where one is named", { scope: { environments: ["dev"] }, facts: { environment: null } }, "Scope"],
  ["a critical call", { facts: { tier: "critical" } }, "Never"],
  ["a file that arms the gate", { facts: { effects: ["gate_files"] } }, "Never"],
  ["one effect more", { scope: { effects: ["network"] } }, "Effect"],
  ["one command of two", runs(["npm", "install"], ["sh"]), "Command"],
  ["another program", runs(["npx", "install"]), "Command"],
  ["a command that is only the beginning", runs(["npm"]), "Command"],
  ["a word in capitals", runs(["NPM", "install"]), "Command"],
  ["a word more than the pattern has", pattern("npm test", "npm", "test", "x"), "Command"],
  ["an option where a star stands", runs(["npm", "install", "--prefix=/etc"]), "Option"],
  ["an option after operands", runs(["npm", "install", "x", "-g"]), "Option"],
  ["an option for a star inside of a word", pattern("make *x", "make", "--x"), "Option"],
  ["a command that was not read whole", { texts: { readable: false } }, "Command"],
  ["no command where one is named", { texts: { commands: null } }, "Command"],
  ["a command where only paths are named", { patterns: { commands: null, paths: ["**"] } }, "Command"],
  ["a file beside a command", { texts: { paths: ["a.ts"] } }, "Path"],
  ["a file outside of the patterns", files(["src/a.ts", "b.ts"], ["src/**"]), "Path"],
  ["a star does not cross folders", files(["src/a/b.ts"], ["src/*"]), "Path"],
  ["neither a command, nor a file, nor a kind", files([], null), "Kind"],
  ["a host that does not fit", { patterns: { hosts: ["a.example"] }, texts: { hosts: ["a.example", "b.example"] } }, "Host"],
  ["no host where one is named", { patterns: { hosts: ["a.example"] } }, "Host"],
  ["a pattern with quotes that do not close", pattern("npm 'install", "npm", "install"), "Command"],
  ["a denial of another program", deny(runs(["yarn", "install"])), "Denial"],
  ["a denial of words in another order", deny(runs(["npm", "x"])), "Denial"],
];

function run(given: Json): Json {
  const { verdict, scope, patterns, facts, texts } = given as unknown as Input;
  const covers =
    verdict === "deny" ? denies(scope, patterns, facts, texts) : allowsFacts(scope, facts) && allowsTexts(scope, patterns, texts);
  if (covers) return { covered: true };
  throw new HapError("grant_not_found", "The grant does not cover this call");
}

export const grants: Suite = {
  name: "grants",
  description:
    "Whether a grant (input.verdict, input.scope, input.patterns) covers a call (input.facts, input.texts), whose command was parsed into words. A denial covers what it refuses.",
  flags: {
    Command: "patterns of commands, word by word",
    Denial: "one part is enough to deny",
    Effect: "all that a call may do",
    Host: "hosts that a call names",
    Kind: "kinds, where nothing else says what is done",
    Never: "what no grant covers",
    Option: "options fit only where they are named",
    Path: "files that a call names",
    Scope: "whose call it is, and where",
  },
  cases: [
    ...covered.map(([comment, change, flag]): Case => valid(comment, input(change), flag)),
    ...uncovered.map(([comment, change, flag]): Case => invalid(comment, input(change), flag)),
  ],
  run,
};
