// --fallback-model on every wire: asked once the main model has been overloaded in every try, and for nothing else.
import { describe, expect, it } from "vitest";
import { makePlace, type Place, refuses, runYume, says, uses, WIRES } from "./support/place.ts";

const flat = (place: Place) => ["--provider", place.env.YUME_PROVIDER as string, "--prompt", "Go", "--fallback-model", "second"];
const resultOf = (frames: readonly Record<string, unknown>[]) => frames.find(({ type }) => type === "result");
/** The model of each request; Gemini names it in the path. */
const models = (place: Place) => place.model.requests.map(({ body, path }) => body.model ?? /\/models\/([^:]+):/.exec(path)?.[1]);
const busy = (status: number) => refuses(status, "overloaded, try later");

describe("--fallback-model", () => {
  it.each(WIRES.map((wire) => [wire, wire === "anthropic" ? 529 : 503] as const))(
    "[YUME-FALLBACK-1] answers on %s when the main model is overloaded with %i three times",
    async (wire, status) => {
      const place = await makePlace(
        [busy(status), busy(status), busy(status), says("From the second.", { model: "second" })],
        wire,
      );
      const { frames, code } = await runYume(place, flat(place));
      expect(models(place)).toEqual(["scripted", "scripted", "scripted", "second"]);
      expect(resultOf(frames)).toMatchObject({ subtype: "success", result: "From the second." });
      expect(Object.keys(resultOf(frames)?.modelUsage as object)).toEqual(["second"]);
      expect(code).toBe(0);
    },
  );

  it("[YUME-FALLBACK-1] is asked again for each request that the main model does not take", async () => {
    const place = await makePlace([busy(503), busy(503), busy(503), uses(["LS", {}]), says("From the first.")]);
    const { frames } = await runYume(place, flat(place));
    expect(models(place)).toEqual(["scripted", "scripted", "scripted", "second", "scripted"]);
    expect(resultOf(frames)).toMatchObject({ result: "From the first." });
  });

  it("[YUME-FALLBACK-1] is overloaded as well: one error and one result", async () => {
    const place = await makePlace(Array.from({ length: 7 }, () => busy(529)));
    const { frames, code } = await runYume(place, flat(place));
    expect(models(place)).toEqual(["scripted", "scripted", "scripted", "second", "second", "second"]);
    expect(frames.filter(({ type }) => type === "error")).toHaveLength(1);
    expect(resultOf(frames)).toMatchObject({ is_error: true, errors: [expect.stringContaining("overloaded")] });
    expect(code).toBe(1);
  });

  it.each([
    ["a refused key", refuses(401, "bad key")],
    ["a model that there is not", refuses(404, "no such model")],
    ["a bad request", refuses(400, "bad request")],
    ["a limit of the caller's own", refuses(429, "slow down", { "retry-after": "7200" })],
  ])("[YUME-FALLBACK-1] is not asked for %s", async (_, answer) => {
    const place = await makePlace([answer, says("never")]);
    const { frames, code } = await runYume(place, flat(place));
    expect(models(place)).toEqual(["scripted"]);
    expect(resultOf(frames)).toMatchObject({ is_error: true });
    expect(code).toBe(1);
  });
});
