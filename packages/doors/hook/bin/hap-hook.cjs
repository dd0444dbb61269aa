#!/usr/bin/env node
// The `hap-hook` command, which hosts start at every call of a tool. It runs the bundle as it is, without a look at the sources,
// which would be paid for every time. Whatever keeps it from starting exits 2: that closes the gate.
"use strict";

function closed(error) {
  console.error(`hap-hook: it cannot start, so the gate stays closed: ${error?.message ?? error}`);
  process.exit(2);
}

if (Number(process.versions.node.split(".")[0]) < 24) {
  console.error(`hap-hook: Node 24 or newer is needed; this is ${process.version}. Run \`hap init\` again with a current Node.`);
  process.exit(2);
}
// Compiled code is kept beside the bundle, so that whoever can write it can write the bundle, too; where it cannot be written, Node
// compiles as usual. HAP's own files guard it: see `own` in run-hook.ts.
try {
  require("node:module").enableCompileCache?.(require("node:path").join(__dirname, "..", "dist", "compile-cache"));
  require("../dist/main.cjs");
} catch (error) {
  if (error?.code === "MODULE_NOT_FOUND") import("../src/main.ts").catch(closed);
  else closed(error);
}
