// The draft's path of the hook for Claude Code (section 8.2); the program is `hap hook`, and faster as `hap-hook`.
const first = process.argv[2];
process.argv.splice(2, 0, "hook", ...(first === undefined || first.startsWith("-") ? ["claude"] : []));
await import(new URL("../bin/hap.mjs", import.meta.url).href);

export {};
