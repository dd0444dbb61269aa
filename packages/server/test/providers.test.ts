// Signing in through others: a real OpenID Connect provider, and a local server that speaks GitHub's words.
import { createHash, randomBytes } from "node:crypto";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { handoverCode } from "@hap/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { steadyPort } from "../../../test/support/steady-port.ts";
import { savePolicy } from "../../core/test/confirm-policy.ts";
import { serve } from "../src/index.ts";
import { type Front, openFront } from "./front.ts";

let front: Front | undefined;
const servers: Server[] = [];
afterEach(async () => {
  await front?.close();
  front = undefined;
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve).closeAllConnections());
});

async function listen(
  handler: (request: IncomingMessage, response: import("node:http").ServerResponse) => void,
): Promise<[Server, string]> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return [server, `http://127.0.0.1:${(server.address() as { port: number }).port}`];
}

/** A provider from npm, with one account and its own sign-in pages. */
async function oidcProvider(redirect: () => string): Promise<string> {
  const { default: Provider } = await import("oidc-provider");
  let callback: ((request: IncomingMessage, response: import("node:http").ServerResponse) => void) | undefined;
  const [, url] = await listen((request, response) => callback?.(request, response));
  const provider = new Provider(url, {
    clients: [
      {
        client_id: "hap",
        client_secret: "a-secret-of-the-test",
        redirect_uris: [redirect()],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ["sub"], profile: ["preferred_username"], email: ["email"] },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id }) }),
    cookies: { keys: ["test"] },
  });
  callback = provider.callback();
  return url;
}

/** A browser without a window: keeps cookies for each host, follows redirects, sends forms. */
class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  async go(url: string, form?: Record<string, string>): Promise<{ url: string; status: number; text: string }> {
    let [at, method, body] = [
      new URL(url),
      form === undefined ? "GET" : "POST",
      form === undefined ? undefined : new URLSearchParams(form),
    ];
    for (let hops = 0; hops < 12; hops++) {
      const jar = this.#cookies.get(at.host) ?? new Map<string, string>();
      this.#cookies.set(at.host, jar);
      const response = await fetch(at, {
        method,
        redirect: "manual",
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(body === undefined ? {} : { body }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", ...value] = (line.split(";")[0] ?? "").split("=");
        jar.set(name, value.join("="));
      }
      const location = response.headers.get("location");
      if (location === null) return { url: at.href, status: response.status, text: await response.text() };
      await response.text();
      [at, method, body] = [new URL(location, at), "GET", undefined];
    }
    throw new Error("too many redirects");
  }

  cookie(url: string, name: string): string | undefined {
    return this.#cookies.get(new URL(url).host)?.get(name);
  }

  /** Go through the provider's own pages as one of its accounts. */
  async signIn(start: string, account: string): Promise<{ url: string; status: number; text: string }> {
    const login = await this.go(start);
    const consent = await this.go(new URL(/action="([^"]+)"/.exec(login.text)?.[1] ?? "", login.url).href, {
      prompt: "login",
      login: account,
      password: "x",
    });
    return this.go(new URL(/action="([^"]+)"/.exec(consent.text)?.[1] ?? "", consent.url).href, { prompt: "consent" });
  }
}

/** A server whose address is known before it starts, as a provider needs it. */
async function frontWith(claim?: string): Promise<Front> {
  const port = await steadyPort();
  const issuer = await oidcProvider(() => `http://localhost:${port}/login/oidc/callback`);
  front = await openFront({
    real: true,
    port,
    oidc: { issuer, clientId: "hap", clientSecret: "a-secret-of-the-test", claim },
  });
  return front;
}

describe("OpenID Connect", () => {
  it("[LOGIN-OIDC-1] signs in whom the provider names, end to end, as a person with a session", async () => {
    const { url, as } = await frontWith("preferred_username");
    const visitor = new Visitor();
    const end = await visitor.signIn(`${url}/login/oidc`, "maria");
    expect(new URL(end.url).origin).toBe(url);
    const me = await as({ cookie: `hap=${visitor.cookie(url, "hap")}` })("GET", "/v1/me");
    expect(me.body).toMatchObject({ kind: "person", id: "human:maria", role: null });
    expect((await front?.anyone("GET", "/v1/login"))?.body).toEqual({ providers: ["oidc"], command: "hap" });
  });

  it("[LOGIN-OIDC-1] lets in nobody who was not linked, unless a claim names people", async () => {
    const { url, engine, as } = await frontWith();
    const visitor = new Visitor();
    const refused = await visitor.signIn(`${url}/login/oidc`, "maria");
    expect(refused).toMatchObject({ status: 401 });
    expect(refused.text).toContain("hap people link");
    engine.linkSubject("human:sam", /--issuer (\S+)/.exec(refused.text)?.[1] ?? "", "maria", "human:alex");
    const again = new Visitor();
    await again.signIn(`${url}/login/oidc`, "maria");
    expect((await as({ cookie: `hap=${again.cookie(url, "hap")}` })("GET", "/v1/me")).body.id).toBe("human:sam");
  });

  it("[NAME-CLAIM-2] lets in whoever was only addressed so far, as the person who was addressed", async () => {
    const { url, engine, as } = await frontWith("preferred_username");
    const { id } = engine.createTicket({ to: "human:maria" });
    const visitor = new Visitor();
    await visitor.signIn(`${url}/login/oidc`, "maria");
    const maria = as({ cookie: `hap=${visitor.cookie(url, "hap")}` });
    expect((await maria("GET", "/v1/me")).body.id).toBe("human:maria");
    expect((await maria("GET", `/v1/tickets/${id}`)).body).toMatchObject({ id, to: "human:maria" });
    expect(engine.getEvents().filter(({ type }) => type === "account.link")).toHaveLength(1);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  });

  it.each<[string, (front: Front) => unknown]>([
    [
      "who decided something",
      ({ engine }) => engine.reject(engine.createTicket({ to: "human:maria" }).id, "no", { by: "human:maria" }),
    ],
    ["who signed in before", ({ engine }) => engine.signIn("human:maria", "cookie", "code")],
    ["who has another account", ({ engine }) => engine.linkSubject("human:maria", "https://id.example.org", "1", "human:alex")],
  ])("[LOGIN-OIDC-1, NAME-CLAIM-1] takes nobody's name away: a person %s must be linked", async (_, act) => {
    const front = await frontWith("preferred_username");
    act(front);
    expect((await new Visitor().signIn(`${front.url}/login/oidc`, "maria")).text).toContain("somebody else here already");
  });

  it("[NAME-CLAIM-1] gives nobody a name that holds a role", async () => {
    const { url, engine } = await frontWith("preferred_username");
    const text = JSON.stringify({ version: 1, roles: { owner: ["human:alex"], approver: ["human:maria"] } });
    savePolicy(engine, { text, replaces: null, by: "human:alex" });
    const refused = await new Visitor().signIn(`${url}/login/oidc`, "maria");
    expect(refused.status).toBe(401);
    expect(refused.text).toContain("human:maria is an approver here");
    expect(engine.getEvents().some(({ type }) => type === "account.link")).toBe(false);
  });

  it("[LOGIN-OIDC-2] refuses a way back that another browser began, that is forged, or that is used twice", async () => {
    const { url } = await frontWith("preferred_username");
    const visitor = new Visitor();
    const began = await fetch(`${url}/login/oidc`, { redirect: "manual" });
    const state = new URL(began.headers.get("location") as string).searchParams.get("state") as string;
    for (const query of [`state=${state}&code=x`, "state=forged&code=x", "code=x", ""]) {
      const back = await visitor.go(`${url}/login/oidc/callback?${query}`);
      expect(back.status, query).toBe(401);
    }
    expect((await visitor.go(`${url}/login/nobody`)).status).toBe(404);
  });

  it("[LOGIN-TERMINAL-1, LOGIN-TERMINAL-2] hands the sign-in over to the terminal whose code was typed, and to no other", async () => {
    const { url, anyone } = await frontWith("preferred_username");
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const code = handoverCode(challenge, (data) => createHash("sha256").update(data).digest("hex"));
    const ask = async () => {
      const visitor = new Visitor();
      const page = await visitor.signIn(`${url}/login/oidc?terminal=45678&challenge=${challenge}`, "maria");
      expect(page.text).toContain("human:maria");
      let shown = page.text;
      const type = async (typed: string, by = visitor) => {
        const consent = /name="consent" value="([^"]+)"/.exec(shown)?.[1] as string;
        const next = await by.go(`${url}/login/consent`, { consent, code: typed });
        // A page that refused the code asks again.
        if (next.text.includes('name="consent"')) shown = next.text;
        return next;
      };
      return { visitor, type };
    };
    const handed = (text: string) => new URL(/url=([^"]+)"/.exec(text)?.[1] as string);
    const { visitor, type } = await ask();
    // Another browser, another page, or somebody who does not see the terminal gets nothing.
    expect((await type(code, new Visitor())).status).toBe(401);
    for (const typed of ["", "0000-0000"]) expect((await type(typed)).text).toContain("not the code of the terminal");
    const over = handed((await type(code)).text);
    expect(over.origin).toBe("http://127.0.0.1:45678");
    expect((await type(code)).status).toBe(401);
    expect(visitor.cookie(url, "hap")).toBeUndefined();
    const handover = over.searchParams.get("handover");
    const wrong = await anyone("POST", "/v1/login/handover", { handover, verifier: "y".repeat(43) });
    expect(wrong.body.code).toBe("login_failed");
    // A wrong guess used it up.
    expect((await anyone("POST", "/v1/login/handover", { handover, verifier })).status).toBe(401);
    const burned = await ask();
    for (const status of [200, 200, 401, 401]) expect((await burned.type("0000-0000")).status).toBe(status);
    const second = await ask();
    const again = handed((await second.type(code)).text).searchParams.get("handover");
    const token = await anyone("POST", "/v1/login/handover", { handover: again, verifier });
    expect(token.body).toMatchObject({ person: "human:maria", token: expect.any(String) });
  });
});

/** A balancer that sends each request to the next server. */
async function balancer(port: number, targets: string[]): Promise<void> {
  let at = 0;
  const server = createServer((request, response) => {
    const target = new URL(request.url ?? "/", targets[at++ % targets.length]);
    const forward = httpRequest(target, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forward);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
}

describe("several servers behind a balancer", () => {
  it("each step of a sign-in may reach another server [LOGIN-NODES-1]", async () => {
    const port = await steadyPort();
    const url = `http://localhost:${port}`;
    const issuer = await oidcProvider(() => `${url}/login/oidc/callback`);
    const oidc = { issuer, clientId: "hap", clientSecret: "a-secret-of-the-test", claim: "preferred_username" };
    front = await openFront({ real: true, publicUrl: url, oidc });
    const other = await serve({ dbPath: front.path, home: front.folder, humanId: "human:alex", port: 0, publicUrl: url, oidc });
    try {
      await balancer(
        port,
        [front.server, other].map((server) => `http://127.0.0.1:${server.port}`),
      );
      const visitor = new Visitor();
      await visitor.signIn(`${url}/login/oidc`, "maria");
      const me = await front.as({ cookie: `hap=${visitor.cookie(url, "hap")}` })("GET", "/v1/me");
      expect(me.body).toMatchObject({ kind: "person", id: "human:maria" });
      const verifier = randomBytes(32).toString("base64url");
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const code = handoverCode(challenge, (data) => createHash("sha256").update(data).digest("hex"));
      const visits = new Visitor();
      const asked = await visits.signIn(`${url}/login/oidc?terminal=45678&challenge=${challenge}`, "maria");
      const consent = /name="consent" value="([^"]+)"/.exec(asked.text)?.[1] as string;
      const typed = await visits.go(`${url}/login/consent`, { consent, code });
      const handover = new URL(/url=([^"]+)"/.exec(typed.text)?.[1] as string).searchParams.get("handover");
      const token = await front.anyone("POST", "/v1/login/handover", { handover, verifier });
      expect(token.body).toMatchObject({ person: "human:maria", token: expect.any(String) });
    } finally {
      await other.close();
    }
  });
});

describe("GitHub", () => {
  it("[LOGIN-GITHUB-1] signs in the account that its number is linked to", async () => {
    const codes = new Map<string, string>();
    const [, site] = await listen(async (request, response) => {
      const url = new URL(request.url ?? "/", "http://github.test");
      if (url.pathname === "/login/oauth/authorize") {
        const code = randomBytes(8).toString("hex");
        codes.set(code, url.searchParams.get("code_challenge") as string);
        const back = new URL(url.searchParams.get("redirect_uri") as string);
        back.search = String(new URLSearchParams({ code, state: url.searchParams.get("state") as string }));
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      let text = "";
      for await (const chunk of request) text += chunk;
      response.setHeader("content-type", "application/json");
      if (url.pathname === "/login/oauth/access_token") {
        const { code, code_verifier, client_secret } = JSON.parse(text);
        const good = client_secret === "s" && codes.get(code) === createHash("sha256").update(code_verifier).digest("base64url");
        response.end(JSON.stringify(good ? { access_token: "t0k" } : { error: "bad_verification_code" }));
        return;
      }
      response.end(JSON.stringify(request.headers.authorization === "Bearer t0k" ? { id: 42, login: "octo" } : {}));
    });
    front = await openFront({ real: true, github: { clientId: "id", clientSecret: "s", site, api: site } });
    const visitor = new Visitor();
    expect((await visitor.go(`${front.url}/login/github`)).text).toContain("--subject 42");
    front.engine.linkSubject("human:octo", site, "42", "human:alex");
    await visitor.go(`${front.url}/login/github`);
    expect((await front.as({ cookie: `hap=${visitor.cookie(front.url, "hap")}` })("GET", "/v1/me")).body.id).toBe("human:octo");
  });
});
