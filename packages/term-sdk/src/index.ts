// The package's public surface: what an agent needs, and nothing of the harness.
export { parseRequest, RequestError } from "./parse-request.ts";
export { Request } from "./request.ts";
export { Response } from "./response.ts";
export { type Agent, log, run } from "./run.ts";
export type { Keys, Screen, Usage } from "./screen.ts";
