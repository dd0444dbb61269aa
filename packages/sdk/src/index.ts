// The public surface of @hap/sdk: two clients, one that asks and one that decides.
export type { AgentClient, AskInput } from "./agent-client.ts";
export { connectAgent } from "./connect-agent.ts";
export type { ConnectOptions } from "./connect-options.ts";
export { connectPerson } from "./connect-person.ts";
export { type Outcome, readOutcome } from "./outcome.ts";
export type { DecideOptions, PersonClient } from "./person-client.ts";
export type {
  AgentQuery,
  EraseResult,
  JoinInput,
  NewMessage,
  PolicyCheck,
  Sent,
  TicketPage,
  TicketQuery,
  Verdict,
  VerifyReport,
  WaitOptions,
} from "./types.ts";
