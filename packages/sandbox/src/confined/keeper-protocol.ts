// The protocol between `hap run --confined` and the keeper of a session: one line of JSON each way, over a socket in `~/.hap`, which
// confined commands cannot see.
import { connect, type Socket } from "node:net";
import { join } from "node:path";

/** `left`: note whether a process is left running. `pause`: stop the session for a moment. `end`: end it. */
export type KeeperRequest = { ask: "hello" | "freeze" | "thaw" | "left" | "pause" | "end"; since?: number };
export type KeeperReply = { holder: number; port: number; refused: string[]; left: boolean };

/** Call back for each line. */
export function readLines<Line>(socket: Socket, each: (line: Line) => void): void {
  let rest = "";
  socket.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) each(JSON.parse(line) as Line);
  });
}

/** A connection to the keeper of a session. */
export type Keeper = { ask: (request: KeeperRequest) => Promise<KeeperReply>; close: () => void };

/** Connect, or null where no keeper answers. */
export function connectKeeper(folder: string): Promise<Keeper | null> {
  const socket = connect(join(folder, "control"));
  return new Promise((resolve) => {
    socket.once("error", () => resolve(null));
    socket.once("connect", () => resolve(talk(socket)));
  });
}

function talk(socket: Socket): Keeper {
  const waiting: { resolve: (reply: KeeperReply) => void; reject: (error: Error) => void }[] = [];
  readLines<KeeperReply>(socket, (reply) => waiting.shift()?.resolve(reply));
  const lost = () => {
    for (const { reject } of waiting.splice(0)) reject(new Error("The session's namespaces ended meanwhile."));
  };
  socket.on("error", lost).on("close", lost);
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error("The session's namespaces ended meanwhile."));
        waiting.push({ resolve, reject });
        socket.write(`${JSON.stringify(request)}\n`);
      }),
    close: () => socket.destroy(),
  };
}
