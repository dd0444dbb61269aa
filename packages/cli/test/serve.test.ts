// hap serve, login, logout, whoami and key as people use them: real processes, a real terminal, real certificates.
import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { HapEngine } from "../../core/src/index.ts";
import { World } from "./hap.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Start a server without a terminal; returns its address and what it printed. */
async function serve(
  world: World,
  args: string[] = [],
): Promise<{ url: string; said: string; stop: () => Promise<number | null> }> {
  const child = world.start(["serve", "--port", "0", ...args]);
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  let failed = "";
  child.stderr.on("data", (chunk) => {
    failed += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    return ended;
  };
  stops.push(async () => {
    await stop();
  });
  // The last of what it says when it has begun.
  for (let waited = 0; !said.includes("hap login --code"); waited++) {
    if (waited > 900 || child.exitCode !== null) throw new Error(`it does not listen: ${said}${failed}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url: /HAP listens on (\S+)/.exec(said)?.[1] as string, said, stop };
}

/** Sign in by a code that another process made, typed at a terminal. */
async function login(world: World, url: string, env: Record<string, string> = {}): Promise<string> {
  const engine = new HapEngine({ dbPath: world.dbPath, home: world.folder, humanId: "human:alex" });
  const { code } = engine.issueCode({ purpose: "login", person: "human:alex" });
  engine.dispose();
  const ran = await world.atTerminal(["login", url], { replies: [{ expect: "Code for", send: `${code}\n` }], env });
  return ran.screen;
}

describe("a server on this machine", () => {
  it("[SERVE-CLI-1] says where it listens, and without a terminal how to get a code, but never a code", async () => {
    const world = new World();
    const { said, stop } = await serve(world);
    expect(said).toContain("hap login --code");
    expect(said).not.toMatch(/[0-9A-Z]{4}-[0-9A-Z]{4}/);
    expect(await stop()).toBe(0);
  });

  it("[SERVE-CLI-1, LOGIN-CODE-1] lets a person in, who makes a key, with which an agent asks and hears", async () => {
    const world = new World();
    const { url } = await serve(world);
    expect(await login(world, url)).toContain(`Signed in at ${url} as human:alex.`);
    const kept = join(world.folder, ".hap", "login.json");
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const env = { HAP_URL: url, HAP_DB_PATH: undefined };
    expect((await world.run(["whoami"], { env })).out).toContain(`human:alex at ${url}`);
    const made = await world.run(["key", "create", "--agent", "agent:ci", "--expires", "30d", "--json"], { env });
    const { key, id } = JSON.parse(made.out);
    const agent = { ...env, HAP_API_KEY: key, HAP_LOGIN_FILE: join(world.folder, "none.json") };
    expect((await world.run(["whoami"], { env: agent })).out).toBe(`agent:ci at ${url}, by HAP_API_KEY\n`);
    const asked = await world.run(["create", "--kind", "deploy", "--summary", "Ship it", "--json"], { env: agent });
    const ticket = JSON.parse(asked.out);
    expect(ticket.from).toBe("agent:ci");
    const waiting = world.run(["wait", ticket.id], { env: agent });
    expect((await world.run(["inbox"], { env })).out).toContain("Ship it");
    expect((await world.run(["reject", ticket.id, "not today"], { env })).code).toBe(0);
    expect(await waiting).toMatchObject({ code: 10, out: expect.stringContaining("not today") });
    for (const command of [["list"], ["show", ticket.id], ["events"], ["verify"], ["key", "list"]])
      expect((await world.run(command, { env })).code, command.join(" ")).toBe(0);
    await world.run(["key", "revoke", id], { env });
    expect((await world.run(["create", "--summary", "again"], { env: agent })).err).toContain("revoked");
    expect((await world.run(["logout"], { env })).out).toContain("Signed out");
    expect((await world.run(["inbox"], { env })).err).toContain("hap login");
  });

  it("[SERVE-CLI-2] shows a code on the terminal device alone", async () => {
    const world = new World();
    const ran = await world.atTerminal(["login", "--code"], { apart: true });
    expect(ran.screen).toMatch(/Sign in as human:alex with this code.*\n\s+[0-9A-Z]{4}-[0-9A-Z]{4}/s);
    expect(`${ran.out}${ran.err}`).not.toMatch(/[0-9A-Z]{4}-[0-9A-Z]{4}/);
    expect((await world.run(["login", "--code"])).err).toContain("terminal");
    expect((await world.run(["login", "--code"], { env: { HAP_AGENT_ID: "agent:x" } })).err).toContain("agents do not");
  });
});

it("[TRUST-CLASS-3] a server does not start with a trust class that nobody knows", async () => {
  const ran = await new World().run(["serve", "--port", "0"], { env: { HAP_TRUST: "nonsense" } });
  expect(ran).toMatchObject({
    code: 2,
    err: expect.stringContaining('HAP_TRUST is "nonsense"; it must be open, apart, remote.'),
  });
});

describe("a provider", () => {
  it("[LOGIN-TERMINAL-1] signs a person in at a terminal, through their browser", async () => {
    // What github.com and its API say, for one account.
    const site = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://site");
      if (url.pathname === "/login/oauth/authorize") {
        const back = new URL(url.searchParams.get("redirect_uri") as string);
        back.search = String(new URLSearchParams({ code: "c0de", state: url.searchParams.get("state") as string }));
        response.writeHead(302, { location: back.href }).end();
      } else response.end(JSON.stringify(url.pathname === "/user" ? { id: 42 } : { access_token: "t0k" }));
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    stops.push(() => new Promise((resolve) => site.close(() => resolve()).closeAllConnections()));
    const address = `http://127.0.0.1:${(site.address() as { port: number }).port}`;
    const world = new World({ HAP_GITHUB_CLIENT_SECRET: "s", HAP_GITHUB_SITE: address, HAP_GITHUB_API: address });
    const { url } = await serve(world, ["--github-client-id", "id"]);
    const linked = await world.run(["people", "link", "human:alex", "--issuer", address, "--subject", "42"]);
    expect(linked.code, linked.err).toBe(0);
    const child = world.start(["login", url, "--through", "github"]);
    const said = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      said.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      said.err += chunk;
    });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const shown = /(http\S+challenge=\S+)\s/;
    for (let waited = 0; !shown.test(said.err) && waited < 900; waited++) await new Promise((resolve) => setTimeout(resolve, 50));
    const start = await fetch(shown.exec(said.err)?.[1] as string, { redirect: "manual" });
    const cookie = start.headers.get("set-cookie")?.split(";")[0] as string;
    const there = await fetch(start.headers.get("location") as string, { redirect: "manual" });
    const asked = await (await fetch(there.headers.get("location") as string, { headers: { cookie } })).text();
    expect(asked).toContain("human:alex");
    // Each page holds a consent that can be used once.
    const consentOf = (page: string) => /name="consent" value="([^"]+)"/.exec(page)?.[1] as string;
    const code = /code of this terminal: (\S+)/.exec(said.err)?.[1] as string;
    expect(asked).not.toContain(code);
    const type = async (page: string, typed: string) => {
      const body = new URLSearchParams({ consent: consentOf(page), code: typed });
      return (await fetch(`${url}/login/consent`, { method: "POST", headers: { cookie }, body })).text();
    };
    const again = await type(asked, "0000-0000");
    expect(again).toContain("2 tries left");
    const next = /url=([^"]+)"/.exec(await type(again, code.toLowerCase()))?.[1] as string;
    expect(await (await fetch(next)).text()).toContain("go back to your terminal");
    expect(await ended, said.err).toBe(0);
    expect(said.out).toContain("as human:alex");
    expect((await world.run(["people", "list"], { env: { HAP_URL: url, HAP_DB_PATH: undefined } })).out).toContain("42 at");
  });
});

describe("TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "hap-tls-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const make = (name: string) => {
    const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout",
        key,
        "-out",
        cert,
      ],
      { stdio: "ignore" },
    );
    return { cert, key, pin: new X509Certificate(readFileSync(cert)).fingerprint256 };
  };

  it("[SERVE-TLS-1] is version 1.3, checked against a CA of one's own and a pinned certificate", async () => {
    needProgram("openssl");
    const world = new World();
    const [own, other] = [make("own"), make("other")];
    const { url } = await serve(world, ["--tls-cert", own.cert, "--tls-key", own.key]);
    expect(url).toMatch(/^https:/);
    const { port } = new URL(url);
    const old = spawnSync("openssl", ["s_client", "-connect", `127.0.0.1:${port}`, "-tls1_2"], { input: "", encoding: "utf8" });
    expect(`${old.stdout}${old.stderr}`).toMatch(/alert protocol version|no protocols available|Cipher is \(NONE\)/);
    const trusted = { HAP_CA_FILE: own.cert };
    expect(await login(world, url, trusted)).toContain("Signed in");
    const whoami = async (env: Record<string, string>) =>
      world.run(["whoami"], { env: { HAP_URL: url, HAP_DB_PATH: undefined, ...env } });
    expect((await whoami({ ...trusted, HAP_PIN_SHA256: own.pin })).out).toContain("human:alex");
    expect((await whoami({ ...trusted, HAP_PIN_SHA256: other.pin })).err).toContain("not the pinned one");
    expect((await whoami({})).err).toContain("cannot be reached");
    const plain = { HAP_URL: url.replace("https", "http"), HAP_API_KEY: "hap_x", HAP_PIN_SHA256: own.pin };
    expect((await world.run(["create", "--summary", "x"], { env: plain })).err).toContain("need an https address");
  });

  it("[HTTP-PLAIN-1] is needed where others can listen", async () => {
    const ran = await new World().run(["serve", "--host", "0.0.0.0", "--port", "0"]);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("--tls-cert") });
  });
});
