// Live events: resumed from any event without gap or duplicate, narrowed, and patient with slow readers.
import { connect } from "node:net";
import { type LoggedEvent, ticketIdOf } from "@hap/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { connectPerson } from "../../sdk/src/index.ts";
import { cuttingProxy } from "./cutting-proxy.ts";
import { type Caller, type Front, open, openFront } from "./front.ts";

let front: Front;
let agent: Caller;
beforeEach(async () => {
  front = await openFront({ real: true });
  agent = front.agent();
});
afterEach(() => front.close());

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const bearer = (name = "human:alex") => ({
  authorization: `Bearer ${front.engine.signIn(name, "token", "code").secret}`,
});
const all = () => front.engine.eventsAfterSeq(0, 100_000);

/** Write events for a while, in bursts. */
async function write(count: number): Promise<void> {
  for (let made = 0; made < count; made += 5) {
    await Promise.all(Array.from({ length: 5 }, () => front.engine.later(() => front.engine.createTicket({ to: "human:alex" }))));
    await sleep(Math.random() * 8);
  }
}

/** Read a stream of server-sent events until a test is satisfied. */
async function readStream(
  path: string,
  headers: Record<string, string>,
  enough: (events: LoggedEvent[]) => boolean,
  onAnswer = () => {},
) {
  const stop = new AbortController();
  const response = await fetch(front.url + path, { headers, signal: stop.signal });
  onAnswer();
  const events: LoggedEvent[] = [];
  const ids: string[] = [];
  let text = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data === undefined) continue;
      events.push(JSON.parse(data));
      ids.push(/^id: (.*)$/m.exec(frame)?.[1] ?? "");
    }
    if (enough(events)) break;
  }
  stop.abort();
  return { events, ids };
}

/** What one reader gets of a ticket's events, by each of the three ways. */
async function waysOf(headers: Record<string, string>, ticket: string, count: number): Promise<Record<string, LoggedEvent[]>> {
  const page = await fetch(`${front.url}/v1/events?ticket=${ticket}`, { headers });
  const stream = await readStream(`/v1/events/stream?ticket=${ticket}&after=`, headers, (events) => events.length >= count);
  const socket = new WebSocket(`${front.url.replace("http", "ws")}/v1/events/socket`, { headers });
  const heard: LoggedEvent[] = [];
  await new Promise<void>((resolve) => {
    socket.on("open", () => socket.send(JSON.stringify({ type: "subscribe", filter: { ticket }, after: "" })));
    socket.on("message", (data) => {
      const word = JSON.parse(String(data));
      if (word.type === "event" && heard.push(word.event) >= count) resolve();
    });
  });
  socket.close();
  return { page: ((await page.json()) as { events: LoggedEvent[] }).events, stream: stream.events, socket: heard };
}

describe("[LIVE-RESOLVED-1] what a reader gets", () => {
  const prepare = async () => {
    const id = await open(agent, { summary: "a private plan", to: "human:sam" });
    front.engine.note(id, "not in front of the agent", "human:sam");
    front.engine.reject(id, "ask me in person", { by: "human:sam" });
    return { id, count: front.engine.getEvents({ ticket: id }).length };
  };

  it("is each event as it is hashed, and beside it names and words, by every way", async () => {
    const { id, count } = await prepare();
    for (const person of ["human:alex", "human:sam"])
      for (const [way, events] of Object.entries(await waysOf(bearer(person), id, count))) {
        expect(events.length, way).toBe(count);
        const [first] = events;
        expect(JSON.stringify(first?.payload), way).not.toMatch(/private plan|human:sam/);
        expect(first?.resolved, way).toMatchObject({
          type: "ticket.create",
          ticket: { to: "human:sam", intent: { summary: "a private plan" } },
        });
        expect(JSON.stringify(events.map(({ resolved }) => resolved)), way).toMatch(
          /not in front of the agent.*ask me in person/,
        );
      }
  });

  it("is for an agent the words of its own tickets, and not what people note for each other", async () => {
    const { id, count } = await prepare();
    const { key } = front.engine.createKey({ agent: "agent:ci" }, "human:alex");
    for (const [way, events] of Object.entries(await waysOf({ authorization: `Bearer ${key}` }, id, count))) {
      const text = JSON.stringify(events);
      expect(text, way).toMatch(/a private plan.*ask me in person/);
      expect(text, way).not.toContain("not in front of the agent");
    }
    const { key: other } = front.engine.createKey({ agent: "agent:other" }, "human:alex");
    const headers = { authorization: `Bearer ${other}` };
    expect((await fetch(`${front.url}/v1/events?ticket=${id}`, { headers })).status).toBe(404);
    const seen = (await (await fetch(`${front.url}/v1/events`, { headers })).json()) as { events: LoggedEvent[] };
    expect(JSON.stringify(seen)).not.toMatch(/private plan|human:sam/);
  });

  it("has no words any more that were erased, also for a reader who was there before", async () => {
    const { id, count } = await prepare();
    await waysOf(bearer("human:alex"), id, count);
    front.engine.erase({ ticket: id, by: "human:sam" });
    await open(agent);
    for (const [way, events] of Object.entries(await waysOf(bearer("human:alex"), id, count)))
      expect(JSON.stringify(events), way).not.toMatch(/private plan|ask me in person/);
  });
});

describe("server-sent events", () => {
  it("[LIVE-RESUME-1] begin now, and resume after the last id that a reader has", async () => {
    await open(agent);
    const begun = Promise.withResolvers<void>();
    const reading = readStream("/v1/events/stream", bearer(), (events) => events.length >= 2, begun.resolve);
    await begun.promise;
    const later = [await open(agent), await open(agent)];
    const { events, ids } = await reading;
    expect(events.map(({ payload }) => (payload.type === "ticket.create" ? payload.ticket.id : null))).toEqual(later);
    const again = await readStream(
      "/v1/events/stream",
      { ...bearer(), "last-event-id": ids[0] as string },
      (more) => more.length >= 1,
    );
    expect(again.events[0]?.seq).toBe(events[1]?.seq);
  });

  it("[LIVE-RESUME-1, SDK-REMOTE-1] come through a line that breaks at random, each once and in order", async () => {
    // Longer after each cut, so that something comes through on the slowest machine, too.
    const proxy = await cuttingProxy(new URL(front.url), (cuts) => 20 + Math.random() * 150 + 10 * cuts);
    const server = new URL(front.url);
    // The proxy has a port of its own, and the server answers to its own name alone.
    const { secret } = front.engine.signIn("human:alex", "token", "code");
    const client = await connectPerson({ url: front.url, token: secret });
    const { followEvents } = await import("../../sdk/src/remote/live.ts");
    const { NodeTransport } = await import("../../sdk/src/remote/node-transport.ts");
    const transport = new NodeTransport({ url: proxy.url, token: secret, headers: { host: server.host } });
    const stop = new AbortController();
    const seen: number[] = [];
    let last = Number.POSITIVE_INFINITY;
    const following = (async () => {
      for await (const events of followEvents(transport, { signal: stop.signal })) {
        seen.push(...events.map(({ seq }) => seq));
        if (seen.length >= last) stop.abort();
      }
    })();
    await write(400);
    // However fast the machine wrote: there is always something to carry until the line has broken a few times.
    while (proxy.cuts() < 4) await write(10);
    // Known before it is written: whoever follows cannot stop one event early, nor miss that it was the last.
    last = front.engine.head().seq + 1;
    await front.engine.later(() => front.engine.createTicket({ to: "human:alex" }));
    await following;
    expect(seen).toEqual(all().map(({ seq }) => seq));
    await client.close();
    transport.close();
    await proxy.close();
  });

  it("[LIVE-FILTER-1] are narrowed by person, agent, ticket and state, and by what one may see", async () => {
    const [first, second] = [await open(agent), await open(front.agent("agent:other"), { to: "human:sam" })];
    await front.person()("POST", `/v1/tickets/${first}/intents`, { decision: "reject" });
    const after = "?after=";
    const ticketsOf = async (query: string, headers = bearer()) => {
      const { events } = await readStream(`/v1/events/stream${after}&${query}`, headers, (found) => found.length >= 1);
      return new Set(events.map(({ payload }) => ticketIdOf(payload) ?? payload.type));
    };
    expect(await ticketsOf("agent=agent:other")).toEqual(new Set([second]));
    expect(await ticketsOf("person=human:sam")).toEqual(new Set([second]));
    expect(await ticketsOf(`ticket=${first}`)).toEqual(new Set([first]));
    expect(await ticketsOf("state=REJECTED")).toEqual(new Set([first]));
    expect(await ticketsOf("", bearer("human:sam"))).toEqual(new Set([second]));
    const wrong = await front.person()("GET", "/v1/events/stream?state=NOPE");
    expect(wrong).toMatchObject({ status: 400, body: { field: "state" } });
  });

  it("[LIVE-SLOW-1] cost nothing while a reader does not read, and miss nothing when it does", async () => {
    const { port, host } = new URL(front.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`GET /v1/events/stream?after= HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${bearer().authorization}\r\n\r\n`);
    socket.pause();
    await write(300);
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 20; round++)
      await Promise.all(
        Array.from({ length: 100 }, () =>
          front.engine.later(() => front.engine.createTicket({ to: "human:alex", from: `agent:n${round}` })),
        ),
      );
    // Every frame is about a kilobyte: a reader that were buffered for would cost more than this.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 1024 * 1024);
    let text = "";
    const wanted = front.engine.head().seq;
    await new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        text += chunk.toString();
        if ((text.match(/^id: /gm)?.length ?? 0) >= wanted) resolve();
      });
      socket.resume();
    });
    const seqs = [...text.matchAll(/^data: {"seq":(\d+),/gm)].map(([, seq]) => Number(seq));
    expect(seqs).toEqual(Array.from({ length: wanted }, (_, at) => at + 1));
    socket.destroy();
  });

  it("[LIVE-STOP-1] end cleanly when the server stops, and waits are told to ask again", async () => {
    const id = await open(agent);
    // A key of its own, which shows by its first use that the request has come.
    const { id: keyId, key } = front.engine.createKey({ agent: "agent:ci" }, "human:alex");
    const begun = Promise.withResolvers<void>();
    const reading = readStream("/v1/events/stream", bearer(), () => false, begun.resolve);
    await begun.promise;
    const waiting = front.as({ authorization: `Bearer ${key}` })("GET", `/v1/tickets/${id}?wait=50`);
    await expect
      .poll(() => front.engine.listKeys().find((one) => one.id === keyId)?.last_used_at ?? null, { timeout: 45_000 })
      .not.toBeNull();
    await front.server.close();
    expect((await reading).events).toEqual([]);
    expect(await waiting).toMatchObject({ status: 503, body: { code: "server_stopping" } });
    expect((await waiting).headers.get("retry-after")).toBe("1");
  });
});

describe("WebSocket", () => {
  const dial = (headers: Record<string, string>) =>
    new WebSocket(`${front.url.replace("http", "ws")}/v1/events/socket`, { headers });
  const words = (socket: WebSocket) => {
    const heard: { type: string; event?: LoggedEvent; subscription_id?: string; code?: string }[] = [];
    socket.on("message", (data) => heard.push(JSON.parse(String(data))));
    return heard;
  };
  const until = async (test: () => boolean) => {
    for (let waited = 0; !test(); waited++) {
      if (waited > 4500) throw new Error("it never came");
      await sleep(10);
    }
  };

  it("[LIVE-WORDS-1] says ready, subscribes, sends events, answers pings, and refuses nonsense", async () => {
    const socket = dial(bearer());
    const heard = words(socket);
    await until(() => heard.some(({ type }) => type === "connection.ready"));
    socket.send(JSON.stringify({ type: "subscribe", id: "mine", filter: { agent: "agent:ci" }, after: "" }));
    await until(() => heard.some(({ type }) => type === "subscribed"));
    const id = await open(agent);
    await until(() => heard.some(({ event }) => event?.payload.type === "ticket.create" && event.payload.ticket.id === id));
    expect(heard.find(({ type }) => type === "event")?.subscription_id).toBe("mine");
    const of = (name: string) => heard.filter(({ subscription_id, event }) => subscription_id === name && event !== undefined);
    for (const resource of ["events", "tickets"])
      socket.send(JSON.stringify({ type: "subscribe", id: resource, resource, after: "" }));
    await until(() => of("events").length === front.engine.head().seq);
    await until(() => of("tickets").length === 1);
    expect(of("events").some(({ event }) => event?.type === "key.create")).toBe(true);
    expect(of("tickets").map(({ event }) => event?.type)).toEqual(["ticket.create"]);
    socket.send(JSON.stringify({ type: "ping" }));
    await until(() => heard.some(({ type }) => type === "pong"));
    socket.send("{");
    socket.send(JSON.stringify({ type: "subscribe", filter: { state: "NOPE" } }));
    await until(() => heard.filter(({ type }) => type === "error").length >= 2);
    socket.close();
  });

  it("[LIVE-RESUME-1] resumes after any cursor, through connections that are cut at random", async () => {
    const seen: LoggedEvent[] = [];
    let after = "";
    let wrote = false;
    const writing = write(300).then(() => {
      wrote = true;
    });
    for (let cuts = 0; !wrote || seen.length < front.engine.head().seq; cuts++) {
      const socket = dial(bearer());
      socket.on("open", () => socket.send(JSON.stringify({ type: "subscribe", after })));
      socket.on("message", (data) => {
        const word = JSON.parse(String(data));
        if (word.type !== "event") return;
        seen.push(word.event);
        after = word.event.cursor;
      });
      await sleep(30 + Math.random() * 120 + 10 * cuts);
      socket.terminate();
      socket.removeAllListeners("message");
      socket.on("error", () => {});
    }
    await writing;
    expect(seen.map(({ seq }) => seq)).toEqual(all().map(({ seq }) => seq));
  });

  it("[LIVE-GUESS-1] keys that are tried here are as few as everywhere", async () => {
    // Time stands still here, so that no attempt comes back meanwhile.
    const still = await openFront();
    const address = `${still.url.replace("http", "ws")}/v1/events/socket`;
    const guess = (authorization: string) =>
      new Promise<number | undefined>((resolve) => {
        new WebSocket(address, { headers: { authorization } }).on("unexpected-response", (_request, response) => {
          response.resume();
          resolve(response.statusCode);
        });
      });
    try {
      for (let tries = 0; tries < 10; tries++) expect(await guess(`Bearer hap_key_${tries}`)).toBe(401);
      expect(await guess("Bearer hap_key_one_more")).toBe(429);
      expect((await still.as({ authorization: "Bearer hap_key_x" })("GET", "/v1/me")).status).toBe(429);
    } finally {
      await still.close();
    }
  });

  it("[LIVE-WHO-1] lets in who may come in, from where they may", async () => {
    const refusedBy = (headers: Record<string, string>) =>
      new Promise<string>((resolve) => {
        dial(headers).on("error", (error) => resolve(error.message));
      });
    expect(await refusedBy({})).toContain("401");
    const { secret } = front.engine.signIn("human:alex", "cookie", "code");
    expect(await refusedBy({ cookie: `hap=${secret}`, origin: "https://evil.example" })).toContain("403");
    const socket = dial({ cookie: `hap=${secret}`, origin: front.url });
    const heard = words(socket);
    await until(() => heard.length > 0);
    socket.close();
  });
});
