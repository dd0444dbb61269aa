// The files of an ACP editor: what it shows is newer than the disk, and what it writes it keeps in its history. An editor that cannot, or
// does not know a file, leaves it to the disk.
import { type AgentContext, type ClientCapabilities, methods } from "@agentclientprotocol/sdk";
import type { EditorBuffers } from "../tools/tool.ts";

/** Buffers of an editor, as far as it has them; undefined when it has none. */
export function editorBuffers(
  client: AgentContext,
  sessionId: string,
  fs: ClientCapabilities["fs"] | undefined,
): EditorBuffers | undefined {
  if (fs?.readTextFile !== true && fs?.writeTextFile !== true) return undefined;
  return {
    read: async (path) => {
      if (fs.readTextFile !== true) return null;
      const answer = await client.request(methods.client.fs.readTextFile, { sessionId, path }).catch(() => null);
      return answer === null ? null : answer.content;
    },
    write: async (path, content) => {
      if (fs.writeTextFile !== true) return false;
      return client.request(methods.client.fs.writeTextFile, { sessionId, path, content }).then(
        () => true,
        () => false,
      );
    },
  };
}
