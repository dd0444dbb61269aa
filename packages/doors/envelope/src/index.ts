// The public surface: a codec for human.question envelopes, pure and streaming. The bridge is in ./bridge.
export { type Dialect, type HumanQuestion, readQuestion } from "./read-question.ts";
export { BRIDGE_RULES } from "./rules-text.ts";
export { EnvelopeScanner, type Found, SCAN_LIMIT } from "./scanner.ts";
export {
  errorSchema,
  normativeQuestionSchema,
  plainQuestionSchema,
  responseSchema,
} from "./schema.ts";
export { type StrictErrorCode, type StrictProblem, strictProblem, strictQuestionSchema } from "./strict.ts";
export { type BridgeErrorCode, type Stamp, writeError, writeRefusal, writeResponse } from "./write-reply.ts";
