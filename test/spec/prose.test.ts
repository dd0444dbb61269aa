// The prose says what the code does: its tables are compared with the code's own, and its links lead somewhere.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  describeEffect,
  EDGES,
  EFFECT_TIERS,
  EVENT_FIELDS,
  EVENT_TYPES,
  findLookAlikes,
  hasInvisible,
  INTENT_STATEMENT,
  LIMITS,
  statementOf,
  storedIntentSchema,
  storedTicketSchema,
  ticketSchema,
} from "@hap/protocol";
import { describe, expect, test } from "vitest";
import { sampleLog } from "../../scripts/spec/sample-log.ts";

const folder = join(import.meta.dirname, "../../spec");
const page = (name: string) => readFileSync(join(folder, name), "utf8");
/** The part of a page under one heading, without what is under the next of the same or a higher rank. */
function section(name: string, heading: string): string {
  const lines = page(name).split("\n");
  const start = lines.indexOf(heading);
  if (start === -1) throw new Error(`${name} has no heading ${heading}`);
  const rank = heading.indexOf(" ");
  const end = lines.findIndex((line, at) => at > start && /^#+ /.test(line) && line.indexOf(" ") <= rank);
  return lines.slice(start, end === -1 ? undefined : end).join("\n");
}
const rows = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("|---"))
    .slice(1)
    .map((line) => line.slice(2, -2).split(" | "));
const bare = (cell: string | undefined) => (cell ?? "").replaceAll("`", "");

describe("[EVENT-SHAPE-1] events.md", () => {
  test.each(EVENT_TYPES)("has a section for %s that names each of its fields", (type) => {
    const text = section("events.md", `### ${type}`);
    for (const field of Object.keys(EVENT_FIELDS[type]())) expect(text).toContain(`\`${field}\``);
  });

  test("has sections for the types there are and no others", () => {
    const found = section("events.md", "## Types")
      .match(/^### .*$/gm)
      ?.map((line) => line.slice(4));
    expect(found).toEqual([...EVENT_TYPES]);
  });

  test("names every field of a stored ticket and of a stored intent", () => {
    const parts = [
      storedTicketSchema().shape,
      storedTicketSchema().shape.intent.shape,
      storedTicketSchema().shape.artifact.shape,
    ];
    for (const field of parts.flatMap(Object.keys)) expect(section("events.md", "### ticket.create")).toContain(`\`${field}\``);
    for (const field of Object.keys(storedIntentSchema().shape))
      expect(section("events.md", "### intent.sign")).toContain(`\`${field}\``);
  });
});

describe("tickets.md", () => {
  test("[TICKET-STATE-2, TICKET-STATE-4] has the table of steps", () => {
    const steps = rows(section("tickets.md", "## States").slice(section("tickets.md", "## States").indexOf("| from |")));
    expect(steps.map(([from, to, by]) => ({ from: from === "—" ? null : from, to, by: bare(by).split(", ") }))).toEqual(
      EDGES.map((edge) => ({ ...edge, by: [...edge.by] })),
    );
  });

  test("names every field of a ticket", () => {
    const text = section("tickets.md", "## Fields");
    for (const field of Object.keys(ticketSchema().shape)) expect(text).toMatch(new RegExp(`\`${field}[\`.]`));
    for (const part of ["intent", "lease"] as const)
      for (const field of Object.keys(ticketSchema().shape[part].shape)) expect(text).toContain(`\`${part}.${field}\``);
  });
});

describe("artifacts.md and presentation.md", () => {
  test("[TIER-CRITICAL-1, TIER-ROUTINE-1] have every effect with its tier and its words", () => {
    const tiers = rows(section("artifacts.md", "## Tier")).map(([effect, tier]) => [bare(effect), tier]);
    expect(Object.fromEntries(tiers)).toEqual(EFFECT_TIERS);
    const words = rows(section("presentation.md", "## Words of effects"));
    const told = new Map(
      words.flatMap(([effects, text]) =>
        bare(effects)
          .split(", ")
          .map((effect) => [effect, text] as const),
      ),
    );
    for (const effect of Object.keys(EFFECT_TIERS)) expect(told.get(effect)).toBe(describeEffect(effect) ?? "none");
    expect(told.get("any other")).toBe(describeEffect("EFFECT"));
  });

  const ranges = (text: string) =>
    [...text.matchAll(/`U\+([0-9A-F]+)(?:-([0-9A-F]+))?`/g)].map(
      ([, first = "", last = first]) => [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const,
    );
  const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);

  test("[PRESENT-VISIBLE-1] list the hidden characters", () => {
    const listed = ranges(section("presentation.md", "## Hidden characters"));
    const isListed = (code: number) =>
      listed.some(([first, last]) => code >= first && code <= last) || (code & 0xfffe) === 0xfffe;
    expect(everyCharacter.filter((code) => hasInvisible(String.fromCodePoint(code)) !== isListed(code))).toEqual([]);
  });

  test("list the letters that imitate others", () => {
    const listed = ranges(section("presentation.md", "## Look-alikes"));
    const isListed = (code: number) => listed.some(([first, last]) => code >= first && code <= last);
    expect(
      everyCharacter.filter((code) => findLookAlikes(`a${String.fromCodePoint(code)}`).length > 0 !== isListed(code)),
    ).toEqual([]);
  });
});

test("[STATEMENT-FIELDS-1] intents.md lists the fields of a statement", () => {
  const vote = sampleLog().find((event) => event.type === "intent.sign")?.payload.intent;
  const fields = Object.keys(statementOf(vote as unknown as Parameters<typeof statementOf>[0], "default")).sort();
  const text = section("intents.md", "## The statement");
  const listed = rows(text.slice(0, text.indexOf("\n\nIts text")))
    .flatMap(([cell]) => bare(cell).split(", "))
    .sort();
  expect(listed).toEqual(fields);
  expect(text).toContain(`\`${INTENT_STATEMENT}\``);
});

test("[INPUT-RANGE-1] protocol.md has the limits", () => {
  const text = section("protocol.md", "## Limits").replaceAll(/(?<=[0-9]),(?=[0-9]{3})/g, "");
  const { openTicketsPerAgent: _, ...stated } = LIMITS;
  for (const limit of Object.values(stated)) expect(text).toMatch(new RegExp(`\\b${limit}\\b`));
});

describe("every page", () => {
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const anchors = (name: string) =>
    [...page(name).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 _-]/g, "")
        .replaceAll(" ", "-"),
    );

  test.each(pages)("%s links to places that are there", (name) => {
    for (const [link, path = "", anchor] of page(name).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
      if (/^https?:/.test(path)) continue;
      const target = path === "" ? name : path;
      expect(existsSync(join(folder, dirname(name), target)), link).toBe(true);
      if (anchor !== undefined && !target.includes("/")) expect(anchors(target), link).toContain(anchor);
    }
  });
});
