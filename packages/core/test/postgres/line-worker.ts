// The thread of a `LineThread`: one line, told what to do by messages.
import { parentPort, workerData } from "node:worker_threads";
import { Line } from "./line.ts";

const line = await Line.to(workerData as number);
const say = (message: unknown) => parentPort?.postMessage(message);
parentPort?.on(
  "message",
  async ({ name, args }: { name: "turnTo" | "cut" | "silence" | "loseAnswers" | "cutBefore"; args: unknown[] }) => {
    (line[name] as (...args: unknown[]) => void).apply(line, args);
    say("done");
  },
);
say(line.port);
