// Both clients on an engine that the caller has opened, and the handlers that they share with a server (D2).

export { embeddedAgent } from "./agent.ts";
export { type AgentCaller, assertMayRead, type Caller, type PersonCaller } from "./caller.ts";
export { agentHandlers } from "./handlers/agent.ts";
export { eitherHandlers } from "./handlers/either.ts";
export type { Handler, Handlers } from "./handlers/handlers.ts";
export { personHandlers } from "./handlers/person.ts";
export { embeddedPerson } from "./person.ts";
