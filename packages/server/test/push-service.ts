// A push service of our own: takes messages over TLS as a browser maker's does, and a browser behind it that decrypts them.
import { execFileSync } from "node:child_process";
import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { decrypt } from "http_ece";

/** A browser as a push service knows it: an address, and keys of which the public half leaves it. */
export class PushedBrowser {
  readonly #key = createECDH("prime256v1");
  readonly #auth = randomBytes(16);
  readonly endpoint: string;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    this.#key.generateKeys();
  }

  /** What the page sends to the server. */
  get subscription() {
    return {
      endpoint: this.endpoint,
      keys: { p256dh: this.#key.getPublicKey("base64url"), auth: this.#auth.toString("base64url") },
    };
  }

  /** What the message says; throws when it was not encrypted for this browser. */
  read(body: Buffer): Record<string, unknown> {
    const text = decrypt(body, { version: "aes128gcm", privateKey: this.#key, authSecret: this.#auth.toString("base64url") });
    return JSON.parse(text.toString("utf8"));
  }
}

export type Pushed = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** Start one; `mood` is the status that it answers with. This process trusts its certificate from then on. */
export async function openPushService() {
  const folder = mkdtempSync(join(tmpdir(), "hap-push-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...ec, "-keyout", key, "-out", cert, ...name], { stdio: "pipe" });
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, readFileSync(cert, "utf8")]);
  const service = { got: [] as Pushed[], mood: 201 as number | ((pushed: Pushed) => number), url: "", certificate: cert };
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const pushed = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) };
    service.got.push(pushed);
    response.writeHead(typeof service.mood === "number" ? service.mood : service.mood(pushed)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  service.url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return Object.assign(service, {
    browser: (name = randomBytes(9).toString("hex")) => new PushedBrowser(`${service.url}/send/${name}`),
    close: () => {
      server.closeAllConnections();
      server.close();
      setDefaultCACertificates(trusted);
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** The claims by which the sender names itself, once their signature was checked (RFC 8292). */
export function senderOf({ headers }: Pushed): { key: string; claims: Record<string, unknown> } {
  const [, token = "", key = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? "") ?? [];
  const [head = "", body = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const half = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x: half(1), y: half(33) }, format: "jwk" });
  const signed = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  if (!verify("sha256", Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, "base64url")))
    throw new Error("the sender's signature is wrong");
  return { key, claims: JSON.parse(Buffer.from(body, "base64url").toString("utf8")) };
}
