// The bridge: an agent that prints envelopes on one side, a person's inbox on the other.
export { type BridgeOptions, runBridge } from "./run-command.ts";
export { runFolder } from "./run-folder.ts";
