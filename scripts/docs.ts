// `npm run docs`: builds the documentation site into dist/hap-docs, where `hap serve` finds it, or into the folder that is named.
import { join, resolve } from "node:path";
import { buildSite } from "./docs/build-site.ts";
import { sdkReference } from "./docs/sdk-reference.ts";
import { root } from "./docs/site-map.ts";

const out = process.argv[2] === undefined ? join(root, "dist", "hap-docs") : resolve(process.argv[2]);
const started = performance.now();
const { pages, bytes, broken } = await buildSite(out, sdkReference);
for (const link of broken) console.error(`Dead link: ${link}`);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`${pages} pages, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s: ${join(out, "index.html")}`);
if (broken.length > 0) process.exit(1);
