// The published `@hap/mcp-server`: the MCP server over standard input and output, and as a Web-standard HTTP handler.
export { createMcpHttpHandler, type McpHttpCall, type McpHttpOptions } from "./http.ts";
export { DEFAULT_AGENT, type McpProgram, serveEnvironment } from "./serve-environment.ts";
export { type StdioOptions, serveMcpStdio } from "./stdio.ts";
