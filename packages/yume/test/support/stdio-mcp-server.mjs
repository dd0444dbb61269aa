// An MCP server on standard input and output for tests: `say` answers with its process id, `die` ends it.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "near", version: "1.0.0" });
server.registerTool("say", { description: "Says who it is" }, async () => ({
  content: [{ type: "text", text: `pid ${process.pid}` }],
}));
server.registerTool("die", { description: "Ends the server" }, () => process.exit(1));
await server.connect(new StdioServerTransport());
