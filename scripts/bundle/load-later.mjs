// Imports that load at their first use: of other parts, and of those built-in modules that take a millisecond or more.
import { parseAst } from "vite";

const SLOW = [
  "child_process",
  "crypto",
  "dns",
  "fs/promises",
  "http",
  "http2",
  "https",
  "net",
  "readline",
  "stream",
  "tls",
  "zlib",
];

/**
 * Replaces such imports of a module by objects that load on the first read. `define`, for esbuild, turns each imported name into a
 * read of its object: esbuild knows scopes, so a local variable of the same name stays what it is.
 * Parts that are imported only for their effects are left out: our modules have none. Exports become getters of one literal, which
 * also pass on what is imported late; esbuild's own would be defined one by one, twice.
 */
export function loadLater(text) {
  const define = {};
  const exported = [];
  const code = [];
  let end = 0;
  const replace = (node, replacement) => {
    code.push(text.slice(end, node.start), replacement);
    end = node.end;
  };
  for (const node of parseAst(text).body) {
    if (node.type === "ImportDeclaration" && isLate(node.source.value)) {
      const from = node.source.value;
      const name = `__later${node.start}`;
      for (const { type, local, imported } of node.specifiers)
        define[local.name] = `${name}.loaded${property(type, imported, from)}`;
      replace(node, node.specifiers.length === 0 ? "" : later(name, from));
    } else if (node.type === "ExportNamedDeclaration") {
      for (const { local, exported: name } of node.specifiers) exported.push(`get ${name.name}(){return ${local.name}}`);
      replace(node, "");
    } else if (node.type === "ExportDefaultDeclaration") {
      exported.push("get default(){return __default}");
      replace({ start: node.start, end: node.declaration.start }, "const __default=");
    } else if (node.type === "ExportAllDeclaration")
      throw new Error(`A part exports all of ${node.source.value}, which is not handled.`);
  }
  const all = `module.exports={__esModule:true,${exported.join(",")}};`;
  return { text: all + code.join("") + text.slice(end), define };
}

function isLate(from) {
  return from.startsWith("./") || SLOW.includes(from.replace(/^node:/, ""));
}

/** A built-in module is its own default export; a part has a property for it. */
function property(type, imported, from) {
  if (type === "ImportSpecifier") return `.${imported.name}`;
  return type === "ImportDefaultSpecifier" && from.startsWith("./") ? ".default" : "";
}

function later(name, from) {
  const load = `Object.defineProperty(this,"loaded",{value:require(${JSON.stringify(from)})}).loaded`;
  return `const ${name}={get loaded(){return ${load}}};`;
}
