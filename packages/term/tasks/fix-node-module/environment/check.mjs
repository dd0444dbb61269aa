import assert from "node:assert";
import { slug } from "./slug.mjs";

assert.equal(slug("Hello, big World"), "hello-big-world");
assert.equal(slug("-x-"), "x");
console.log("ok");
