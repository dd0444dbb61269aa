// Keys at the terminal (D25): a code that only the terminal shows, and decisions signed by the real ssh-keygen.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Credential } from "@hap/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { bare, World } from "./hap.ts";

const world = new World();
const CODE = "Code: ([0-9A-Z]{4}-[0-9A-Z]{4})";
/** All of the line: what is typed back must not be the half of it that came first. */
const PHRASE = "type:\\s+(\\S[^\\r\\n]*)\\r?\\n";
const typed = { replies: [{ expect: CODE, send: "{0}\r" }] };

/** Make a key pair in the world's folder. */
function keygen(name: string, passphrase = "", into = world): string {
  const file = join(into.folder, name);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", passphrase, "-C", `alex@${name}`, "-f", file]);
  return file;
}

/** Have a policy confirmed that wants signatures from a risk on. */
async function demandSignatures(into: World, risk: number): Promise<void> {
  const path = join(into.folder, ".hap", "policy.json");
  execFileSync("mkdir", ["-p", join(into.folder, ".hap")]);
  writeFileSync(path, JSON.stringify({ version: 1, signature_from_risk: risk }));
  const { code } = await into.atTerminal(["policy", "trust"], { replies: [{ expect: PHRASE, send: "{0}\r" }] });
  expect(code).toBe(0);
}

beforeAll(() => needProgram("ssh-keygen", "openssh-client"));

describe("a first key", () => {
  test("[CRED-CLI-1, ENROL-CODE-1] is added with a code that stands on the terminal device and nowhere else", async () => {
    const file = keygen("first");
    const { screen, code, out, err } = await world.atTerminal(["credential", "add-ssh", `${file}.pub`, "--json"], {
      apart: true,
      ...typed,
    });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const shown = new RegExp(CODE).exec(screen)?.[1] as string;
    const print = execFileSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" }).split(" ")[1];
    expect(bare(screen)).toContain(`You add an SSH key for human:alex:\n  ${print}  alex@first`);
    expect(JSON.parse(out)).toMatchObject({ person: "human:alex", fingerprint: print, label: "alex@first", level: "key" });
    for (const place of [out, await world.ok(["events"]), readFileSync(world.dbPath, "latin1")])
      expect(place).not.toContain(shown);
    const table = await world.ok(["credential", "list"]);
    expect(table).toContain("ssh EdDSA");
    expect(table).toContain("alex@first");
  });

  test("[CRED-CLI-1] is not added with a wrong code, without a terminal, or by an agent", async () => {
    const apart = new World();
    const file = keygen("key", "", apart);
    const wrong = await apart.atTerminal(["credential", "add-ssh", `${file}.pub`], {
      apart: true,
      replies: [{ expect: CODE, send: "0000-0000\r" }],
    });
    expect(wrong.code).toBe(3);
    expect(wrong.err).toContain("The code is wrong");
    const none = await apart.run(["credential", "add-ssh", `${file}.pub`]);
    expect(none).toMatchObject({ code: 3, out: "", err: expect.stringContaining("must be confirmed at a terminal") });
    for (const args of [["add-ssh", `${file}.pub`], ["code"], ["revoke", "abcd"]]) {
      const ran = await apart.run(["credential", ...args], { env: { HAP_AGENT_ID: "agent:ci" } });
      expect(ran).toMatchObject({ code: 3, err: expect.stringContaining("agents do not") });
    }
    expect(await apart.json<Credential[]>(["credential", "list"])).toEqual([]);
    expect(await apart.ok(["credential", "list"])).toContain("You have no keys");
  });

  test("[CRED-CLI-1] elsewhere gets its code from hap credential code, on the terminal alone", async () => {
    const { screen, code, out } = await world.atTerminal(["credential", "code"], { apart: true });
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(bare(screen)).toMatch(/Code for a first key of human:alex: [0-9A-Z]{4}-[0-9A-Z]{4}\nIt is good until/);
    expect((await world.run(["credential", "code"])).code).toBe(3);
  });

  test("[CRED-CLI-1] must be a public key", async () => {
    const file = keygen("private");
    const wrong = await world.run(["credential", "add-ssh", file]);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("is a private key") });
    const text = world.file("notes.txt", "hello");
    expect((await world.run(["credential", "add-ssh", text])).err).toContain("is no line of an SSH public key file");
    expect((await world.run(["credential", "add-ssh", "missing.pub"])).err).toContain("there is no such file");
  });
});

describe("a further key", () => {
  test("[CRED-CLI-2] is vouched for by one that is enrolled", async () => {
    const [first, second] = [join(world.folder, "first"), keygen("second")];
    const bare = await world.run(["credential", "add-ssh", `${second}.pub`]);
    expect(bare).toMatchObject({ code: 3, err: expect.stringContaining("--ssh-key FILE or HAP_SSH_KEY") });
    const self = await world.run(["credential", "add-ssh", `${second}.pub`, "--ssh-key", second]);
    expect(self).toMatchObject({ code: 4, err: expect.stringContaining("is not enrolled for human:alex") });
    const out = await world.ok(["credential", "add-ssh", `${second}.pub`, "--ssh-key", first, "--label", "Second"]);
    expect(out).toContain("Key added");
    expect(out).toContain("It proves level key.");
    const again = await world.run(["credential", "add-ssh", `${second}.pub`], { env: { HAP_SSH_KEY: first } });
    expect(again).toMatchObject({ code: 5, err: expect.stringContaining("is enrolled already") });
    expect(await world.ok(["verify"])).toContain("OK");
  });

  test("[CRED-CLI-2] is revoked by the beginning of its fingerprint, for good", async () => {
    const keys = await world.json<Credential[]>(["credential", "list"]);
    const second = keys.find(({ label }) => label === "Second") as Credential;
    expect((await world.run(["credential", "revoke", "SHA256:"])).code).toBe(5);
    expect((await world.run(["credential", "revoke", "nosuchkey"])).code).toBe(4);
    expect(await world.ok(["credential", "revoke", second.fingerprint.slice(0, 17)])).toContain(second.fingerprint);
    expect((await world.run(["credential", "revoke", second.fingerprint])).err).toContain("was revoked");
    expect(await world.ok(["credential", "list"])).toMatch(/revoked/);
    const { id } = await world.create();
    const refused = await world.run(["approve", id, "--ssh-key", join(world.folder, "second")]);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining("was revoked for human:alex") });
  });
});

describe("hap approve", () => {
  test("[CRED-CLI-3] with --ssh-key signs the yes, and the log verifies", async () => {
    const { id } = await world.create();
    const out = await world.ok(["approve", id, "LGTM", "--ssh-key", join(world.folder, "first")]);
    expect(out).toContain("Recorded: human:alex, assurance key");
    const ticket = await world.json(["show", id]);
    expect(ticket.resolution).toMatchObject({ outcome: "approved", assurance: "key", comment: "LGTM" });
    expect(await world.ok(["verify"])).toContain("OK");
  });

  test("[CRED-CLI-3] with a key that has a passphrase asks for it on the terminal", async () => {
    const file = keygen("locked", "open sesame");
    await world.ok(["credential", "add-ssh", `${file}.pub`, "--ssh-key", join(world.folder, "first")]);
    const { id } = await world.create();
    const { code, screen } = await world.atTerminal(["approve", id, "--ssh-key", file], {
      replies: [{ expect: "passphrase", send: "open sesame\r" }],
    });
    expect(code).toBe(0);
    expect(bare(screen)).toContain("assurance key");
    const wrong = await world.run(["approve", (await world.create()).id, "--ssh-key", file]);
    expect(wrong).toMatchObject({ code: 3, err: expect.stringContaining("ssh-keygen did not sign") });
  });

  test("[CRED-CLI-3] signs a critical yes too, after the phrase", async () => {
    const details = JSON.stringify({ command: "rm -rf ~/backups" });
    const { id } = await world.create(["--kind", "run_command", "--details", details]);
    const { code, out } = await world.atTerminal(["approve", id, "--json", "--ssh-key", join(world.folder, "first")], {
      apart: true,
      replies: [{ expect: PHRASE, send: "{0}\r" }],
    });
    expect(code).toBe(0);
    expect(JSON.parse(out).resolution).toMatchObject({ assurance: "key", confirmed: true });
  });

  test("[CRED-CLI-4, POLICY-SIGN-1] where the policy wants a signature, uses HAP_SSH_KEY, or says what to do", async () => {
    const apart = new World();
    const file = keygen("mine", "", apart);
    const low = await apart.create(["--kind", "create_file"]);
    const { id, risk } = await apart.create(["--kind", "deploy", "--environment", "staging"]);
    expect(low.risk).toBeLessThan(risk);
    await demandSignatures(apart, risk);
    const without = await apart.run(["approve", id]);
    expect(without).toMatchObject({
      code: 3,
      err: expect.stringContaining("must be signed: add a key first: hap credential add-ssh"),
    });
    expect((await apart.atTerminal(["credential", "add-ssh", `${file}.pub`], typed)).code).toBe(0);
    const unnamed = await apart.run(["approve", id]);
    expect(unnamed).toMatchObject({ code: 3, err: expect.stringContaining("--ssh-key FILE (or set HAP_SSH_KEY)") });
    expect((await apart.json(["show", id])).state).toBe("DELIVERED");
    const ticket = await apart.json(["approve", id], { env: { HAP_SSH_KEY: file } });
    expect(ticket.resolution).toMatchObject({ outcome: "approved", assurance: "key" });
    expect((await apart.json(["reject", (await apart.create(["--kind", "deploy", "--environment", "staging"])).id])).state).toBe(
      "REJECTED",
    );
    expect((await apart.json(["approve", low.id])).resolution?.assurance).toBe("local");
  });

  test("[CRED-CLI-3] hap answer signs an answer", async () => {
    const { id } = await world.create(["--ask", JSON.stringify({ type: "confirm", prompt: "Go on?" })]);
    const ticket = await world.json(["answer", id, "yes", "--ssh-key", join(world.folder, "first")]);
    expect(ticket).toMatchObject({ state: "ANSWERED", resolution: { assurance: "key" } });
  });
});
