// Roles on every operation of the table: each denial that the table states, for each role, and what an auditor may not change.
import { agentOperations, type Operation, personOperations, serverOperations } from "@hap/protocol/operations";
import { afterAll, beforeAll, expect, it } from "vitest";
import { savePolicy } from "../../core/test/confirm-policy.ts";
import { type Front, open, openFront } from "./front.ts";

const operations = Object.values({ ...agentOperations, ...personOperations, ...serverOperations }) as Operation[];
let front: Front;
let ticket: string;

beforeAll(async () => {
  front = await openFront();
  const roles = { owner: ["human:alex"], approver: ["human:sam"], auditor: ["human:kim"] };
  savePolicy(front.engine, { by: "human:alex", text: JSON.stringify({ version: 1, roles, rules: [] }), replaces: null });
  ticket = await open(front.agent("agent:ci"), { to: "human:kim" });
});
afterAll(() => front?.close());

const path = (operation: Operation) => operation.path.replaceAll(/\{(\w+)\}/g, () => ticket);
const body = ({ method }: Operation) => (method === "POST" ? {} : undefined);
const answerTo = async (person: string, operation: Operation) => {
  const { status, body: problem } = await front.person(person)(operation.method, path(operation), body(operation));
  return `${operation.id} ${status} ${problem.code}`;
};
const denied = (list: readonly Operation[], code = "scope_missing") => list.map(({ id }) => `${id} 403 ${code}`);

it.each(["human:sam", "human:kim", "human:out"])(
  "what is for owners is refused to %s, who is none [ROLE-TABLE-1]",
  async (person) => {
    const owners = operations.filter(({ who }) => who === "owner");
    expect(owners.length).toBeGreaterThan(12);
    expect(await Promise.all(owners.map((operation) => answerTo(person, operation)))).toEqual(denied(owners));
  },
);

it("what is for agents is refused to every person, whatever their role [ROLE-TABLE-1]", async () => {
  const agents = operations.filter(({ who }) => who === "agent");
  for (const person of ["human:alex", "human:sam", "human:kim", "human:out"])
    expect(await Promise.all(agents.map((operation) => answerTo(person, operation)))).toEqual(denied(agents));
});

it("what is for people is refused to an agent, whatever its scopes [ROLE-TABLE-1]", async () => {
  const people = operations.filter(({ who }) => who === "person" || who === "owner");
  expect(people.length).toBeGreaterThan(50);
  const agent = front.agent("agent:bold", ["create", "read_own", "read_all"]);
  const answers = people.map(async (operation) => {
    const { status, body: problem } = await agent(operation.method, path(operation), body(operation));
    return `${operation.id} ${status} ${problem.code}`;
  });
  expect(await Promise.all(answers)).toEqual(denied(people, "agent_cannot_decide"));
});

it("an auditor opens no ticket, steers no agent, and changes no ticket of others [ROLE-TABLE-2]", async () => {
  const steering = ["createTicket", "openSample", "queueMessage", "changeQueue", "labelAgent", "broadcast", "eraseConversation"];
  const list = operations.filter(({ id }) => steering.includes(id));
  expect(list).toHaveLength(steering.length);
  expect(await Promise.all(list.map((operation) => answerTo("human:kim", operation)))).toEqual(denied(list));
  const others = await open(front.agent("agent:ci"), { to: "human:sam" });
  const before = front.engine.getTicket(others).state;
  for (const [verb, input] of Object.entries({
    ack: {},
    extend: { seconds: 60 },
    snooze: { seconds: 60 },
    reassign: { to: "human:kim" },
    intents: { decision: "reject", comment: "No" },
    hold: { decision: "approve", seconds: 5 },
    erase: { reason: "x" },
    cancel: { reason: "x" },
  })) {
    const { status, body: problem } = await front.person("human:kim")("POST", `/v1/tickets/${others}/${verb}`, input);
    expect([verb, status, problem.code]).toEqual([verb, 403, "not_addressee"]);
  }
  expect(front.engine.getTicket(others).state).toBe(before);
});
