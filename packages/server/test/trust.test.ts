// The trust class of a server is derived (D1), and a stronger claim is refused.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../core/test/refusal.ts";
import { serve } from "../src/index.ts";
import { deriveTrust, readTrustFacts, type TrustFacts, trustInForce } from "../src/trust.ts";

const apart: TrustFacts = { owner: "hap", ownerCanLogIn: false, othersCanWrite: false, reached: "loopback" };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hap-trust-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the trust class", () => {
  it.each<[string, Partial<TrustFacts>, string]>([
    ["an owner who can log in, on loopback", { ownerCanLogIn: true }, "open"],
    ["an owner who can log in, over TLS", { ownerCanLogIn: true, reached: "tls" }, "open"],
    ["an owner who can log in, behind a stated proxy", { ownerCanLogIn: true, reached: "proxy" }, "open"],
    ["a folder that others can write", { othersCanWrite: true, reached: "tls" }, "open"],
    ["a user of its own, on loopback", {}, "apart"],
    ["a user of its own, over TLS", { reached: "tls" }, "remote"],
    ["a user of its own, behind a stated proxy", { reached: "proxy" }, "remote"],
  ])("[TRUST-DERIVED-1] of %s is derived", (_, facts, expected) => {
    expect(deriveTrust({ ...apart, ...facts }).trust).toBe(expected);
  });

  it("[TRUST-DERIVED-1] cannot be claimed stronger, only weaker", () => {
    expect(trustInForce("open", apart)).toBe("open");
    expect(trustInForce("apart", apart)).toBe("apart");
    expect(refusal(() => trustInForce("remote", apart))).toMatchObject({ code: "invalid_input", fields: { derived: "apart" } });
    expect(refusal(() => trustInForce("nonsense" as never, apart)).message).toContain("open, apart or remote");
  });

  it("[TRUST-DERIVED-1] `--trust remote` on loopback as the same user does not start", async () => {
    const place = { dbPath: join(folder, "hap.db"), home: folder, port: 0 };
    await expect(serve({ ...place, trust: "remote" })).rejects.toMatchObject({ fields: { field: "trust", derived: "open" } });
    const server = await serve(place);
    expect(server.engine.trust).toBe("open");
    await server.close();
  });

  it("[TRUST-DERIVED-1] reads who can log in, who can write, and how it is reached", () => {
    const passwd = join(folder, "passwd");
    const uid = process.getuid?.() ?? 0;
    const store = join(folder, "store");
    mkdirSync(store, { mode: 0o700 });
    writeFileSync(passwd, `me:x:${uid}:0::/:/bin/bash\n`);
    expect(readTrustFacts(join(store, "hap.db"), {}, passwd)).toMatchObject({
      owner: "me",
      ownerCanLogIn: true,
      reached: "loopback",
    });
    writeFileSync(passwd, `me:x:${uid}:0::/:/usr/sbin/nologin\n`);
    const facts = readTrustFacts(join(store, "hap.db"), { publicUrl: "https://hap.example" }, passwd);
    // Root can always log in.
    expect(facts).toMatchObject({ ownerCanLogIn: uid === 0, othersCanWrite: false, reached: "proxy" });
    chmodSync(store, 0o777);
    expect(readTrustFacts(join(store, "hap.db"), {}, passwd).othersCanWrite).toBe(true);
  });
});
