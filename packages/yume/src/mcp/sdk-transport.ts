// MCP to a server that lives in the host: JSON-RPC messages travel in `mcp_message` requests of the control protocol.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { ControlChannel } from "../host/control-channel.ts";

export class SdkTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #channel: ControlChannel;
  readonly #server: string;

  constructor(channel: ControlChannel, server: string) {
    this.#channel = channel;
    this.#server = server;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    const asked = "id" in message && "method" in message;
    try {
      const answer = await this.#channel.request({ subtype: "mcp_message", server_name: this.#server, message });
      if (asked && typeof answer.mcp_response === "object" && answer.mcp_response !== null)
        this.onmessage?.(answer.mcp_response as JSONRPCMessage);
    } catch (error) {
      if (!asked) return;
      const words = error instanceof Error ? error.message : String(error);
      this.onmessage?.({ jsonrpc: "2.0", id: message.id, error: { code: -32603, message: words } } as JSONRPCMessage);
    }
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
