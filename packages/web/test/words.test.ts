// Every word of the page comes from the catalogue: none stands in the sources, and none escapes a language in disguise.
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import ts from "typescript";
import { expect, test } from "vitest";
import { en } from "../src/words/en.ts";
import { disguise } from "../src/words/pseudo.ts";
import { readToEnd, useWorld } from "./page.ts";
import { command, question, smallChange } from "./tickets.ts";

const sources = fileURLToPath(new URL("../src", import.meta.url));
const spoken = ["title", "about", "label", "placeholder", "alt", "aria-label", "what", "action"];

/** Text between tags, and texts of attributes that people see or hear, written where they are used. */
function literals(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const tag = ts.isJsxElement(node) ? node.openingElement.tagName.getText(source) : null;
    // Keys and commands are the same in every language.
    if (tag === "kbd" || tag === "code") return;
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) found.push(node.text.trim());
    if (ts.isJsxAttribute(node) && spoken.includes(node.name.getText(source)) && node.initializer !== undefined)
      if (ts.isStringLiteral(node.initializer)) found.push(node.initializer.text);
    if (ts.isStringLiteral(node) && ts.isJsxExpression(node.parent) && /\p{L}/u.test(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((text) => `${file.slice(sources.length + 1)}: ${text}`);
}

test("[WEB-WORDS-1] no component holds words of its own, and every message is used", () => {
  const files = globSync("**/*.tsx", { cwd: sources }).map((name) => `${sources}/${name}`);
  expect(files.length).toBeGreaterThan(30);
  expect(files.flatMap(literals)).toEqual([]);
  const code = globSync("**/*.{ts,tsx}", { cwd: sources, exclude: ["words/en*.ts"] })
    .map((name) => readFileSync(`${sources}/${name}`, "utf8"))
    .join("\n");
  // A key may end in a part that is known when the page runs: inbox.batch.${decision}Done.
  const patterns = [...code.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z0-9]+)*\.[^`\n]*\$\{[^`\n]*)`/g)].map(
    ([, text = ""]) => new RegExp(`^${text.replaceAll(/\$\{[^}]*\}/g, "\\w+").replaceAll(".", "\\.")}$`),
  );
  const unused = Object.keys(en).filter((key) => !code.includes(`"${key}"`) && !patterns.some((pattern) => pattern.test(key)));
  expect(unused).toEqual([]);
});

test("[WEB-WORDS-1] a message in disguise keeps its names and no plain letter", () => {
  expect(disguise("Ticket {code} waits")).toBe("⟦Ţîçķéţ {code} ŵåîţš⟧");
});

/** What a page shows or says that is neither from the catalogue nor marked as somebody else's words. */
async function escaped(page: Page): Promise<string[]> {
  return page.evaluate(
    (attributes) => {
      const copy = document.body.cloneNode(true) as HTMLElement;
      for (const other of copy.querySelectorAll('[translate="no"], code, kbd, pre, time, script, noscript, svg')) other.remove();
      // Messages may hold messages: the innermost are taken out first.
      const rest = (text: string) => {
        let [before, after] = ["", text];
        while (before !== after) [before, after] = [after, after.replaceAll(/⟦[^⟦⟧]*⟧/g, " ")];
        return after;
      };
      for (const block of copy.querySelectorAll("p, li, button, label, h1, h2, dt, dd, option, legend, th, td, a, div"))
        block.append("\n");
      const texts = rest(copy.textContent ?? "").split("\n");
      const said = [...copy.querySelectorAll("*")].flatMap((element) =>
        attributes.map((name) => rest(element.getAttribute(name) ?? "")),
      );
      return [...new Set([...texts, ...said].map((text) => text.trim()).filter((text) => /[A-Za-z]{2}/.test(text)))];
    },
    ["aria-label", "title", "placeholder", "alt"],
  );
}

test("[WEB-WORDS-1] in a language in disguise nothing plain is left on any page", async () => {
  const { engine, open, url } = await newWorld();
  engine.joinAgent({ agent_runtime: "claude_code", project_dir: "/src/app" });
  question(engine, { type: "choice", prompt: "12?", options: [{ key: "1", label: "1" }] }, { summary: "?" });
  const { id } = smallChange(engine, "#1");
  const critical = command(engine, "sudo reboot").id;
  engine.reject(command(engine, "ls").id, "no", { by: "human:alex" });
  const page = await open("/?lang=pseudo");
  const at = async (path: string, ready: string) => {
    await page.goto(`${url}${path}?lang=pseudo`);
    await page.waitForSelector(ready);
  };
  const found: Record<string, string[]> = {};
  const look = async (name: string) => {
    const left = await escaped(page);
    if (left.length > 0) found[name] = left;
  };
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("en-XA");
  await at("/", ".row");
  await page.locator(".filter-toggle, [aria-controls=filters]").first().click();
  await look("inbox");
  await page.keyboard.press("?");
  await look("keys");
  await at(`/tickets/${id}`, ".decide-bar");
  await page.waitForSelector(".diff-file");
  await readToEnd(page);
  await look("ticket");
  await page.keyboard.press("r");
  await page.waitForSelector("dialog");
  await look("reject");
  await at(`/tickets/${critical}`, ".decide-bar");
  await page.keyboard.press("s");
  await page.waitForSelector("dialog");
  await look("snooze");
  await at("/conversations", ".page-title, h1");
  await look("conversations");
  await at("/insights", ".facts");
  await look("insights");
  await at("/settings", ".thing");
  await look("settings");
  await page.context().clearCookies();
  await at("/", ".sign-in-card");
  await look("sign-in");
  expect(found).toEqual({});
});

const newWorld = useWorld();
