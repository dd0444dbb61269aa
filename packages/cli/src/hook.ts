// The draft's path of the hook for Claude Code (section 8.2); the program is `hap hook`, and faster as `hap-hook`.
process.argv.splice(2, 0, "hook", ...(process.argv[2] === "codex" || process.argv[2] === "claude" ? [] : ["claude"]));
await import(new URL("../bin/hap.mjs", import.meta.url).href);

export {};
