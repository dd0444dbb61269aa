// Both clients on one store of their own, gone after the test.
import type { TestWorld } from "../../core/test/test-world.ts";
import { testStore, testWorld } from "../../core/test/test-world.ts";
import { type AgentClient, connectAgent, connectPerson, type PersonClient } from "../src/index.ts";

/** A store with as many clients as a test wants; the clock stands still unless `real` is asked for. */
export function sdkWorld(options: { real?: boolean } = {}): {
  folder: string;
  world: TestWorld;
  agent: (name?: string) => Promise<AgentClient>;
  person: (name?: string) => Promise<PersonClient>;
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
  return {
    folder: store.folder,
    world,
    agent: async (name = "agent:ci") => kept(await connectAgent({ ...place, agent: name })),
    person: async (name = "human:alex") => kept(await connectPerson({ ...place, person: name })),
    remove: async () => {
      for (const client of clients) await client.close();
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
