// The package's public surface: the codec of the envelope. The command is bin/cueme.mjs.
export { parseEnvelope } from "./envelope.ts";
export { PAYLOAD_SHAPES, toAsk } from "@hap/sdk/conversation";
