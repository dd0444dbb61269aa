import { expect, test } from "vitest";
import { readMarkdown } from "./markdown.ts";

test("[MARKDOWN-TABLE-1] a table is read into cells, short rows are filled, and bars behind a backslash are text", () => {
  const [table] = readMarkdown("| Plan | Cost |\n|---|:--:|\n| `a\\|b` | 3 |\n| only |\n");
  expect(table).toEqual({
    type: "table",
    head: [[{ type: "text", text: "Plan" }], [{ type: "text", text: "Cost" }]],
    rows: [
      [[{ type: "code", text: "a|b" }], [{ type: "text", text: "3" }]],
      [[{ type: "text", text: "only" }], []],
    ],
  });
  expect(readMarkdown("a | b\nnot dashes")[0]?.type).toBe("paragraph");
});

test.each([
  ["![a](data:image/png;base64,iVBORw0KGgo=)", true],
  ["![a](https://example.org/a.png)", false],
  ["![a](data:image/svg+xml;base64,PHN2Zz4=)", false],
  ["![a](data:text/html;base64,PGI+)", false],
  ["![a](javascript:alert)", false],
])("[MARKDOWN-TABLE-1] %s is drawn: %s", (text, drawn) => {
  expect(readMarkdown(text)[0]).toMatchObject({ inline: [{ type: "image", text: "a", drawn }] });
});

test("[MARKDOWN-TABLE-1] code with backticks and links are read as before", () => {
  expect(readMarkdown("See [x](y)")[0]).toMatchObject({ inline: [{ type: "text" }, { type: "link", text: "x", href: "y" }] });
  expect(readMarkdown("`a` **b** *c*")[0]).toMatchObject({
    inline: [
      { type: "code", text: "a" },
      { type: "text" },
      { type: "strong", text: "b" },
      { type: "text" },
      { type: "emphasis" },
    ],
  });
});

test.each<[string, string[]]>([
  ["Ask human:sam.", ["human:sam"]],
  ["(@human:sam-2, agent:ci.eu)", ["human:sam-2", "agent:ci.eu"]],
  ["superhuman:sam, https://x.org/agent:ci, human:sam@x.org, human:sam:2", []],
  // A look-alike letter makes it another name: it stays text.
  ["human:s\u0430m", []],
  ["`human:sam`", []],
])("[WEB-MENTION-1] ids in %j are %j", (text, expected) => {
  const [block] = readMarkdown(text);
  if (block?.type !== "paragraph") throw new Error("no paragraph");
  expect(block.inline.flatMap((part) => (part.type === "mention" ? [part.text] : []))).toEqual(expected);
  expect(block.inline.map((part) => part.text).join("")).toBe(text.replaceAll("@h", "h").replaceAll("`", ""));
});
