// Both clients on an engine that the caller has opened: a server serves exactly these (D2).
export { EmbeddedAgent } from "./agent.ts";
export { EmbeddedPerson } from "./person.ts";
