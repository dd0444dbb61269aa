// The draft's path of the MCP server (section 14.2); the program is `hap mcp`.
process.argv.splice(2, 0, "mcp");
await import(new URL("../../cli/bin/hap.mjs", import.meta.url).href);

export {};
