// Contents (D19): a payload holds sha256(salt || utf8 text) behind the word for how the text is read.
import { HapError, type Json, refOf } from "@hap/protocol";
import { invalid, type Suite, sha256, valid } from "../vector.ts";

type Input = { media: "text" | "json"; salt: string; text: string; ref?: string };

const salt = "000102030405060708090a0b0c0d0e0f";
const other = "ffeeddccbbaa99887766554433221100";
const words = "Refactor authentication middleware";
const ref = (media: "text" | "json", saltHex: string, text: string) => refOf(media, bytes(saltHex), text, sha256);
const right = ref("text", salt, words);

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

function check(input: Input): Json {
  if (!/^[0-9a-f]{32}$/.test(input.salt)) throw violation("a salt has 16 bytes");
  const made = ref(input.media, input.salt, input.text);
  if (input.ref !== undefined && input.ref !== made) throw violation("the text is not the one that was written");
  return { ref: made };
}

function violation(what: string): HapError {
  return new HapError("integrity_violation", what);
}

export const contents: Suite = {
  name: "contents",
  description:
    "The reference of input.text under input.salt (hex, 16 bytes): media, `:sha256:` and the digest of salt and UTF-8 text. Where input.ref is given it must be that one.",
  flags: {
    Make: "the reference is to be computed",
    Check: "the reference is given",
    Salt: "the salt is wrong",
    Text: "the text is wrong",
    Reference: "the reference is wrong",
  },
  cases: [
    valid("words", { media: "text", salt, text: words }, "Make"),
    valid("the same words under another salt", { media: "text", salt: other, text: words }, "Make"),
    valid("an empty text", { media: "text", salt, text: "" }, "Make"),
    valid("a salt of zeros", { media: "text", salt: "0".repeat(32), text: "x" }, "Make"),
    valid("text beyond ASCII, as UTF-8", { media: "text", salt, text: "naïve 😀\u2028\n" }, "Make"),
    valid("a value, as its canonical JSON", { media: "json", salt, text: '{"command":"ls","cwd":"/"}' }, "Make"),
    valid("a reference that fits", { media: "text", salt, text: words, ref: right }, "Check"),
    invalid("another salt", { media: "text", salt: other, text: words, ref: right }, "Check", "Salt"),
    invalid(
      "a salt with one bit changed",
      { media: "text", salt: `${salt.slice(0, -1)}e`, text: words, ref: right },
      "Check",
      "Salt",
    ),
    invalid(
      "a salt reversed",
      { media: "text", salt: Buffer.from(salt, "hex").reverse().toString("hex"), text: words, ref: right },
      "Check",
      "Salt",
    ),
    invalid("no salt", { media: "text", salt: "", text: words, ref: `text:sha256:${sha256(words)}` }, "Check", "Salt"),
    invalid("a salt of 15 bytes", { media: "text", salt: salt.slice(2), text: words }, "Make", "Salt"),
    invalid("a salt of 17 bytes", { media: "text", salt: `${salt}10`, text: words }, "Make", "Salt"),
    invalid("salt and text joined elsewhere", { media: "text", salt, text: `x${words}`, ref: right }, "Check", "Text"),
    invalid("another text", { media: "text", salt, text: `${words}.`, ref: right }, "Check", "Text"),
    invalid("the text with a newline", { media: "text", salt, text: `${words}\n`, ref: right }, "Check", "Text"),
    invalid("the text in upper case", { media: "text", salt, text: words.toUpperCase(), ref: right }, "Check", "Text"),
    invalid(
      "composed where it was decomposed",
      { media: "text", salt, text: "é", ref: ref("text", salt, "e\u0301") },
      "Check",
      "Text",
    ),
    invalid(
      "JSON with other white space",
      { media: "json", salt, text: '{"a": 1}', ref: ref("json", salt, '{"a":1}') },
      "Check",
      "Text",
    ),
    invalid("another media", { media: "json", salt, text: words, ref: right }, "Check", "Reference"),
    invalid("a digest without its media", { media: "text", salt, text: words, ref: right.slice(5) }, "Check", "Reference"),
    invalid(
      "a digest in upper case",
      { media: "text", salt, text: words, ref: right.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase()) },
      "Check",
      "Reference",
    ),
    invalid(
      "a digest of the text and then the salt",
      { media: "text", salt, text: words, ref: `text:sha256:${sha256(Buffer.concat([Buffer.from(words), bytes(salt)]))}` },
      "Check",
      "Reference",
    ),
    invalid(
      "a digest over the salt in hex",
      { media: "text", salt, text: words, ref: `text:sha256:${sha256(salt + words)}` },
      "Check",
      "Reference",
    ),
  ],
  run: (input) => check(input as unknown as Input),
};
