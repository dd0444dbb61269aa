// The same stream over WebSocket, in the words of the draft: connection.ready, subscribe, event, ping and pong.
import { randomUUID } from "node:crypto";
import { type HapError, isHapError } from "@hap/protocol";
import type { WebSocket } from "ws";
import * as z from "zod";
import type { OpenCalls } from "../auth/open-calls.ts";
import type { Principal } from "../auth/principal.ts";
import { readFilter } from "./filter.ts";
import type { Hub } from "./hub.ts";

const PING_MS = 30_000;
/** More than this unsent, and the reader is let go with a code that tells it to resume. */
const MOST_BUFFERED = 4 * 1024 * 1024;
const MOST_SUBSCRIPTIONS = 32;
/** "Try again later": the client reconnects and subscribes after the last cursor that it has. */
const TRY_AGAIN = 1013;
/** "Policy violation": the key or sign-in is not valid any more. */
const ACCESS_ENDED = 1008;
/** How long a client has to take the goodbye. */
const GOODBYE_MS = 1_000;

const text = z.string().max(300);
const wordSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("subscribe"),
    id: text.optional(),
    /** `tickets` leaves out what is about no ticket: keys, agents, policy. */
    resource: z.enum(["events", "tickets"]).default("events"),
    filter: z.object({ person: text, agent: text, ticket: text, state: text }).partial().default({}),
    after: text.nullish(),
  }),
  z.object({ type: z.literal("unsubscribe"), subscription_id: text }),
  z.object({ type: z.literal("ping") }),
  z.object({ type: z.literal("pong") }),
]);
type Subscribe = Extract<z.infer<typeof wordSchema>, { type: "subscribe" }>;

/** Serve one connection until it ends, or the principal's access does. */
export function serveSocket(hub: Hub, calls: OpenCalls, socket: WebSocket, principal: Principal): void {
  const subscriptions = new Map<string, AbortController>();
  const say = (word: Record<string, unknown>) => socket.send(JSON.stringify(word));
  let alive = true;
  const beat = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    say({ type: "ping" });
  }, PING_MS);
  const stopAll = () => {
    clearInterval(beat);
    for (const stop of subscriptions.values()) stop.abort();
  };
  const leave = calls.watch(principal, ({ code, message }) => {
    stopAll();
    // Events that a slow reader has not taken yet are not for it any more.
    if (socket.bufferedAmount > 0) return socket.terminate();
    socket.removeAllListeners("message");
    say({ type: "error", code, message });
    socket.close(ACCESS_ENDED, code);
    setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
  });
  socket.on("close", () => {
    leave();
    stopAll();
  });
  socket.on("error", () => socket.terminate());
  socket.on("message", (data) => {
    alive = true;
    const word = readWord(String(data));
    if (typeof word === "string") return say({ type: "error", code: "invalid_input", message: word });
    if (word.type === "ping") return say({ type: "pong" });
    if (word.type === "unsubscribe") return subscriptions.get(word.subscription_id)?.abort();
    if (word.type === "subscribe") subscribe(word);
  });
  say({ type: "connection.ready", session_id: randomUUID() });

  function subscribe(word: Subscribe): void {
    const id = word.id ?? randomUUID();
    if (subscriptions.size >= MOST_SUBSCRIPTIONS || subscriptions.has(id)) {
      say({
        type: "error",
        code: "limit_reached",
        message: `At most ${MOST_SUBSCRIPTIONS} subscriptions, each with an id of its own.`,
      });
      return;
    }
    const stop = new AbortController();
    subscriptions.set(id, stop);
    pump(id, word, stop)
      .catch((error: unknown) => {
        if (!isHapError(error)) throw error;
        say({ type: "error", subscription_id: id, code: error.code, message: (error as HapError).message });
      })
      .finally(() => subscriptions.delete(id));
  }

  async function pump(id: string, word: Subscribe, stop: AbortController): Promise<void> {
    const filter = { ...readFilter(word.filter), ticketsOnly: word.resource === "tickets" };
    const pages = hub.listen({ principal, filter, after: word.after ?? null, signal: stop.signal });
    say({ type: "subscribed", subscription_id: id });
    for await (const page of pages) {
      for (const live of page)
        socket.send(`{"type":"event","subscription_id":${JSON.stringify(id)},"event":${hub.textFor(principal, live)}}`);
      if (socket.bufferedAmount > MOST_BUFFERED) return socket.close(TRY_AGAIN, "too slow: resume after your last cursor");
      await drained(socket);
    }
  }
}

/** Wait while much is unsent, so that reading the log keeps the pace of the reader. */
async function drained(socket: WebSocket): Promise<void> {
  for (let waited = 0; socket.bufferedAmount > MOST_BUFFERED / 4 && waited < 200; waited++)
    await new Promise((resolve) => setTimeout(resolve, 25));
}

function readWord(data: string): z.infer<typeof wordSchema> | string {
  try {
    const parsed = wordSchema.safeParse(JSON.parse(data));
    return parsed.success ? parsed.data : "Words are subscribe, unsubscribe, ping and pong; see docs/server.md.";
  } catch {
    return "A message must be one JSON object.";
  }
}
