// `@hap/sdk/conversation`: what every door needs to hold a conversation between an agent and its person (D26).
export { PAYLOAD_SHAPES, toAsk } from "./payload.ts";
export { type Turn, type TurnInput, takeTurn } from "./take-turn.ts";
export { describeTurn, turnJson, turnText } from "./turn-text.ts";
