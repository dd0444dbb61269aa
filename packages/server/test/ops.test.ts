// What operators load into Grafana and Prometheus is true of this server.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { type Front, openFront } from "./front.ts";

const ops = (path: string) => fileURLToPath(new URL(`../../../ops/${path}`, import.meta.url));

let front: Front;
beforeAll(async () => {
  front = await openFront();
  needProgram("promtool", "prometheus");
});
afterAll(() => front.close());

/** The metrics that the server has, with the names that a histogram's parts have. */
async function known(): Promise<Set<string>> {
  const text = await (await fetch(`${front.url}/metrics`)).text();
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set([...names, "up"] as string[]);
}

const used = (expression: string) => expression.match(/\b(hap|process|nodejs)_[a-z_]+\b|\bup\b/g) ?? [];

describe("ops", () => {
  it("[OPS-FILES-1] the alert rules are valid, go off when they should, and use metrics that exist", async () => {
    for (const args of [
      ["check", "rules", ops("prometheus/alerts.yaml")],
      ["test", "rules", ops("prometheus/alerts.test.yaml")],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
      expect(status, stdout + stderr).toBe(0);
    }
    const names = await known();
    const rules = readFileSync(ops("prometheus/alerts.yaml"), "utf8");
    const metrics = rules.match(/\bhap_[a-z_]+\b/g) ?? [];
    expect(metrics.length).toBeGreaterThan(10);
    for (const name of metrics) expect(names, name).toContain(name);
  });

  it("[OPS-FILES-1] the dashboard has the panels of the draft, and uses metrics that exist", async () => {
    const { panels } = JSON.parse(readFileSync(ops("grafana/hap.json"), "utf8")) as {
      panels: { title: string; targets?: { expr: string }[] }[];
    };
    const titles = panels.map(({ title }) => title);
    for (const title of [
      "Approval latency, p50",
      "Approval latency, p95",
      "Approval latency, p99",
      "Timeout rate",
      "Risk distribution",
      "Human load",
      "Refused decisions",
    ])
      expect(titles).toContain(title);
    const names = await known();
    for (const { expr } of panels.flatMap(({ targets }) => targets ?? []))
      for (const name of used(expr)) expect(names, `${name} in ${expr}`).toContain(name);
  });
});
