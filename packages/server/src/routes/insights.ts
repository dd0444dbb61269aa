// The draft's dashboard (13.4) for those who see everything.
import { ERRORS, type ErrorCode, HapError, type Insights, PRIORITIES } from "@hap/protocol";
import * as z from "zod";
import type { Principal } from "../auth/principal.ts";
import { type Route, route } from "../route.ts";
import { seesAll } from "../visible.ts";
import { whole } from "./shapes.ts";

const DAY_MS = 86_400_000;
const seconds = () => z.number().nullable();

const insights = () =>
  z.object({
    since: z.string(),
    tickets: z.int(),
    complete: z.boolean(),
    open: z.int(),
    latency: z.array(z.object({ priority: z.enum(PRIORITIES), count: z.int(), p50: seconds(), p95: seconds(), p99: seconds() })),
    ended: z.object({ people: z.int(), timer: z.int(), other: z.int() }),
    risk: z.array(z.int()).length(10),
    load: z.array(z.object({ person: z.string(), decided: z.int(), per_hour: z.number() })),
    security: z.array(
      z.object({ code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]), count: z.int(), last_at: z.string() }),
    ),
  }) satisfies z.ZodType<Insights>;

export const insightRoutes = (): Route[] => [
  route({
    method: "get",
    path: "/v1/waiting",
    id: "waiting",
    tag: "tickets",
    summary: "How many tickets wait for whom; one's own alone for those without a role",
    who: "person",
    answer: {
      status: 200,
      schema: z.object({ waiting: z.array(z.object({ person: z.string(), tickets: z.int() })) }),
      description: "People with open tickets, most first",
    },
    handle: ({ engine, principal, person: { person: own } }) => {
      const all = seesAll(principal as Principal);
      return { body: { waiting: engine.waiting().filter(({ person }) => all || person === own) } };
    },
  }),
  route({
    method: "get",
    path: "/v1/insights",
    id: "insights",
    tag: "log",
    summary: "Latency by priority, timeouts, risk, load per person and refused decisions, over the last days",
    who: "person",
    query: z.object({ days: whole(1, 365).optional() }),
    answer: { status: 200, schema: insights(), description: "Numbers, from the newest tickets and events" },
    handle: ({ engine, principal, query }) => {
      if (!seesAll(principal as Principal))
        throw new HapError("scope_missing", "Insights are for owners, approvers and auditors.");
      return { body: { ...engine.insights(Date.now() - (query.days ?? 7) * DAY_MS) } };
    },
  }),
];
