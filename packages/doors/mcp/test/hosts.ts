// Hosts of both protocol revisions, each with the SDK that belongs to it, behind one small interface for the tests.
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { later, type McpWorld } from "./world.ts";

/** What a form or a link of the server is answered with. */
export type Elicited = {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
};
export type Asked = { mode?: string; message: string; url?: string; requestedSchema?: { properties: Record<string, unknown> } };
type Progress = { progress: number; message?: string | undefined };

export type HostOptions = {
  /** What the host can show; none by default. */
  elicitation?: { form?: Record<string, never>; url?: Record<string, never> };
  onElicit?: (asked: Asked) => Elicited | Promise<Elicited>;
};

export type Result = {
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
};

type Listed = {
  name: string;
  description?: string | undefined;
  annotations?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
};

export type Host = {
  tools: () => Promise<Listed[]>;
  call: (name: string, input: Record<string, unknown>, onprogress?: (progress: Progress) => void) => Promise<Result>;
  read: (uri: string) => Promise<unknown>;
  resources: () => Promise<string[]>;
  /** Calls back with each resource that changed. */
  subscribe: (uri: string, changed: (uri: string) => void) => Promise<void>;
  close: () => Promise<void>;
};

export type Revision = "2025-11-25" | "2026-07-28";

/** Start `hap mcp` as a host of that revision does. */
export async function connectHost(revision: Revision, world: McpWorld, options: HostOptions = {}): Promise<Host> {
  const host = await (revision === "2025-11-25" ? connectOld(world, options) : connectNew(world, options));
  later(host.close);
  return host;
}

const info = { name: "test-host", version: "1.0.0" };

function capabilities({ elicitation }: HostOptions) {
  return elicitation === undefined ? {} : { elicitation };
}

async function connectOld(world: McpWorld, options: HostOptions): Promise<Host> {
  const client = new OldClient(info, { capabilities: capabilities(options) });
  const { onElicit } = options;
  if (onElicit !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ ...(await onElicit(params as Asked)) }));
  await client.connect(new OldStdio(world.command));
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input, onprogress) =>
      (await client.callTool({ name, arguments: input }, undefined, onprogress === undefined ? {} : { onprogress })) as Result,
    read: async (uri) => textOf(await client.readResource({ uri })),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    subscribe: async (uri, changed) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => changed(params.uri));
      await client.subscribeResource({ uri });
    },
    close: () => client.close(),
  };
}

async function connectNew(world: McpWorld, options: HostOptions): Promise<Host> {
  const client = new NewClient(info, {
    capabilities: capabilities(options),
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  const { onElicit } = options;
  if (onElicit !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => ({ ...(await onElicit(params as Asked)) }));
  await client.connect(new NewStdio(world.command));
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input, onprogress) =>
      (await client.callTool({ name, arguments: input }, onprogress === undefined ? {} : { onprogress })) as Result,
    read: async (uri) => textOf(await client.readResource({ uri })),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    subscribe: async (uri, changed) => {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => changed(params.uri));
      await client.listen({ resourceSubscriptions: [uri] });
    },
    close: () => client.close(),
  };
}

function textOf({ contents }: { contents: unknown[] }): unknown {
  return JSON.parse((contents[0] as { text: string }).text);
}
