// Lines of a JSON-RPC peer, sorted before the SDK reads them: it drops a line that is not JSON without an answer, and its peer
// then waits for a reply that never comes. Such a line is answered with -32700 or -32600 (JSON-RPC 2.0, section 5.1).
import { Transform } from "node:stream";
import { INVALID_REQUEST, PARSE_ERROR, parseJSONRPCMessage } from "@modelcontextprotocol/server";

/** The answer to a line that is not a message. Its id is the line's where it has a usable one. */
export type LineError = { jsonrpc: "2.0"; id: string | number | null; error: { code: number; message: string } };

/** The longest line that is read; the SDK's own limit is the same. */
const LONGEST_LINE = 10 * 1024 * 1024;

const NEWLINE = 10;

/** Passes on lines that are messages; `refuse` gets the answer to each that is not. */
export function messageLines(refuse: (error: LineError) => void): Transform {
  let parts: Buffer[] = [];
  let held = 0;
  let tooLong = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        const line = Buffer.concat([...parts, chunk.subarray(from, end + 1)]);
        const answer = tooLong || line.length > LONGEST_LINE ? lineTooLong() : checkLine(line.toString("utf8"));
        if (answer === null) this.push(line);
        else if (answer !== "blank") refuse(answer);
        [parts, held, tooLong, from] = [[], 0, false, end + 1];
      }
      if (from < chunk.length && !tooLong) {
        parts.push(Buffer.from(chunk.subarray(from)));
        held += chunk.length - from;
        if (held > LONGEST_LINE) [parts, held, tooLong] = [[], 0, true];
      }
      done();
    },
  });
}

function checkLine(line: string): LineError | "blank" | null {
  if (line.trim() === "") return "blank";
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return lineError(null, PARSE_ERROR, "Parse error: this line is not valid JSON. Send one JSON-RPC message a line.");
  }
  try {
    parseJSONRPCMessage(value);
    return null;
  } catch {
    return notAMessage(value);
  }
}

function notAMessage(value: unknown): LineError {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  const why = Array.isArray(value)
    ? "batches are not served; send one message a line"
    : 'a message has jsonrpc "2.0", a method, and an object as params';
  return lineError(typeof id === "string" || typeof id === "number" ? id : null, INVALID_REQUEST, `Invalid request: ${why}.`);
}

function lineTooLong(): LineError {
  return lineError(null, INVALID_REQUEST, `Invalid request: a line may have at most ${LONGEST_LINE} bytes.`);
}

function lineError(id: LineError["id"], code: number, message: string): LineError {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
