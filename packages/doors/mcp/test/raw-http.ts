// Bare JSON-RPC of revision 2026-07-28 over HTTP, for what an SDK client would hide: seals, tasks, headers.
type RawResult = Record<string, unknown> & { resultType?: string };
type Reply = { status: number; result?: RawResult; error?: { code: number; message: string; data?: unknown } };

let ids = 0;

/** One request; `capabilities` are the client's, `key` says which agent calls. */
export async function request(
  url: string,
  method: string,
  params: Record<string, unknown>,
  { capabilities = {}, key = "ci" }: { capabilities?: object; key?: string } = {},
): Promise<Reply> {
  const name = params.name ?? params.uri ?? params.taskId;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${key}`,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: ++ids,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": capabilities,
        },
      },
    }),
  });
  const text = await response.text();
  const data = response.headers.get("content-type")?.includes("event-stream") ? text.split("data: ").at(-1) : text;
  return { status: response.status, ...JSON.parse(data ?? "{}") };
}

/** Call a tool. */
export function call(url: string, name: string, input: object, options: Parameters<typeof request>[3] = {}, more: object = {}) {
  return request(url, "tools/call", { name, arguments: input, ...more }, options);
}
