// Ends the process from another thread when the main one no longer answers: a timer of the main thread cannot fire while a
// classification or a pattern keeps it busy. A killed hook is a no: the guard around it answers.
import { Worker } from "node:worker_threads";

/** Without a sign of life for so long, the main thread counts as stuck. Far below what hosts wait. */
const STUCK_MS = 15_000;
const BEAT_MS = 500;

const WATCH = `
const { parentPort, workerData } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const beats = new Int32Array(workerData.beats);
let last = -1;
let since = Date.now();
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last) { last = beat; since = Date.now(); return; }
  if (Date.now() - since < workerData.stuckMs) return;
  try { writeSync(2, "HAP refuses this call because it took too long to read it.\\n"); } catch {}
  process.kill(process.pid, "SIGKILL");
}, workerData.beatMs);
parentPort.postMessage("watching");
`;

/** Watch this process until it ends. */
export async function startWatchdog(stuckMs = STUCK_MS): Promise<void> {
  const beats = new SharedArrayBuffer(4);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), BEAT_MS).unref();
  const worker = new Worker(WATCH, {
    eval: true,
    execArgv: [],
    workerData: { beats, stuckMs, beatMs: Math.min(BEAT_MS, stuckMs / 3) },
  });
  await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  worker.unref();
}
