// The codec as a program of somebody else imports it.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { plain } from "../envelope/test/examples.ts";

const program = `
import { EnvelopeScanner, readQuestion, writeResponse } from "@hap/doors";
const scanner = new EnvelopeScanner();
const found = [...scanner.push("thinking...\\n" + process.argv[1] + "\\n"), ...scanner.end()];
for (const one of found) {
  const question = readQuestion(one.value);
  const stamp = { id: "msg-1", time: "2026-01-31T10:00:00Z" };
  const answer = { type: "choice", choices: [question.ask.options[0].key] };
  console.log(JSON.stringify(writeResponse(question, answer, "human:alex", null, stamp)));
}`;

test("[QUESTION-LIBRARY-1] finds a question in a stream, reads it and answers it", () => {
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", program, JSON.stringify(plain)], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    encoding: "utf8",
  });
  expect(JSON.parse(said)).toMatchObject({ reply_to: plain.id });
});
