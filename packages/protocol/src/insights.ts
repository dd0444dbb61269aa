// The draft's dashboard (13.4) in numbers, as the runtime counts them and every face shows them.
import type { Priority } from "./constants.ts";
import type { ErrorCode } from "./errors.ts";

/** What happened since a moment. */
export type Insights = {
  since: string;
  /** Tickets that were looked at; `complete` is false when there were more. */
  tickets: number;
  complete: boolean;
  open: number;
  /** From being shown to a person's decision, in seconds; null where nobody decided. */
  latency: { priority: Priority; count: number; p50: number | null; p95: number | null; p99: number | null }[];
  /** How tickets ended: by people, by a timer, in other ways. */
  ended: { people: number; timer: number; other: number };
  /** Tickets by risk: 0 to 0.1, 0.1 to 0.2, and so on. */
  risk: number[];
  load: { person: string; decided: number; per_hour: number }[];
  /** Tickets of each agent, and how many it opened in its busiest hour; most first. */
  asks: { agent: string; tickets: number; busiest_hour: number }[];
  /** A person's decisions that came sooner than what was shown can be read. */
  hasty: number;
  /** Tickets whose lease ended before anybody decided. */
  expired: number;
  /** What was decided without a person at that moment: uses of grants, denials, and recorded verdicts of rules. */
  standing: { grants: number; denials: number; rules: number; grants_in_force: number; grants_unused: number };
  /** Refused decisions by why, most frequent first. */
  security: { code: ErrorCode; count: number; last_at: string }[];
};
