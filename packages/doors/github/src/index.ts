// Pull requests as tickets: the adapter, its webhook receiver, and one event at a time for a workflow's step.
export { GitHubApi } from "./github-api.ts";
export { PullAdapter, type PullOptions } from "./pull-adapter.ts";
export { readPullEvent } from "./pull-event.ts";
export type { ReportWay } from "./report.ts";
export { serveWebhook } from "./webhook-server.ts";
