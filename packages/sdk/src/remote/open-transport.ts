// From the options, or the environment, to a way to the server.
import { NodeTransport } from "./node-transport.ts";

/** Where to, and with what; left out, HAP_URL, HAP_API_KEY, HAP_CA_FILE and HAP_PIN_SHA256 say so. */
export type RemoteOptions = {
  url: string;
  apiKey?: string | undefined;
  token?: string | undefined;
  caFile?: string | undefined;
  pin?: string | undefined;
};

/** A way to the server with a token, or with none. */
export function openTransport(options: RemoteOptions, token: string | null, headers: Record<string, string> = {}): NodeTransport {
  const { HAP_CA_FILE, HAP_PIN_SHA256 } = process.env;
  return new NodeTransport({
    url: options.url,
    token,
    caFile: options.caFile ?? (HAP_CA_FILE || undefined),
    pin: options.pin ?? (HAP_PIN_SHA256 || undefined),
    headers,
  });
}
