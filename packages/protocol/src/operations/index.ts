// `@hap/protocol/operations`: the whole table, for servers and for what publishes it. Clients load their own half.
export { agentOperations } from "./agent.ts";
export { eitherOperations, LONGEST_WAIT_SECONDS, ticket } from "./either.ts";
export type { InputOf, LooseInputOf, Method, Methods, Operation, Operations, OutputOf, Send } from "./operation.ts";
export { personOperations } from "./person.ts";
export { serverOperations } from "./server.ts";
export { type Shapes, shapes } from "./shapes.ts";
