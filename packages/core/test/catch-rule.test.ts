// A command that catches everything would hide `NeedsRead`, and then commit without what it could not read (D39). So a `catch`
// around anything that may read the store throws on what it does not know.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../src");
/** Not run by a command: stores catch the signal themselves, waiters and verification begin outside of any transaction. */
const OUTSIDE = /^(store|waiting|classifier)\/|^log\/verify\.ts$|^transaction\/group-commit\.ts$/;
/** Names by which code of the core holds rows. */
const READS = new Set(["session", "rows", "store", "tx", "engine", "target", "work", "command", "run"]);

/** The lines of a file on which a `catch` swallows what it does not know. */
function swallowing(name: string, text: string): number[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTryStatement(node) && node.catchClause !== undefined) {
      const reads = some(
        node.tryBlock,
        (part) => (ts.isIdentifier(part) || ts.isPrivateIdentifier(part)) && READS.has(part.text.replace("#", "")),
      );
      const rethrows = some(node.catchClause.block, ts.isThrowStatement);
      if (reads && !rethrows) found.push(file.getLineAndCharacterOfPosition(node.catchClause.getStart()).line + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function some(node: ts.Node, wanted: (node: ts.Node) => boolean): boolean {
  return wanted(node) || (ts.forEachChild(node, (child) => some(child, wanted) || undefined) ?? false);
}

it("[ENGINE-AGAIN-2] no code that a command runs swallows an error that it does not know", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const wrong = files
    .filter((name) => !OUTSIDE.test(name))
    .flatMap((name) => swallowing(name, readFileSync(join(SOURCE, name), "utf8")).map((line) => `${name}:${line}`));
  expect(files.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

it("[ENGINE-AGAIN-2] the rule finds a catch that swallows, and allows one that throws on or reads nothing", () => {
  expect(swallowing("a.ts", "try { rows.head(); } catch { }")).toEqual([1]);
  expect(swallowing("a.ts", "try { this.#engine.run(work); } catch (error) { log(error); }")).toEqual([1]);
  expect(swallowing("a.ts", "try { rows.head(); } catch (error) { if (!known(error)) throw error; }")).toEqual([]);
  expect(swallowing("a.ts", "try { JSON.parse(text); } catch { }")).toEqual([]);
});
