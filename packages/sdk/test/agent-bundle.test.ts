// What an agent's program brings along: its half of the table of operations, and no schema library.
import { build } from "esbuild";
import { expect, it } from "vitest";

/** The sources that a bundle of a module really holds. */
async function sourcesOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [new URL(`../src/${entry}`, import.meta.url).pathname],
    bundle: true,
    write: false,
    outdir: "unused",
    platform: "node",
    format: "esm",
    metafile: true,
    external: ["@hap/core"],
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
}

it.each(["remote/connect-agent.ts", "embedded/agent.ts"])(
  "[OP-TABLE-2] %s holds no schema library and nothing that decides",
  async (entry) => {
    const sources = await sourcesOf(entry);
    expect(sources.filter((path) => path.includes("node_modules/zod"))).toEqual([]);
    expect(
      sources.filter((path) => /operations\/(person|server|shapes)|person-client|handlers\/(person|decisions)/.test(path)),
    ).toEqual([]);
    // The check can fail: the person's half is found where it is.
    expect(sources.some((path) => path.includes("operations/agent"))).toBe(true);
  },
);

it("[OP-TABLE-2] the person's client is told apart by the same check", async () => {
  const sources = await sourcesOf("embedded/person.ts");
  expect(sources.some((path) => path.includes("node_modules/zod"))).toBe(true);
  expect(sources.some((path) => path.includes("handlers/decisions"))).toBe(true);
});
