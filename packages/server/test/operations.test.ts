// The table of operations: each stands there once, in the half of those who may call it, and is served.
import { agentOperations, type Operation, personOperations, serverOperations } from "@hap/protocol/operations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Router } from "../src/api/router.ts";
import { type Front, openFront } from "./front.ts";

const halves = { agent: agentOperations, person: personOperations, server: serverOperations };
const all: Operation[] = [...new Set(Object.values(halves).flatMap((half) => Object.values<Operation>(half)))];
const repeated = (values: string[]) => values.filter((value, index) => values.indexOf(value) !== index);

describe("the table of operations", () => {
  it("[OP-TABLE-1] has every name, and every method of a path, once", () => {
    expect(repeated(all.map(({ id }) => id))).toEqual([]);
    expect(repeated(all.map(({ method, path }) => `${method} ${path}`))).toEqual([]);
  });

  it("[OP-TABLE-1] keeps what is for people out of the agent's half, and what is for agents out of the person's", () => {
    const audiences = (half: Record<string, Operation>) => new Set(Object.values(half).map(({ who }) => who));
    expect(audiences(agentOperations)).toEqual(new Set(["either", "agent"]));
    expect(audiences(personOperations)).toEqual(new Set(["either", "person", "owner"]));
  });

  it("[OP-TABLE-1] gives a scope to every operation that a key may call, but for asking who one is", () => {
    const open = all.filter(({ who, scope }) => (who === "agent" || who === "either") && scope === undefined);
    expect(open.map(({ id }) => id)).toEqual(["me"]);
  });
});

describe("a server", () => {
  let front: Front;
  beforeAll(async () => {
    front = await openFront();
  });
  afterAll(() => front.close());

  it("[OP-TABLE-1] serves exactly the operations of the table, and describes them", async () => {
    const { body } = await front.anyone("GET", "/openapi.json");
    const described = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
      .toSorted();
    expect(described).toEqual(all.map(({ id }) => id).toSorted());
    for (const { method, path, who } of all) {
      const { status } = await front.anyone(method, path.replaceAll(/\{\w+\}/g, "none"));
      expect([404, 405], `${method} ${path}`).not.toContain(status);
      if (who !== "anyone") expect(status, `${method} ${path}`).toBe(401);
    }
  });

  it("[OP-TABLE-1] answers other methods and other paths with what there is", async () => {
    const { status, headers, body } = await front.anyone("DELETE", "/v1/tickets");
    expect([status, headers.get("allow"), body.code]).toEqual([405, "POST, GET", "method_not_allowed"]);
    for (const path of ["/v1/tickets/", "/v1/tickets/a/b/c", "/v1/", "/v1/nothing"])
      expect((await front.anyone("GET", path)).body.code, path).toBe("route_not_found");
  });
});

describe("the router", () => {
  const entry = (path: string, method: Operation["method"] = "GET") => ({ operation: { ...serverOperations.me, path, method } });
  const router = new Router([
    entry("/v1/a/{id}"),
    entry("/v1/a/fixed"),
    entry("/v1/a/{id}/b/{other}"),
    entry("/v1/a/fixed/c", "POST"),
  ]);
  const params = (path: string) => {
    const found = router.find("GET", path);
    return found !== null && "params" in found ? found.params : found;
  };

  it("prefers a fixed segment, and falls back to a parameter", () => {
    expect(params("/v1/a/fixed")).toEqual({});
    expect(params("/v1/a/fixed/b/x")).toEqual({ id: "fixed", other: "x" });
    expect(params("/v1/a/fixed/c")).toEqual({ allow: "POST" });
  });

  it("decodes parameters, and takes what is no encoding as it is", () => {
    expect(params("/v1/a/agent%3Aci")).toEqual({ id: "agent:ci" });
    expect(params("/v1/a/%zz")).toEqual({ id: "%zz" });
    expect(params("/v1/a//b/x")).toBeNull();
  });
});
