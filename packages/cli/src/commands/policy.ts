// hap policy: which rule would answer, the user's policy as it is, and the person's confirmation of it (D5).
import { DEFAULTS, HapError, type PolicyCase, parseAskerId, riskWord, showInvisible } from "@hap/protocol";
import type { PolicyCheck } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { readTextFile } from "../input/source.ts";
import { addTicketOptions, readTicketOptions, type TicketOptions } from "../input/ticket-options.ts";
import { examples, subcommand } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { riskNumber } from "../show/risk-words.ts";
import { span } from "../show/time-words.ts";
import { typePhrase } from "../terminal/confirm.ts";

type CheckOptions = TicketOptions & { from?: string };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Rules that answer for you: ~/.hap/policy.json is yours, .hap/policy.json in a project can only tighten. Rules of yours that allow more count once you have confirmed the file.",
    )
    .addHelpText(
      "after",
      examples("hap policy show", "hap policy trust", "hap policy history", "hap policy check --kind deploy --environment prod"),
    );
  addTicketOptions(subcommand(command, "check"))
    .description("Show which rule would answer an action, and why. Takes the options of `hap create`, and writes nothing.")
    .addHelpText("after", examples(`hap policy check --kind run_command --details '{"command":"git push --force"}'`))
    .action((options: CheckOptions) => check(context, options));
  subcommand(command, "show")
    .description("Your policy, its hash, and whether you have confirmed it.")
    .addHelpText("after", examples("hap policy show", "hap policy show --json"))
    .action(() => show(context));
  subcommand(command, "test")
    .description("Test a policy against cases: actions with the expected verdict. Exits 1 if a verdict differs.")
    .argument("<FILE>", "the cases, as JSON: see docs/policy.md")
    .option("--policy <FILE>", "the policy to try (default: yours, as it is now)")
    .addHelpText("after", examples("hap policy test cases.json", "hap policy test cases.json --policy next-policy.json"))
    .action((file: string, options: { policy?: string }) => tryCases(context, file, options));
  subcommand(command, "set")
    .description("Put a file in force as the policy, confirmed at a terminal. In a database this is the policy of the space.")
    .argument("<FILE>", "the policy, as JSON")
    .addHelpText("after", examples("hap policy set policy.json"))
    .action((file: string) => set(context, file));
  subcommand(command, "history")
    .description("The policies that were confirmed: when, by whom, and which is in force.")
    .addHelpText("after", examples("hap policy history", "hap policy history --json"))
    .action(() => history(context));
  subcommand(command, "export")
    .description("Print the policy in force, or one that was confirmed before, exactly as it was.")
    .argument("[HASH]", "its hash, or the beginning of it (default: the one in force)")
    .addHelpText("after", examples("hap policy export > policy.json", "hap policy export 3f9a1c"))
    .action((hash?: string) => exportPolicy(context, hash));
  subcommand(command, "trust")
    .description("Confirm your policy as it is now, at a terminal. The log records it.")
    .addHelpText("after", examples("hap policy trust"))
    .action(() => trust(context));
}

async function check(context: Context, options: CheckOptions): Promise<void> {
  const from = options.from === undefined ? context.env.HAP_AGENT_ID || DEFAULTS.agent : parseAskerId(options.from, "--from");
  const input = { ...readTicketOptions(context, options), from };
  await asPerson(context, async (client) => {
    const found = await client.checkPolicy(input);
    if (context.json) printJson(context, found);
    else context.out.line(showInvisible(checkLines(found).join("\n")));
  });
}

function checkLines({ verdict, ticket }: PolicyCheck): string[] {
  const { ttl_seconds: ttl, on_timeout: onTimeout } = verdict.lease;
  return [
    `Verdict: ${verdict.verdict}`,
    `Rule: ${verdict.rule === null ? "none" : `${verdict.rule} of ${verdict.file}`}`,
    `Why: ${verdict.why}`,
    ...(verdict.to === null ? [] : [`To: ${verdict.to}`]),
    ...(ttl === undefined ? [] : [`Lease: ${span(ttl)}`]),
    ...(onTimeout === undefined ? [] : [`On timeout: ${onTimeout}`]),
    `Recorded: ${verdict.record ? "yes" : "no"}`,
    "",
    `Risk: ${riskNumber(ticket.risk)} (${riskWord(ticket.risk)})`,
    `Tier: ${ticket.tier}`,
    `Effects: ${ticket.effects.length === 0 ? "none found" : ticket.effects.join(", ")}`,
  ];
}

async function tryCases(context: Context, file: string, options: { policy?: string }): Promise<void> {
  const cases = readCases(readTextFile(file, "FILE"), file);
  await asPerson(context, async (client) => {
    const text = options.policy === undefined ? (await client.policy()).text : readTextFile(options.policy, "--policy");
    const results = await client.testPolicy(text, cases);
    const failed = results.filter(({ ok }) => !ok);
    context.exitCode = failed.length === 0 ? 0 : 1;
    if (context.json) return printJson(context, results);
    for (const { name, ok, expected, verdict, rule, to } of results) {
      const got = `${verdict}${rule === null ? ", by no rule" : ` by ${rule}`}${to === null ? "" : ` to ${to}`}`;
      context.out.line(
        showInvisible(ok ? `ok    ${name}: ${got}` : `FAIL  ${name}: ${got}; expected ${JSON.stringify(expected)}`),
      );
    }
    context.out.line(`${results.length - failed.length} passed, ${failed.length} failed`);
  });
}

/** The cases of a file; what is wrong with it names the case. */
function readCases(text: string, file: string): PolicyCase[] {
  const wrong = (why: string) =>
    new HapError("invalid_json", `${file} ${why}. docs/policy.md shows an example.`, { field: "FILE" });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw wrong(`is not JSON (${(error as Error).message})`);
  }
  const { cases } = (parsed ?? {}) as { cases?: unknown };
  if (!Array.isArray(cases) || cases.length === 0) throw wrong("has no `cases`");
  return cases.map((one: Partial<PolicyCase> | null, at) => {
    const verdict = one?.expect?.verdict;
    if (typeof one?.name !== "string" || typeof one.input !== "object" || !["allow", "ask", "deny"].includes(verdict ?? ""))
      throw wrong(`: case ${at + 1} needs a name, an input and expect.verdict (allow, ask or deny)`);
    return one as PolicyCase;
  });
}

async function show(context: Context): Promise<void> {
  await asPerson(context, async (client) => {
    const policy = await client.policy();
    if (context.json) return printJson(context, policy);
    context.out.line(`Policy: ${policy.path}`);
    context.out.line(`Hash: ${policy.hash}`);
    context.out.line(
      `Confirmed: ${policy.trusted ? "yes" : "no; the policy that was confirmed last stays in force, and of this one only what it tightens counts, until `hap policy trust`"}`,
    );
    context.out.line();
    context.out.line(showInvisible(policy.text).trimEnd());
  });
}

async function set(context: Context, file: string): Promise<void> {
  refuseAgent(context, "confirm policies");
  const text = readTextFile(file, "FILE");
  await asPerson(context, async (client) => {
    const { hash: present } = await client.policy({ or_none: true });
    const rows = [`The policy in ${file}:`, "", showInvisible(text).trimEnd()];
    const phrase = await typePhrase({ what: "A policy", rows }, async () => (await client.issuePolicyPhrase({ text })).phrase);
    const saved = await client.savePolicy({ text, replaces: present === "" ? null : present, phrase });
    if (context.json) return printJson(context, saved);
    context.out.line(`In force: ${saved.path}`);
    context.out.line(`Hash: ${saved.hash}`);
  });
}

async function history(context: Context): Promise<void> {
  await asPerson(context, async (client) => {
    const versions = await client.policyVersions();
    if (context.json) return printJson(context, { versions });
    if (versions.length === 0) context.out.line("No policy was confirmed yet.");
    for (const { hash, by, at, in_force, text_kept } of versions)
      context.out.line(`${at}  ${hash}  ${by}${in_force ? "  in force" : ""}${text_kept ? "" : "  text erased"}`);
  });
}

async function exportPolicy(context: Context, wanted: string | undefined): Promise<void> {
  await asPerson(context, async (client) => {
    const versions = wanted === undefined ? await client.policyVersions() : [];
    const hash = wanted ?? versions.find((one) => one.in_force)?.hash ?? (await client.policy()).hash;
    const found = await client.policyVersion(hash);
    if (context.json) printJson(context, found);
    else context.out.text(found.text);
  });
}

async function trust(context: Context): Promise<void> {
  refuseAgent(context, "confirm policies");
  await asPerson(context, async (client) => {
    const { path, hash, text } = await client.policy();
    const shown = text === "" ? "The file is gone: without it no rule is in force." : showInvisible(text).trimEnd();
    const rows = [`Your policy ${path} (${hash}):`, "", shown];
    const phrase = await typePhrase({ what: "A policy", rows }, async () => (await client.issuePolicyPhrase({ hash })).phrase);
    const trusted = await client.trustPolicy({ hash, phrase });
    if (context.json) return printJson(context, trusted);
    context.out.line(`Policy confirmed: ${trusted.path}`);
    context.out.line(`Hash: ${trusted.hash}`);
  });
}
