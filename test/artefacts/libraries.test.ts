// `npm install` of the libraries' tarballs into a stranger's project: ESM, CommonJS and strict TypeScript under every resolution.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { libraries } from "../../scripts/artefacts/published.ts";
import { artefact, emptyPlace, mustRun, npmEnv, run } from "./support.ts";

const bin = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
const place = emptyPlace();
const project = join(place.folder, "project");
const tarball = (name: string) => artefact("npm", `${name.replace("@", "").replace("/", "-")}-0`);
const inProject = { cwd: project, env: place.env };

beforeAll(() => {
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "strangers-project", private: true }));
  const tarballs = libraries.map(({ name }) => tarball(name));
  mustRun("npm", ["install", "--no-audit", "--no-fund", ...tarballs], { cwd: project, env: npmEnv(place) });
});

const WALK = `
const agent = await connectAgent({ agent: "agent:deployer" });
const ticket = await agent.createTicket({ to: "human:alex", kind: "run_command", summary: "Upgrade", details: { command: "npm i pg" } });
const answer = agent.wait(ticket.id);
const alex = await connectPerson({ person: "human:alex" });
await alex.reject(ticket.id, "Not today");
const outcome = await answer;
console.log(outcome.status, "-", outcome.comment);
await Promise.all([agent.close(), alex.close()]);
`;

test("[INSTALL-SDK-1] the SDK's example runs as ESM", () => {
  writeFileSync(join(project, "walk.mjs"), `import { connectAgent, connectPerson } from "@hap/sdk";${WALK}`);
  expect(mustRun("node", ["walk.mjs"], inProject)).toBe("rejected - Not today\n");
});

test("[INSTALL-SDK-1] the SDK's example runs as CommonJS, on the same engine and errors as ESM", () => {
  writeFileSync(
    join(project, "walk.cjs"),
    `const { connectAgent, connectPerson } = require("@hap/sdk");
const { HapError } = require("@hap/protocol");
(async () => {${WALK}
console.log((await import("@hap/protocol")).HapError === HapError);
})();`,
  );
  expect(mustRun("node", ["walk.cjs"], inProject)).toBe("rejected - Not today\ntrue\n");
});

test("[INSTALL-SDK-1] the MCP server starts by its own name and answers a host", () => {
  const hello = {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a host", version: "1" } },
  };
  const server = join(project, "node_modules/.bin/hap-mcp-server");
  const answer = mustRun(server, ["--agent", "agent:reviewer"], { ...inProject, input: `${JSON.stringify(hello)}\n` });
  expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { serverInfo: { name: "hap" } } });
  expect(run(server, ["--agnet", "x"], inProject)).toMatchObject({ status: 2, err: expect.stringContaining("--help") });
  expect(mustRun(server, ["--version"], inProject).trim()).toMatch(/^\d+\.\d+\.\d+/);
});

const RESOLUTIONS = [
  { module: "node16", file: "walk.mts" },
  { module: "nodenext", file: "walk.mts" },
  { module: "node16", file: "walk.cts" },
  { module: "nodenext", file: "walk.cts" },
  { module: "preserve", moduleResolution: "bundler", file: "walk.ts" },
];

test.each(RESOLUTIONS)("[INSTALL-SDK-1] strict TypeScript finds its types: $module, $file", ({ file, ...options }) => {
  const imports = `import { connectAgent, connectPerson, type Outcome } from "@hap/sdk";\nimport { HapEngine } from "@hap/core";\n`;
  const typed = WALK.replace("const outcome =", "const outcome: Outcome =");
  writeFileSync(
    join(project, file),
    `${imports}export async function walk(): Promise<void> {${typed}}\nexport const engine: (path: string) => HapEngine = (dbPath) => new HapEngine({ dbPath });\n`,
  );
  const types = fileURLToPath(new URL("../../node_modules/@types/node", import.meta.url));
  cpSync(types, join(project, "node_modules/@types/node"), { recursive: true });
  cpSync(join(dirname(dirname(types)), "undici-types"), join(project, "node_modules/undici-types"), { recursive: true });
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { ...options, strict: true, noEmit: true, target: "es2024", types: ["node"], skipLibCheck: false },
      files: [file],
    }),
  );
  expect(mustRun(join(bin, "tsc"), ["--project", "."], inProject)).toBe("");
});

test.each(libraries.map(({ name }) => name))("[INSTALL-PACK-1] publint and attw find nothing in %s", (name) => {
  const options = { cwd: place.folder, env: { ...place.env, PATH: `${bin}:${place.env.PATH}` } };
  expect(mustRun("publint", ["--strict", tarball(name)], options)).toContain("All good!");
  mustRun("attw", ["--profile", "node16", tarball(name)], options);
});

test("[INSTALL-PACK-1] a package holds what it runs on, its licence and nothing of the tests", () => {
  for (const { name } of libraries) {
    const files = readdirSync(join(project, "node_modules", name), { recursive: true }).map(String);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/index.mjs", "dist/index.d.mts"]));
    expect(files.filter((file) => /\.test\.|(^|\/)test\//.test(file))).toEqual([]);
  }
});
