// The package's public surface: the codec of the envelope. The command is bin/cueme.mjs.

export { PAYLOAD_SHAPES, toAsk } from "@hap/sdk/conversation";
export { parseEnvelope } from "./envelope.ts";
