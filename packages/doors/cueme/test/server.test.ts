// cueme and the bridge against a server: the same words, with an agent's key instead of a store.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectPerson, type PersonClient } from "../../../sdk/src/index.ts";
import { type RunningServer, serve } from "../../../server/src/index.ts";
import { World } from "./world.ts";

const world = new World();
let server: RunningServer;
let person: PersonClient;
let env: Record<string, string>;

beforeAll(async () => {
  server = await serve({ dbPath: world.dbPath, home: world.folder, port: 0, humanId: "human:alex" });
  person = await connectPerson({ url: server.url, token: server.engine.signIn("human:alex", "token", "code").secret });
  const { key } = server.engine.createKey({ agent: "agent:ci" }, "human:alex");
  env = { HAP_URL: server.url, HAP_API_KEY: key, HAP_DB_PATH: "", HAP_HUMAN_ID: "" };
});
afterAll(async () => {
  await person.close();
  await server.close();
});

/** The next question that waits for the person. */
async function nextQuestion(): Promise<string> {
  for (let waited = 0; waited < 1800; waited++) {
    const [ticket] = (await person.inbox()).tickets;
    if (ticket !== undefined) return ticket.id;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("nothing was asked");
}

describe("against a server", () => {
  it("[CUEME-SERVER-1] joins, cues, hears the answer and queued words, and is recalled", async () => {
    const joined = await world.cueme(["join", "codex"], { env });
    const id = /^agent_id=(\S+)$/m.exec(joined.out)?.[1] as string;
    expect(joined.code, joined.err).toBe(0);
    const cue = "<cueme_prompt>\nShall I go on?\n</cueme_prompt>\n<cueme_payload>\nnull\n</cueme_payload>\n";
    const asking = world.start("cueme", ["cue", id, "-"], { env, input: cue });
    await person.answer(await nextQuestion(), "yes, with care");
    expect(await asking.ended).toMatchObject({ code: 0, out: expect.stringContaining("yes, with care") });
    await person.queue(`agent:${id.replace(/^agent:/, "")}`, { text: "and run the tests" });
    const again = await world.cueme(["cue", id, "-"], { env, input: cue.replace("Shall I go on?", "And now?") });
    expect(again.out).toContain("and run the tests");
    expect((await world.cueme(["recall", "codex"], { env })).out).toContain(id);
  });

  it("[BRIDGE-SERVER-1] answers an agent that prints envelopes", async () => {
    const question = {
      id: "q-00000001",
      protocol: "questfoundry/1.0.0",
      time: "2026-01-31T10:00:00Z",
      sender: "agent",
      receiver: "human",
      intent: "human.question",
      context: { tu_id: "t1" },
      safety: { sot: "hot" },
      payload: {
        type: "question",
        data: {
          question_text: "Which?",
          options: [
            { key: "a", label: "First" },
            { key: "b", label: "Second" },
          ],
        },
      },
    };
    const agent = `process.stdin.once("data",(d)=>{console.log("GOT "+JSON.parse(d).payload.data.choice);process.exit(0)});console.log(${JSON.stringify(JSON.stringify(question))})`;
    const running = world.start("hap", ["bridge", "--to", "human:alex", "--", process.execPath, "-e", agent], { env });
    await person.answer(await nextQuestion(), "b");
    const ran = await running.ended;
    expect(ran.out, ran.err).toContain("GOT b");
  });
});
