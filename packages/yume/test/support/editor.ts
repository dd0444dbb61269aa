// An ACP editor at the other end of an agent's pipes, with the official client library.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type PermissionOption,
  PROTOCOL_VERSION,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { expect } from "vitest";

type Editor = {
  agent: ClientContext;
  updates: SessionUpdate[];
  /** Titles of the calls about which it was asked. */
  asked: string[];
  /** How it answers: with the first option of this kind. */
  choice: PermissionOption["kind"];
};

type AgentProgram = { args: readonly string[]; env: Record<string, string>; cwd: string };

/** Work with an agent in an editor. */
export async function withEditor<T>(
  { args, env, cwd }: AgentProgram,
  choice: PermissionOption["kind"],
  work: (editor: Editor) => Promise<T>,
  /** The one file that it has open. */
  buffer: { text: string } | null = null,
): Promise<T> {
  const child = spawn(process.execPath, args, { env, cwd, stdio: "pipe" });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const told = { updates: [] as SessionUpdate[], asked: [] as string[], choice };
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  try {
    return await client({ name: "editor" })
      .onNotification(methods.client.session.update, ({ params }) => void told.updates.push(params.update))
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        told.asked.push(String(params.toolCall.title));
        const optionId = params.options.find(({ kind }) => kind === told.choice)?.optionId ?? "";
        return { outcome: { outcome: "selected", optionId } };
      })
      .onRequest(methods.client.fs.readTextFile, () => ({ content: buffer?.text ?? "" }))
      .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
        if (buffer !== null) buffer.text = params.content;
        return {};
      })
      .connectWith(stream, async (agent) => {
        const { protocolVersion, agentCapabilities } = await agent.request(methods.agent.initialize, {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: buffer === null ? {} : { fs: { readTextFile: true, writeTextFile: true } },
        });
        expect([protocolVersion, agentCapabilities?.loadSession]).toEqual([PROTOCOL_VERSION, true]);
        return work(Object.assign(told, { agent }));
      });
  } catch (error) {
    console.error(complaints);
    throw error;
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** All that the agent said. */
export const said = (updates: readonly SessionUpdate[]): string =>
  updates
    .flatMap((update) =>
      update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? [update.content.text] : [],
    )
    .join("");

export const textPrompt = (text: string) => [{ type: "text" as const, text }];
