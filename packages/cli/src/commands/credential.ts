// hap credential: one's keys (D25). The first is vouched for by a code on the terminal, the next by one that is enrolled.
import { createHash } from "node:crypto";
import { type Credential, HapError, quote, readCode, showInvisible } from "@hap/protocol";
import type { PersonClient } from "@hap/sdk";
import type { Command } from "commander";
import { asPerson, refuseAgent } from "../client.ts";
import { type Context, fitWidth } from "../context.ts";
import { examples, subcommand } from "../program.ts";
import { oneLine } from "../show/agent-text.ts";
import { printJson } from "../show/print-ticket.ts";
import { moment } from "../show/time-words.ts";
import { findSigningKey, keyFileOf, readPublicKeyFile, signWithSsh } from "../signing/ssh-key.ts";
import { typeCode } from "../signing/type-code.ts";
import { TerminalDevice } from "../terminal/device.ts";
import { renderTable } from "../terminal/table.ts";

type AddOptions = { label?: string; sshKey?: string };

const LABEL = 3;
const PREFIX = "SHA256:";

export function define(command: Command, context: Context): void {
  command
    .description(
      "Your keys: passkeys and SSH keys that sign your decisions. Confirm the first one with a code that only your terminal shows, and each further one with a key that you already have.",
    )
    .addHelpText(
      "after",
      examples("hap credential list", "hap credential add-ssh ~/.ssh/id_ed25519.pub", "hap credential revoke SHA256:4f7k"),
    );
  subcommand(command, "list")
    .description("Your keys, what each of them proves, and whether it is anchored.")
    .addHelpText("after", examples("hap credential list", "hap credential list --json"))
    .action(() => list(context));
  subcommand(command, "add-ssh")
    .description("Enrol an SSH key. You type a code on the terminal, or, when you have a key already, sign with that.")
    .argument("<PUBKEYFILE>", "the public key, such as ~/.ssh/id_ed25519.pub")
    .option("--label <TEXT>", "a name for it; else the comment of the file")
    .option("--ssh-key <FILE>", "a key that is enrolled and vouches for this one; else HAP_SSH_KEY")
    .addHelpText("after", examples("hap credential add-ssh ~/.ssh/id_ed25519_sk.pub --label 'Blue token'"))
    .action((file: string, options: AddOptions) => addSsh(context, file, options));
  subcommand(command, "code")
    .description("Show a code on this terminal for enrolling a first key elsewhere, such as a passkey on the review page.")
    .addHelpText("after", examples("hap credential code"))
    .action(() => showCode(context));
  subcommand(command, "revoke")
    .description("Revoke a key for good. This needs no signature; tickets that require one still do.")
    .argument("<ID>", "the beginning of its fingerprint, as `hap credential list` shows it")
    .addHelpText("after", examples("hap credential revoke SHA256:4f7k"))
    .action((id: string) => revoke(context, id));
  subcommand(command, "erase")
    .description("Delete the label of a key for good. The key stays, and the log still verifies.")
    .argument("<ID>", "the beginning of its fingerprint; of one that is revoked, all of it")
    .option("--reason <TEXT>", "why; kept with the event")
    .addHelpText("after", examples('hap credential erase SHA256:4f7k --reason "it held a name"'))
    .action((id: string, options: { reason?: string }) => erase(context, id, options.reason));
}

async function list(context: Context): Promise<void> {
  await asPerson(context, async (client) => {
    const keys = await client.credentials();
    if (context.json) return printJson(context, keys);
    if (keys.length === 0) {
      context.out.line("You have no keys. Add one with `hap credential add-ssh ~/.ssh/id_ed25519.pub`.");
      return;
    }
    const columns = ["Key", "Kind", "Level", "Label", "Added", "Last used"].map((heading) => ({ heading }));
    context.out.line(renderTable(columns, keys.map(cells), fitWidth(context), LABEL));
  });
}

function cells(key: Credential): string[] {
  const level = key.kind === "passkey" && !key.anchored ? `${key.level}, unanchored` : key.level;
  return [
    shortPrint(key),
    `${key.kind} ${key.algorithm}`,
    key.revoked_at === null ? level : "revoked",
    oneLine(key.label ?? ""),
    moment(key.created_at),
    key.last_used_at === null ? "never" : moment(key.last_used_at),
  ];
}

/** Enough of a fingerprint to tell keys apart. */
function shortPrint({ fingerprint }: Credential): string {
  return fingerprint.slice(0, PREFIX.length + 12);
}

async function addSsh(context: Context, file: string, options: AddOptions): Promise<void> {
  refuseAgent(context, "enrol keys");
  const { line, key, comment } = readPublicKeyFile(file, "PUBKEYFILE");
  const label = options.label ?? (comment === "" ? null : comment);
  await asPerson(context, async (client) => {
    const { statement, needs } = await client.beginEnrolment({ kind: "ssh", label });
    const credential = { public_key: line };
    const input = { nonce: statement.nonce, credential };
    if (needs === "code") {
      const rows = [`You add an SSH key for ${client.person}:`, `  ${fingerprintOf(key)}  ${showInvisible(label ?? "")}`];
      const code = await typeCode(client, "A first key", rows);
      return printAdded(context, await client.enrolCredential({ ...input, code }));
    }
    const vouching = keyFileOf(context, options.sshKey);
    if (vouching === undefined)
      throw new HapError(
        "signature_needed",
        "You have a key already, which must vouch for this one: name it with --ssh-key FILE or HAP_SSH_KEY, or add this one on the review page with your passkey.",
        { field: "--ssh-key" },
      );
    const older = await findSigningKey(client, vouching);
    const vouch = await client.enrolmentChallenge(statement.nonce, credential);
    printAdded(context, await client.enrolCredential({ ...input, assertion: signWithSsh(older, vouch.statement) }));
  });
}

function printAdded(context: Context, key: Credential): void {
  if (context.json) {
    printJson(context, key);
    return;
  }
  context.out.line(`Key added: ${shortPrint(key)} (${key.kind} ${key.algorithm})`);
  context.out.line(`Fingerprint: ${key.fingerprint}`);
  context.out.line(`It proves level ${key.level}.`);
  if (!key.anchored) context.out.line(`It is unanchored: root may pin it with  echo '${key.fingerprint}' >> /etc/hap/anchors`);
}

async function showCode(context: Context): Promise<void> {
  refuseAgent(context, "enrol keys");
  await asPerson(context, async (client) => {
    const device = new TerminalDevice("A first key");
    try {
      const { code, expires_at } = await client.issueCode("enrol");
      device.write(`\nCode for a first key of ${client.person}: ${readCode(code)}\nIt is good until ${moment(expires_at)}.\n`);
    } finally {
      device.close();
    }
    if (context.json) printJson(context, { shown: true });
  });
}

async function revoke(context: Context, typed: string): Promise<void> {
  refuseAgent(context, "revoke keys");
  await asPerson(context, async (client) => {
    const key = await client.revokeCredential((await findKey(client, typed)).id);
    if (context.json) return printJson(context, key);
    context.out.line(`Key revoked: ${shortPrint(key)} (${key.kind} ${key.algorithm})`);
    context.out.line(`Fingerprint: ${key.fingerprint}`);
  });
}

async function erase(context: Context, typed: string, reason: string | undefined): Promise<void> {
  refuseAgent(context, "erase words");
  await asPerson(context, async (client) => {
    const key = await findKey(client, typed);
    const erased = await client.eraseCredential(key.id, reason);
    if (context.json) return printJson(context, { erased });
    context.out.line(`Erased the label of ${shortPrint(key)}. The log keeps its digest, and \`hap verify\` still verifies it.`);
  });
}

/** A key by the beginning of its fingerprint, or by its whole id; those that are revoked already only by all of it. */
async function findKey(client: PersonClient, typed: string): Promise<Credential> {
  const keys = await client.credentials();
  const print = typed.startsWith(PREFIX) ? typed : `${PREFIX}${typed}`;
  const found = keys.filter(
    ({ id, fingerprint, revoked_at }) =>
      id === typed || fingerprint === print || (revoked_at === null && fingerprint.startsWith(print)),
  );
  const [key] = found;
  if (key === undefined)
    throw new HapError("credential_unknown", `You have no key ${quote(typed)}. \`hap credential list\` shows yours.`, {
      field: "ID",
    });
  if (found.length === 1 && print.length >= PREFIX.length + 4) return key;
  throw new HapError("ambiguous_id", `${quote(typed)} is too short for one key; type more of its fingerprint.`, { field: "ID" });
}

function fingerprintOf(key: string): string {
  return `${PREFIX}${createHash("sha256").update(Buffer.from(key, "base64url")).digest("base64").replace(/=+$/, "")}`;
}
