import type { Ticket } from "@hap/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findAlike, normaliseCommand } from "./alike.ts";
import { readMarkdown } from "./markdown.ts";
import { markText } from "./marked-text.ts";

test("[WEB-PARTS-1] marked pieces leave nothing out: plain ones are the text, hidden ones its codes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      const shown = markText(text)
        .map((piece) =>
          piece.kind === "hidden" ? String.fromCodePoint(Number.parseInt(piece.text.slice(3, -1), 16)) : piece.text,
        )
        .join("");
      expect(shown).toBe(text.toWellFormed());
    }),
  );
  expect(markText("see pаypal\u202e now")).toEqual([
    { kind: "plain", text: "see " },
    { kind: "alike", text: "pаypal" },
    { kind: "hidden", text: "<U+202E>" },
    { kind: "plain", text: " now" },
  ]);
});

test("[WEB-PARTS-1] Markdown is read into data and drops no letter", () => {
  const text =
    "# Head\n\nSome **bold** and `code`, [words](https://x.example).\n\n- one\n- two\n\n1. first\n\n> quoted\n\n```ts\nlet a = 1;\n```\n\n---\n<script>alert(1)</script>";
  expect(readMarkdown(text).map(({ type }) => type)).toEqual([
    "heading",
    "paragraph",
    "list",
    "list",
    "quote",
    "code",
    "rule",
    "paragraph",
  ]);
  const letters = (value: unknown): string => JSON.stringify(value).replaceAll(/[^A-Za-z0-9]/g, "");
  for (const word of [
    "Head",
    "bold",
    "code",
    "words",
    "https://x.example",
    "one",
    "two",
    "first",
    "quoted",
    "let a = 1;",
    "alert(1)",
  ])
    expect(letters(readMarkdown(text))).toContain(word.replaceAll(/[^A-Za-z0-9]/g, ""));
});

test("[WEB-PARTS-1] alike tickets are found by their command, whatever numbers it holds", () => {
  expect(normaliseCommand('git commit -m "x y" 1234')).toEqual(["git", "commit", "-m", "…", "#"]);
  const ticket = (id: string, command: string) =>
    ({
      id,
      seq: 1,
      artifact: { bytes_hash: id },
      intent: { summary: "", details: { command } },
      resolution: {},
    }) as unknown as Ticket;
  const found = findAlike(ticket("new", "npm run build 2"), [ticket("near", "npm run build 1"), ticket("far", "rm -rf x")]);
  expect(found.map(({ ticket: { id }, by }) => [id, by])).toEqual([["near", "the same command but for numbers and names"]]);
});
