// What a host waits for: yume-cli from its spawn to the first line, to the first text of a local model and to its exit, beside
// a bare Node program that prints one line.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ScriptedModel, startScriptedModel } from "../packages/yume/test/wire/server.ts";
import { type Benchmark, compare, median, withFolder } from "./measure.ts";
import { memoryOf, type Program, type Times, timeProgram } from "./time-program.ts";

const yume = fileURLToPath(new URL("../packages/yume/bin/yume-cli.mjs", import.meta.url));

/** Prompts, and how the answer to each begins. */
export const SHORT = { prompt: "Greet me", words: "Xylo" };
export const LONG = { prompt: "Recite", words: "lorem" };

/** A model that answers one prompt with a word and the other with 2,000 tokens, whatever else it is asked. */
export function reciter(): Promise<ScriptedModel> {
  // Some agents stop a model that repeats itself.
  const text = Array.from({ length: 2_000 }, (_, index) => `lorem${index.toString(36)}`).join(" ");
  return startScriptedModel(({ body }) => ({
    content: [{ type: "text", text: JSON.stringify(body).includes(LONG.prompt) ? text : "Xylophone." }],
    usage: { output_tokens: 2_000 },
  }));
}

/** yume-cli for a prompt. */
export function yumeProgram(prompt: string, model: ScriptedModel, folder: string): Program {
  return {
    command: process.execPath,
    args: [yume, "--provider", "openai", "--model", "scripted", "--prompt", prompt],
    env: { ...process.env, ...model.env("chat"), HOME: folder },
    cwd: folder,
  };
}

export const yumeStart: Benchmark = {
  name: "yume start",
  run: ({ quick }) =>
    withFolder(async (folder) => {
      await using model = await reciter();
      const shim = join(folder, "shim.mjs");
      writeFileSync(shim, `process.stdout.write('{"type":"system"}\\n');\n`);
      const bare: Program = { command: process.execPath, args: [shim], env: process.env, cwd: folder };
      const [short, long] = [SHORT, LONG].map(({ prompt }) => yumeProgram(prompt, model, folder)) as [Program, Program];
      await timeProgram(short, SHORT.words);
      const rounds: { bare: Times; short: Times; long: Times }[] = [];
      const memory: { bare: number; short: number }[] = [];
      for (let round = 0; round < (quick ? 5 : 15); round++) {
        rounds.push({
          bare: await timeProgram(bare, null),
          short: await timeProgram(short, SHORT.words),
          long: await timeProgram(long, LONG.words),
        });
        memory.push({ bare: await memoryOf(bare), short: await memoryOf(short) });
      }
      const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
      const shimStart = { name: "bare Node shim, first line", value: of(({ bare: one }) => one.first) };
      const shimMemory = { name: "bare Node shim", value: median(memory.map(({ bare: one }) => one)) };
      return [
        compare(
          { name: "yume-cli, spawn to first line", value: of((one) => one.short.first), unit: "ms", baseline: shimStart },
          { most: 1.6 },
        ),
        { name: "yume-cli, spawn to first text", value: of((one) => one.short.text), unit: "ms" },
        { name: "yume-cli, spawn to exit, one short turn", value: of((one) => one.short.exit), unit: "ms" },
        { name: "yume-cli, spawn to exit, a turn of 2,000 tokens", value: of((one) => one.long.exit), unit: "ms" },
        {
          name: "yume-cli, most memory in a short turn",
          value: median(memory.map(({ short: one }) => one)),
          unit: "MB",
          baseline: shimMemory,
          ratio: median(memory.map(({ short: one }) => one)) / shimMemory.value,
        },
      ];
    }),
};
