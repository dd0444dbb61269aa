// The arrows between the rooms of the house (docs/architecture.md). What is not allowed here is an error.

/** Package folder -> what it may import of ours, and what it may import lazily (`import()`) only. */
const arrows = {
  protocol: { imports: [], lazily: [] },
  shell: { imports: ["protocol"], lazily: [] },
  sandbox: { imports: ["shell"], lazily: [] },
  core: { imports: ["protocol", "shell"], lazily: [] },
  sdk: { imports: ["protocol"], lazily: ["core"] },
  server: { imports: ["protocol", "core", "sdk"], lazily: ["doors/mcp"] },
  web: { imports: ["protocol", "sdk"], lazily: [] },
  cli: {
    imports: ["protocol", "sdk"],
    lazily: ["doors/envelope", "doors/exec", "doors/github", "doors/hook", "doors/mcp", "sandbox", "server"],
  },
  "doors/cueme": { imports: ["protocol", "sdk"], lazily: [] },
  "doors/envelope": { imports: ["protocol", "sdk"], lazily: [] },
  "doors/exec": { imports: ["protocol", "sandbox", "sdk"], lazily: [] },
  "doors/github": { imports: ["protocol", "sdk"], lazily: [] },
  "doors/hook": { imports: ["protocol", "sandbox", "sdk", "shell"], lazily: [] },
  "doors/mcp": { imports: ["protocol", "sdk"], lazily: [] },
  "term-sdk": { imports: [], lazily: [] },
  term: { imports: ["protocol", "sandbox", "sdk", "shell"], lazily: [] },
  yume: { imports: ["protocol", "sandbox", "sdk", "shell"], lazily: [] },
};

const own = Object.keys(arrows);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...own.flatMap((name) => {
      const { imports, lazily } = arrows[name];
      const others = own.filter((other) => other !== name && !imports.includes(other) && !lazily.includes(other));
      return [
        {
          name: `${name}-arrows`,
          comment: `packages/${name} may import only: ${[...imports, ...lazily.map((other) => `${other} (lazily)`)].join(", ") || "nothing of ours"}`,
          severity: "error",
          from: { path: `^packages/${name}/src`, pathNot: "\\.test\\.ts$" },
          to: { path: `^packages/(${others.join("|")})/` },
        },
        ...lazily.map((other) => ({
          name: `${name}-loads-${other}-lazily`,
          comment: `packages/${name} loads ${other} by import(), or for its types only`,
          severity: "error",
          from: { path: `^packages/${name}/src`, pathNot: `^packages/${name}/src/embedded/|\\.test\\.ts$` },
          to: { path: `^packages/${other}/`, dynamic: false, dependencyTypesNot: ["type-only"] },
        })),
      ];
    }),
    {
      name: "doors-arrows",
      comment: "packages/doors itself hands on what its doors offer to other programs, and holds nothing",
      severity: "error",
      from: { path: "^packages/doors/src" },
      to: { path: "^packages/", pathNot: "^packages/doors/envelope/" },
    },
    {
      name: "protocol-and-shell-are-paper",
      comment: "The protocol and the shell dictionary touch no clock, disk, network or process: no Node module at all",
      severity: "error",
      // `@hap/shell/disk` is handed to the dictionary by whoever holds a disk.
      from: { path: "^packages/(protocol|shell)/src", pathNot: "\\.test\\.ts$|^packages/shell/src/node-disk\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "agents-cannot-decide",
      comment: "Doors and the agents that we run import only @hap/sdk/agent (D2)",
      severity: "error",
      // Their tests play the person, too.
      from: { path: "^packages/(doors|yume|term)/", pathNot: "^packages/(doors/)?[^/]+/test/" },
      to: {
        path: "^packages/(sdk/src/(index|connect-person|person-client|embedded/(index|person|handlers/(person|decisions))|remote/(person|connect-person))|protocol/src/operations/(index|person|person/.*|server))\\.ts$",
      },
    },
    {
      name: "desktop-arrows",
      comment: "apps/desktop brings the page and its way to the engine; it knows no engine itself",
      severity: "error",
      from: { path: "^apps/desktop/ui/" },
      to: { path: "^packages/", pathNot: "^packages/(web/src/start\\.tsx|web/src/style/|sdk/src/page\\.ts|protocol/)" },
    },
    {
      name: "no-cycles",
      comment: "Modules that need each other are one module",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only", "dynamic-import"] } },
    },
    {
      name: "no-orphans-from-outside",
      comment: "Everything that is imported exists",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|node_modules|target)/|^packages/term/tasks/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
      extensions: [".ts", ".mjs", ".js", ".json"],
    },
  },
};
