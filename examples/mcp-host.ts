// A host program that starts `hap mcp`, opens a ticket through it and waits, as a model's host does.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

type Result = { status: string; words: string; ticket_id: string };

const client = new Client({ name: "example-host", version: "1.0.0" });
const env = process.env as Record<string, string>;
await client.connect(new StdioClientTransport({ command: "hap", args: ["mcp", "--agent", "agent:example-host"], env }));

async function call(name: string, args: Record<string, unknown>): Promise<Result> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
  if (isError === true) throw new Error(JSON.stringify(content));
  return structuredContent as Result;
}

const { ticket_id } = await call("hap_create_ticket", {
  kind: "run_command",
  summary: "Reindex the search",
  details: { command: "make reindex" },
});
console.log("waiting:", ticket_id);

let result: Result;
do
  result = await call("hap_wait", { ticket_id }); // at most 50 seconds a call
while (result.status === "open");
console.log(result.status);
console.log(result.words);
await client.close();
