import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Output } from "./output.ts";

const output = (terminal: { isTTY?: true; columns?: number }) => new Output(Object.assign(new PassThrough(), terminal));

test("[CLI-TABLE-1] a terminal that does not know its width, such as a serial line, is no terminal of width 0", () => {
  expect(output({ isTTY: true, columns: 72 }).columns).toBe(72);
  expect(output({ isTTY: true, columns: 0 }).columns).toBeUndefined();
  expect(output({ columns: 72 }).columns).toBeUndefined();
});
