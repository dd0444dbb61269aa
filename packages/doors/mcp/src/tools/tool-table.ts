// Every tool, in the order in which a model reads them.
import { ask } from "./ask.ts";
import { cancelTicket } from "./cancel.ts";
import { createTicket } from "./create-ticket.ts";
import { cuemeCue, cuemePause } from "./cue.ts";
import { cuemeJoin, cuemeRecall } from "./join.ts";
import { ackTicket, approveTicket, rejectTicket } from "./pass-on.ts";
import { getTicket, listPending, requestStatus } from "./read.ts";
import type { Tool } from "./tool.ts";
import { wait } from "./wait.ts";

export const TOOLS: readonly Tool[] = [
  createTicket,
  ask,
  wait,
  requestStatus,
  listPending,
  getTicket,
  cancelTicket,
  approveTicket,
  rejectTicket,
  ackTicket,
  cuemeJoin,
  cuemeRecall,
  cuemeCue,
  cuemePause,
];
