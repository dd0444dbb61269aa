// `hap serve --apart` from the first command to a signed decision, as root on this machine, with a second user who gets nowhere.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "../../../test/support/chromium.ts";
import { needProgram } from "../../../test/support/system-package.ts";
import { HAP, World } from "./hap.ts";

const pty = fileURLToPath(new URL("fixtures/under-pty.py", import.meta.url));
const [user, other] = [`hap-t${process.pid}`, `hap-o${process.pid}`];
const prefix = mkdtempSync("/opt/hap-apart-");
const state = join(prefix, "var/lib/hap");
const program = join(prefix, "usr/local/lib/hap");
const wrapper = join(program, "hap");
const world = new World({ HAP_HUMAN_ID: undefined, HAP_DB_PATH: undefined });
const options = ["--person", "human:alex", "--user", user, "--prefix", prefix, "--port", "0"];
let browser: Browser;
let server: ReturnType<typeof spawn> | null = null;

beforeAll(async () => {
  if (process.getuid?.() !== 0)
    throw new Error("This test adds system users: run it as root, sudo npm test -- packages/cli/test/apart.test.ts");
  needProgram("runuser");
  expect(spawnSync("useradd", ["--system", "--no-create-home", "--shell", "/bin/sh", other]).status).toBe(0);
  // The temporary folder is its maker's alone; a real / is everybody's to pass.
  spawnSync("chmod", ["755", prefix]);
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  if (server !== null && server.exitCode === null) {
    const gone = new Promise((resolve) => server?.once("exit", resolve));
    server.kill();
    await gone;
  }
  for (const name of [user, other]) spawnSync("userdel", [name]);
  rmSync(prefix, { recursive: true, force: true });
});

/** Run something as the second user, on whose side an agent would be. */
const asOther = (...command: string[]) =>
  spawnSync("runuser", ["-u", other, "--", ...command], {
    encoding: "utf8",
    env: { PATH: process.env.PATH ?? "", HOME: "/" },
    cwd: "/",
  });

/** Run something at a terminal of its own. */
function atTerminal(...argv: string[]): { screen: string; code: number } {
  const plan = {
    ...{ argv, env: { PATH: process.env.PATH, TERM: "xterm", HOME: "/" }, cwd: "/" },
    ...{ columns: 100, rows: 24, replies: [], streams: "pty" },
  };
  return JSON.parse(spawnSync("python3", [pty, JSON.stringify(plan)], { encoding: "utf8" }).stdout);
}

const codeIn = (screen: string) => /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(screen)?.[0];

it("[SERVE-APART-2] without a terminal and without --yes changes nothing and exits with 3", async () => {
  const ran = await world.run(["serve", "--apart", ...options]);
  expect(ran).toMatchObject({ code: 3, err: expect.stringContaining("Run it at a terminal, or with --yes") });
  expect(ran.out).toContain(`add the system user ${user}`);
  expect(spawnSync("id", [user]).status).not.toBe(0);
});

it("[SERVE-APART-1] asks whose server it is", async () => {
  expect((await world.run(["serve", "--apart"])).err).toContain("--person");
});

it("[SERVE-APART-1, SERVE-APART-2] sets up when it is started through a link, as npx does, and says how to go on", async () => {
  const link = join(world.folder, "hap");
  symlinkSync(HAP, link);
  const ran = spawnSync(process.execPath, [link, "serve", "--apart", "--yes", ...options], {
    encoding: "utf8",
    env: world.environment(),
  });
  expect(ran.status, ran.stderr).toBe(0);
  expect(ran.stderr).toContain("done: write the service");
  expect(statSync(state).mode & 0o777).toBe(0o700);
  expect(statSync(join(program, "command", "main.cjs")).uid).toBe(0);
  expect(ran.stdout).toContain(`sudo ${wrapper} serve --port 0`);
  expect(ran.stdout).toContain(`Sign in: sudo -u ${user} ${wrapper} login --code`);
  const unit = readFileSync(join(prefix, "etc/systemd/system/hap.service"), "utf8");
  expect(unit).toContain('"HAP_HUMAN_ID=human:alex"');
  expect(unit).toContain(`"HAP_COMMAND=sudo -u ${user} ${wrapper}"`);
});

it("[SERVE-APART-2] names every option in the line to run where root is needed", () => {
  const node = join(program, "node");
  const main = join(program, "command", "main.cjs");
  const given = ["serve", "--apart", ...options.slice(0, -2), "--port=4800"];
  const ran = asOther("env", `HAP_PAGE=${join(program, "page")}`, node, main, ...given);
  expect(ran.status).toBe(3);
  expect(ran.stderr).toContain(`This needs root: sudo ${node} ${main} ${given.join(" ")}\n`);
});

it("[SERVE-APART-2, TRUST-CLASS-2] serves the page, where its person signs in, adds a passkey and signs a critical yes", async () => {
  const { url } = await serve();
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.getByText(`sudo -u ${user} ${wrapper} login --code`).waitFor();
  const signIn = atTerminal(wrapper, "login", "--code");
  expect(signIn.screen).toContain("Sign in as human:alex");
  await page.getByLabel("Code").fill(codeIn(signIn.screen) as string);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForSelector(".shell");
  await addPasskey(page, url);

  const made = spawnSync(wrapper, ["key", "create", "--agent", "agent:ci", "--json"], { encoding: "utf8", cwd: "/" });
  const { key } = JSON.parse(made.stdout);
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(url + path, { ...init, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const asked = { to: "human:alex", summary: "Restart", kind: "run_command", details: { command: "sudo systemctl restart app" } };
  const { body: ticket } = await call("/v1/tickets", { method: "POST", body: JSON.stringify(asked) });
  expect(ticket).toMatchObject({ tier: "critical", from: "agent:ci" });

  await decideNothing(url, ticket.id as string, call);
  await approve(page, url, ticket.id as string);
  const { body: decided } = await call(`/v1/tickets/${ticket.id}?wait=20`);
  expect(decided).toMatchObject({ state: "APPROVED", resolution: { assurance: "passkey", trust: "apart" } });
  const verified = spawnSync(wrapper, ["verify"], { encoding: "utf8", cwd: "/" });
  expect(verified.stdout).toContain("integrity: OK");
}, 180_000);

/** Start it as the set-up says, but for sudo, which root needs not. */
async function serve(): Promise<{ url: string }> {
  server = spawn(wrapper, ["serve", "--port", "0"], { cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const [address] = await new Promise<string[]>((resolve, reject) => {
    for (const stream of [server?.stdout, server?.stderr])
      stream?.on("data", (chunk: Buffer) => {
        said += chunk;
        const found = /HAP listens on (\S+)[\s\S]*login --code/.exec(said);
        if (found !== null) resolve(found.slice(1));
      });
    server?.once("exit", () => reject(new Error(`it does not listen: ${said}`)));
  });
  expect(said).toContain(`run \`sudo -u ${user} ${wrapper} login --code\``);
  return { url: address as string };
}

async function addPasskey(page: Page, url: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto(`${url}/settings`);
  await page.getByLabel("Name of the new passkey").fill("Laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "A code from your terminal" });
  await dialog.getByText(`sudo -u ${user} ${wrapper} credential code`).waitFor();
  await dialog.getByLabel("Code").fill(codeIn(atTerminal(wrapper, "credential", "code").screen) as string);
  await dialog.getByRole("button", { name: "Add the passkey" }).click();
  await page.locator(".thing", { hasText: "Laptop" }).waitFor();
}

async function approve(page: Page, url: string, id: string): Promise<void> {
  await page.goto(`${url}/tickets/${id}`);
  await page.waitForSelector(".decide-bar");
  await page.locator(".detail-scroll").evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await page.getByRole("button", { name: "Approve" }).click();
  const needed = page.getByRole("dialog", { name: "Restart" });
  await needed.waitFor();
  const phrase = needed.locator(".phrase");
  if ((await phrase.count()) > 0) {
    await needed.getByRole("textbox").fill(await phrase.innerText());
    await needed.getByRole("button", { name: "Approve" }).click();
  }
  await page.getByRole("button", { name: "Use my passkey" }).click();
  await page.getByText("Approved").first().waitFor();
}

/** What the second user tries: to read, to write, to get a code, and to decide, with nothing, with a key, on the store itself. */
async function decideNothing(
  url: string,
  id: string,
  withKey: (path: string, init?: RequestInit) => Promise<{ status: number; body: Record<string, unknown> }>,
): Promise<void> {
  const db = join(state, "hap.db");
  expect(asOther("cat", db).status).not.toBe(0);
  expect(asOther("ls", state).status).not.toBe(0);
  expect(asOther("sh", "-c", `echo x >> ${db}`).status).not.toBe(0);
  for (const file of ["command/main.cjs", "node", "hap", "page/index.html"])
    expect(asOther("sh", "-c", `echo x >> ${join(program, file)}`).status, file).not.toBe(0);
  const runuser = spawnSync("sh", ["-c", "command -v runuser"], { encoding: "utf8" }).stdout.trim();
  for (const command of [
    ["login", "--code"],
    ["credential", "code"],
    ["approve", id],
  ]) {
    const tried = atTerminal(runuser, "-u", other, "--", wrapper, ...command);
    expect([tried.code === 0, codeIn(tried.screen)], command.join(" ")).toEqual([false, undefined]);
  }
  const store = ["env", `HAP_DB_PATH=${db}`, "HAP_HUMAN_ID=human:alex", join(program, "node"), join(program, "command/main.cjs")];
  for (const command of [["approve", id, "--yes"], ["inbox"], ["login", "--code"]])
    expect(asOther(...store, ...command).status, command.join(" ")).not.toBe(0);
  const yes = { method: "POST", body: JSON.stringify({ decision: "approve", confirmed: true }) };
  const bare = await fetch(`${url}/v1/tickets/${id}/intents`, { ...yes, headers: { "content-type": "application/json" } });
  expect(bare.status).toBe(401);
  expect((await withKey(`/v1/tickets/${id}/intents`, yes)).status).toBe(403);
  expect((await withKey(`/v1/tickets/${id}`)).body.state).toMatch(/PENDING|DELIVERED|ACKED/);
}
