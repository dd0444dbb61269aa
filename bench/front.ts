// A server in another process for the benchmarks over HTTP, its clients, and requests to the bare server beside it.
import { type ChildProcess, fork } from "node:child_process";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentClient, connectAgent, connectPerson, type PersonClient } from "@hap/sdk";

const fixture = fileURLToPath(new URL("./fixtures/front.ts", import.meta.url));
type Place = { url: string; raw: string; key: string; token: string };

/** A running server and both clients. */
export type Front = Place & {
  agent: AgentClient;
  person: PersonClient;
  /** One request to the bare server. */
  rawRoundTrip: () => Promise<void>;
  /** Resident memory of the server's process, in bytes, after a collection. */
  memory: () => Promise<number>;
  /** How many connections the server's process has. */
  connections: () => Promise<number>;
};

/** Start both servers, work, and stop them. */
export async function withFront<T>(folder: string, work: (front: Front) => Promise<T>): Promise<T> {
  const child = fork(fixture, [join(folder, "front.db"), folder], {
    execArgv: [...process.execArgv, "--expose-gc"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const place = await heard<Place>(child);
  const agent = await connectAgent({ url: place.url, apiKey: place.key });
  const person = await connectPerson({ url: place.url, token: place.token });
  const pool = new Agent({ keepAlive: true });
  const asked = (what: "memory" | "connections") => {
    const answer = heard<number>(child);
    child.send(what);
    return answer;
  };
  try {
    return await work({
      ...place,
      agent,
      person,
      memory: () => asked("memory"),
      connections: () => asked("connections"),
      rawRoundTrip: () => post(place.raw, pool),
    });
  } finally {
    await agent.close();
    await person.close();
    pool.destroy();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.send("stop");
    await ended;
  }
}

/** The next word of the other process; an error when it ends instead. */
function heard<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null) => reject(new Error(`the server of the benchmark ended with ${code}`));
    child.once("exit", died);
    child.once("message", (message) => {
      child.off("exit", died);
      resolve(message as T);
    });
  });
}

function post(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers: { "content-type": "application/json" } }, (response) => {
      response.resume();
      response.on("end", resolve);
    });
    sent.on("error", reject);
    sent.end('{"decision":"approve"}');
  });
}
