// One engine for both protocol revisions: the SDK's server with our tools, resources and tasks behind it. Nothing is decided here.
import { type HapError, isHapError, parseWith } from "@hap/protocol";
import type { toJsonSchema } from "@hap/protocol/json-schema";
import {
  type CallToolResult,
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool as WireTool,
} from "@modelcontextprotocol/server";
import packageJson from "../package.json" with { type: "json" };
import { clientPowers, TASKS_EXTENSION } from "./client-powers.ts";
import type { Face } from "./face.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { RESOURCES, readResource, TEMPLATES } from "./resources.ts";
import { serveTasks } from "./tasks.ts";
import type { RoundState, Tool, ToolResult } from "./tools/tool.ts";

/** Where a failed call's error is, as data: its code, kind, message and fields. */
const ERROR_META_KEY = "hap/error";

/** How long somebody may look at a form before its seal is no longer taken. */
const STATE_TTL_SECONDS = 3600;

/** A server for one connection, or for one request. */
export function makeServer(face: Face): Server {
  const states = createRequestStateCodec<RoundState>({
    key: face.stateKey,
    ttlSeconds: STATE_TTL_SECONDS,
    bind: (ctx) => ctx.http?.authInfo?.clientId ?? "",
  });
  const server = new Server(
    { name: "hap", title: "HAP: people decide", version: packageJson.version },
    {
      capabilities: {
        tools: {},
        resources: face.subscriptions ? { subscribe: true } : {},
        extensions: { [TASKS_EXTENSION]: {} },
      },
      instructions: INSTRUCTIONS,
      requestState: { verify: states.verify },
      // What a host of before is asked in mid-call is asked by us, within our own limit.
      inputRequired: { legacyShim: false },
    },
  );
  server.setRequestHandler("tools/list", async () => {
    const [tools, { toJsonSchema }] = await Promise.all([loadTools(), import("@hap/protocol/json-schema")]);
    return { tools: tools.map((tool) => describeTool(tool, toJsonSchema)) };
  });
  server.setRequestHandler("tools/call", ({ params }, ctx) =>
    callTool(server, face, states.mint, params.name, params.arguments ?? {}, ctx),
  );
  server.setRequestHandler("resources/list", () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler("resources/read", ({ params }) =>
    asProtocolErrors(async () => readResource(await face.client(), params.uri)),
  );
  serveTasks(server, face, asProtocolErrors);
  return server;
}

/** Loaded when they are first asked for: a host that only says hello does not wait for them. */
async function loadTools(): Promise<readonly Tool[]> {
  return (await import("./tools/tool-table.ts")).TOOLS;
}

function describeTool(tool: Tool, toSchema: typeof toJsonSchema): WireTool {
  const { name, title, description, annotations, forPerson, input, output } = tool;
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: toSchema(input, "input") as WireTool["inputSchema"],
    outputSchema: toSchema(output, "output") as NonNullable<WireTool["outputSchema"]>,
    ...(forPerson ? { _meta: { "anthropic/requiresUserInteraction": true } } : {}),
  };
}

async function callTool(
  server: Server,
  face: Face,
  mint: (state: RoundState, ctx: ServerContext) => Promise<string>,
  name: string,
  given: Record<string, unknown>,
  ctx: ServerContext,
): Promise<ToolResult> {
  const tools = await loadTools();
  const called = tools.find((tool) => tool.name === name);
  if (called === undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool ${name}; there are ${tools.map((tool) => tool.name).join(", ")}.`,
    );
  try {
    const input = parseWith(called.input, given, `The input of ${name}`);
    const result = await called.run(input, {
      face,
      client: await face.client(),
      powers: clientPowers(server, ctx),
      ctx,
      state: ctx.mcpReq.requestState<RoundState>() ?? null,
      seal: (state) => mint(state, ctx),
    });
    return nameIgnored(result, name, ignoredFields(called, given));
  } catch (error) {
    if (ctx.mcpReq.signal.aborted || !isHapError(error)) throw error;
    return failure(error);
  }
}

/**
 * A failure that the model can read and react to; it is a result, not a protocol error. It has no structured content: that must
 * fit the tool's output schema, and clients of SDK 1.x throw away a result that does not. The error's data is in `_meta`.
 */
function failure(error: HapError): CallToolResult {
  const text = `${error.message} (${error.code})`;
  return { content: [{ type: "text", text }], isError: true, _meta: { [ERROR_META_KEY]: error.toJSON() } };
}

/** Fields that the tool does not know. They are ignored (draft 20.2), and the model is told, since it may have misspelt one. */
function ignoredFields({ input }: Tool, given: Record<string, unknown>): string[] {
  const known = (input as { shape?: Record<string, unknown> }).shape ?? given;
  return Object.keys(given).filter((field) => !Object.hasOwn(known, field));
}

function nameIgnored(result: ToolResult, name: string, ignored: readonly string[]): ToolResult {
  if (ignored.length === 0 || !("content" in result) || !Array.isArray(result.content)) return result;
  const text = `Ignored, because ${name} has no such field: ${ignored.join(", ")}.`;
  return { ...result, content: [...result.content, { type: "text", text }] } as ToolResult;
}

/** Expected failures where only a protocol error can tell them. */
async function asProtocolErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isHapError(error)) throw error;
    const own = error.kind === "invalid" || error.kind === "missing";
    throw new ProtocolError(
      own ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
      error.message,
      error.toJSON(),
    );
  }
}
