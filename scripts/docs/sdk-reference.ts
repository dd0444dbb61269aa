// The SDK reference, from the types of @hap/sdk: every export with its declaration and its comment. What a client inherits from the
// table of operations is listed with the operation's own summary.
import { join } from "node:path";
import ts from "typescript";
import { agentOperations } from "../../packages/protocol/src/operations/agent.ts";
import { personOperations } from "../../packages/protocol/src/operations/person.ts";
import { escapeHtml, proseHtml } from "../../packages/server/src/docs/schema-html.ts";
import { codeHtml, type Part, type Rendered } from "./render-markdown.ts";
import { root } from "./site-map.ts";

/** A type written out in full, and its name. */
type Expanded = readonly [text: string, name: string];
type Exported = { name: string; symbol: ts.Symbol; declaration: ts.Declaration };
type Group = { title: string; about: string; has: (declaration: ts.Declaration) => boolean };

const GROUPS: readonly Group[] = [
  {
    title: "Functions",
    about: "What a program calls first.",
    has: (node) => ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node),
  },
  {
    title: "Clients",
    about: "What the two connections can do.",
    has: (node) => ts.isInterfaceDeclaration(node) && node.name.text.endsWith("Client"),
  },
  { title: "Types", about: "What goes in and what comes back.", has: () => true },
];

const summaries = new Map(
  [...Object.entries(agentOperations), ...Object.entries(personOperations)].map(([name, { summary }]) => [name, summary]),
);

export async function sdkReference(): Promise<Rendered> {
  const { checker, exported, protocol } = readExports(
    join(root, "packages/sdk/src/index.ts"),
    join(root, "packages/protocol/src/index.ts"),
  );
  const expanded = namedTypes([...exported, ...protocol], checker);
  const names = new Set(exported.map(({ name }) => name));
  const link = (word: string) => (names.has(word) ? `#${word.toLowerCase()}` : null);
  const parts: Part[] = [{ id: "", depth: 1, title: "SDK reference", text: "Every export of @hap/sdk" }];
  let html = `<h1>SDK reference</h1>
<p>Every export of <code>@hap/sdk</code>, from its types. <code>@hap/sdk/agent</code> has the agent's half alone, for programs in which
nothing must be able to decide; <code>@hap/sdk/person</code> has the person's. <a href="sdk.html">The guide</a> shows how they are used.</p>`;
  const left = new Set(exported);
  for (const { title, about, has } of GROUPS) {
    const members = [...left].filter(({ declaration }) => has(declaration));
    for (const member of members) left.delete(member);
    const id = title.toLowerCase();
    html += `<h2 id="${id}">${title}</h2><p>${about}</p>`;
    parts.push({ id, depth: 2, title, text: about });
    for (const { name, symbol, declaration } of members) {
      const words = commentOf(symbol, checker);
      parts.push({ id: name.toLowerCase(), depth: 3, title: name, text: `${words} ${declaration.getText()}`.slice(0, 2000) });
      html += `<section id="${name.toLowerCase()}"><h3>${escapeHtml(name)}</h3>${words === "" ? "" : `<p>${proseHtml(words)}</p>`}`;
      html += isClient(declaration)
        ? await clientHtml(declaration, checker, expanded, link)
        : `<pre><code>${await codeHtml(signatureOf(declaration), "ts", (word) => (word === name ? null : link(word)))}</code></pre>`;
      html += "</section>";
    }
  }
  return { html, parts };
}

function readExports(...files: [sdk: string, protocol: string]) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const [exported = [], protocol = []] = files.map((file) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile) as ts.Symbol;
    return checker.getExportsOfModule(module).flatMap((found): Exported[] => {
      const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
      const declaration = symbol.declarations?.[0];
      return declaration === undefined ? [] : [{ name: found.name, symbol, declaration }];
    });
  });
  return { checker, exported, protocol };
}

const FULL = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** Types of operations are derived from schemas and have lost their names: these give them back. Longest first. */
function namedTypes(all: readonly Exported[], checker: ts.TypeChecker): Expanded[] {
  return all
    .filter(({ declaration }) => ts.isTypeAliasDeclaration(declaration) && declaration.typeParameters === undefined)
    .map(({ name, symbol }): Expanded => {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      return [checker.typeToString(type, undefined, FULL | ts.TypeFormatFlags.InTypeAlias), name];
    })
    .filter(([text]) => text.startsWith("{") && text.length > 40)
    .sort(([a], [b]) => b.length - a.length);
}

const isClient = (node: ts.Declaration): node is ts.InterfaceDeclaration =>
  ts.isInterfaceDeclaration(node) && node.name.text.endsWith("Client");

const commentOf = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker));

/** A declaration without its body and its initial value. */
function signatureOf(node: ts.Declaration): string {
  const text = node.getText();
  const body = ts.isFunctionDeclaration(node) ? node.body : undefined;
  return body === undefined ? text : text.slice(0, body.getStart() - node.getStart()).trim();
}

async function clientHtml(
  node: ts.InterfaceDeclaration,
  checker: ts.TypeChecker,
  expanded: readonly Expanded[],
  link: (word: string) => string | null,
): Promise<string> {
  const type = checker.getTypeAtLocation(node);
  const own = new Set(node.members.flatMap(({ name }) => (name === undefined ? [] : [name.getText()])));
  const members = checker.getPropertiesOfType(type).sort((a, b) => a.name.localeCompare(b.name));
  const shown = members.map(async (member) => {
    const declared = own.has(member.name) ? member.declarations?.[0] : undefined;
    const typed = declared === undefined ? checker.typeToString(checker.getTypeOfSymbolAtLocation(member, node), node, FULL) : "";
    const named = expanded.reduce((text, [full, name]) => text.replaceAll(full, name), typed);
    const text = declared?.getText() ?? `${member.name}: ${named};`;
    const words = commentOf(member, checker) || summaries.get(member.name) || "";
    const short = text.length > 1200 ? `${text.slice(0, 1200)} …` : text;
    return `<div class="member"><pre><code>${await codeHtml(short, "ts", link)}</code></pre>${words === "" ? "" : `<p>${proseHtml(words)}</p>`}</div>`;
  });
  return (await Promise.all(shown)).join("\n");
}
