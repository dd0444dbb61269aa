// `auth login` with the real command and a server that answers as OpenRouter does.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shellEnvironment } from "../src/run/shell-environment.ts";
import { makePlace, runYume, says, startYume } from "./support/place.ts";

const exchanged: Record<string, string>[] = [];
/** Trades the code "good" for a key. */
const vendor = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    exchanged.push(JSON.parse(body) as Record<string, string>);
    const good = request.url === "/api/v1/auth/keys" && exchanged.at(-1)?.code === "good";
    response.writeHead(good ? 200 : 403, { "content-type": "application/json" });
    response.end(JSON.stringify(good ? { key: "sk-or-of-the-user" } : { error: "no" }));
  });
});
let base = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/api/v1`;
});
afterAll(() => {
  vendor.close();
});

/** Begin to sign in; the address of the page that the browser would show. */
async function beginSignIn(place: Awaited<ReturnType<typeof makePlace>>) {
  const run = startYume(place, ["auth", "login", "--provider", "openrouter"], { env: { OPENROUTER_BASE_URL: base } });
  let words = "";
  const page = await new Promise<URL>((resolve, reject) => {
    run.process.stderr.on("data", (text: string) => {
      words += text;
      const found = /http:\S+\/auth\?\S+/.exec(words);
      if (found !== null) resolve(new URL(found[0]));
    });
    run.process.on("close", () => reject(new Error(`it ended first: ${words}`)));
  });
  return { run, page, back: new URL(page.searchParams.get("callback_url") ?? "") };
}

describe("a sign-in in the browser", () => {
  it("[YUME-AUTH-8] trades the code for a key, keeps it for this user, uses it, and forgets it", async () => {
    const place = await makePlace([says("Signed in.")]);
    const { run, page, back } = await beginSignIn(place);
    expect([back.hostname, page.searchParams.get("code_challenge_method")]).toEqual(["localhost", "S256"]);
    const elsewhere = new URL(back);
    elsewhere.pathname = "/callback";
    expect((await fetch(`${elsewhere.href}?code=stolen`)).status).toBe(404);
    back.searchParams.set("code", "good");
    expect(await (await fetch(back)).text()).toContain("You are signed in");
    expect((await run.ended).code).toBe(0);
    const { code_verifier = "" } = exchanged.at(-1) ?? {};
    expect(createHash("sha256").update(code_verifier).digest("base64url")).toBe(page.searchParams.get("code_challenge"));
    const kept = join(place.home, ".yume", "credentials.json");
    expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({ openrouter: "sk-or-of-the-user" });
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const env = { YUME_PROVIDER: "openrouter", OPENROUTER_BASE_URL: `${place.model.url}/v1` };
    const status = await runYume(place, ["auth", "status"], "", { env });
    expect(JSON.parse(status.stdout)).toMatchObject({ loggedIn: true, apiKeySource: "yume-cli auth login" });
    expect((await runYume(place, ["-p", "Hi"], "", { env })).stdout).toBe("Signed in.\n");
    expect(place.model.requests.at(-1)?.headers.authorization).toBe("Bearer sk-or-of-the-user");
    expect((await runYume(place, ["auth", "logout", "--provider", "openrouter"], "", { env })).code).toBe(0);
    expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({});
  });

  it("[YUME-AUTH-8] that the vendor does not accept keeps nothing", async () => {
    const place = await makePlace();
    const { run, back } = await beginSignIn(place);
    back.searchParams.set("code", "wrong");
    await fetch(back);
    const { code, stderr } = await run.ended;
    expect([code, existsSync(join(place.home, ".yume", "credentials.json"))]).toEqual([1, false]);
    expect(stderr).toContain("answered 403");
  });

  it("[YUME-PROVIDER-4] a provider's keys stay out of commands because its file names them", () => {
    expect(shellEnvironment({ OPENROUTER_API_KEY: "k", CODEX_API_KEY: "k", HOME: "/h" })).not.toHaveProperty(
      "OPENROUTER_API_KEY",
    );
    expect(shellEnvironment({ CODEX_API_KEY: "k" })).not.toHaveProperty("CODEX_API_KEY");
  });
});
