// Where a run's events go: lines in a dialect, or only the answer for `--output-format text` and `json`.

import type { Options } from "../argv/options.ts";
import { ClaudeEncoder } from "../frames/claude-encoder.ts";
import type { Encoder, Frame } from "../frames/encoder.ts";
import type { LineWriter } from "../frames/line-writer.ts";
import type { Emit } from "../frames/run-event.ts";
import { YumeEncoder } from "../frames/yume-encoder.ts";
import { randomUuid } from "../random-uuid.ts";

/** An emitter for the options. `sessionId` is asked for each frame: it can change. */
export function makeEmit(options: Options, writer: LineWriter, sessionId: () => string): Emit {
  const identity = { session_id: sessionId, uuid: randomUuid };
  const encoder: Encoder =
    options.dialect === "claude"
      ? new ClaudeEncoder(identity, { partial: options.partialMessages, replay: options.replayUserMessages })
      : new YumeEncoder(identity);
  if (options.outputFormat === "stream-json")
    return (event) => {
      for (const frame of encoder.encode(event)) writer.write(frame);
    };
  return (event) => {
    if (event.type !== "result") return;
    const frame = encoder.encode(event)[0] as Frame;
    if (options.outputFormat === "json") writer.write(frame);
    else writer.writeText(`${frame.result}\n`);
  };
}
