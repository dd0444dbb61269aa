// Both clients on one store of their own, embedded or behind a real server, gone after the test.
import type { TestWorld } from "../../core/test/test-world.ts";
import { testStore, testWorld } from "../../core/test/test-world.ts";
import { type RunningServer, serve } from "../../server/src/index.ts";
import { type AgentClient, connectAgent, connectPerson, type PersonClient } from "../src/index.ts";

/** The ways in that must behave alike. */
export const WAYS = ["the embedded store", "a server"] as const;
export type Way = (typeof WAYS)[number];

/** A store with as many clients as a test wants; the clock stands still unless `real` is asked for. */
export function sdkWorld(options: { over?: Way; real?: boolean } = {}): {
  folder: string;
  world: TestWorld;
  agent: (name?: string) => Promise<AgentClient>;
  person: (name?: string) => Promise<PersonClient>;
  /** A person at the store itself: over a server, a token cannot put a policy in force. */
  owner: () => Promise<PersonClient>;
  remove: () => Promise<void>;
} {
  const store = testStore();
  const world = testWorld();
  const clients: { close: () => Promise<void> }[] = [];
  const place = { dbPath: store.path, home: store.folder, ...(options.real === true ? {} : { world }) };
  const kept = <T extends { close: () => Promise<void> }>(client: T): T => {
    clients.push(client);
    return client;
  };
  let started: Promise<RunningServer> | undefined;
  const server = () => {
    started ??= serve({ ...place, port: 0, humanId: "human:alex" });
    return started;
  };
  const remote = options.over === "a server";
  return {
    folder: store.folder,
    world,
    agent: async (name = "agent:ci") => {
      if (!remote) return kept(await connectAgent({ ...place, agent: name }));
      const { url, engine } = await server();
      const { key } = engine.createKey({ agent: name }, "human:alex");
      return kept(await connectAgent({ url, apiKey: key }));
    },
    person: async (name = "human:alex") => {
      if (!remote) return kept(await connectPerson({ ...place, person: name }));
      const { url, engine } = await server();
      return kept(await connectPerson({ url, token: engine.signIn(name, "token", "code").secret }));
    },
    owner: async () => kept(await connectPerson({ ...place, person: "human:alex" })),
    remove: async () => {
      for (const client of clients) await client.close();
      await (await started)?.close();
      store.remove();
    },
  };
}

/** The error that a promise is rejected with. */
export async function refused(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error("expected a refusal, but it went through");
}
