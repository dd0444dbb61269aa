import { describe, expect, it } from "vitest";
import { readSshPublicKey, readSshSignature } from "./ssh-text.ts";

describe("a public key file", () => {
  it("[CRED-KEY-1] has a type, a key and a comment of any words", () => {
    expect(readSshPublicKey(" ssh-ed25519 AA+/\talex at home \n")).toEqual({
      type: "ssh-ed25519",
      key: "AA-_",
      comment: "alex at home",
    });
    expect(readSshPublicKey("sk-ssh-ed25519@openssh.com AAAA==").comment).toBe("");
  });

  it.each(["", "ssh-ed25519", "ssh-ed25519 !!", "ssh-ed25519 AAAA\nssh-ed25519 AAAA", "SSH AAAA", "from=x ssh-ed25519 AAAA"])(
    "[CRED-KEY-1] that is none is refused: %j",
    (text) => {
      expect(() => readSshPublicKey(text)).toThrow(/is no line of an SSH public key file/);
    },
  );
});

describe("the armour of a signature", () => {
  it("[SIGN-SSH-1] is taken off, whatever its lines are", () => {
    const text = "-----BEGIN SSH SIGNATURE-----\r\nU1NI\r\nU0lH/+==\r\n-----END SSH SIGNATURE-----\r\n";
    expect(readSshSignature(text)).toBe("U1NIU0lH_-");
  });

  it.each(["", "U1NI", "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----", "-----BEGIN PGP SIGNATURE-----\nU1NI"])(
    "[SIGN-SSH-1] that is none is refused: %j",
    (text) => {
      expect(() => readSshSignature(text)).toThrow(/is no SSH signature/);
    },
  );
});
