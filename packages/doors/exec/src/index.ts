// Execution of exactly what was approved: an agent's door, so that a check keeps every call that decides out of it (D2).
export { applyTicket } from "./apply/apply-ticket.ts";
export { keepConfinedSession, runConfinedCommand } from "./confined/run-confined-command.ts";
export type { EnvironmentRequest } from "./environment.ts";
export { type ExecRequest, execCommand } from "./exec-command.ts";
export { findUnused, type Unused } from "./find-unused.ts";
export type { Done } from "./gate.ts";
export { runTicket } from "./run-ticket.ts";
