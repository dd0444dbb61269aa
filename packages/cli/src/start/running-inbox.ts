// The note beside the store that says which server serves it now, so that other commands find its page.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { isAlive } from "../agent/running-agents.ts";

/** A server that runs: where people open its page, and where it listens on this machine. */
export type RunningInbox = { url: string; port: number; pid: number };

const LIMIT_MS = 2_000;
const noteOf = (store: string) => `${store}.server.json`;

/** Leave the note; returns what removes it again. */
export function noteInbox(store: string, inbox: RunningInbox): () => void {
  const path = noteOf(store);
  writeFileSync(path, `${JSON.stringify(inbox)}\n`, { mode: 0o600 });
  return () => {
    if (readNote(store)?.pid === inbox.pid) rmSync(path, { force: true });
  };
}

/** The server of this store; null when none runs. */
export async function findInbox(store: string): Promise<RunningInbox | null> {
  const inbox = readNote(store);
  return inbox !== null && isAlive(inbox.pid) && (await listens(inbox.port)) ? inbox : null;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: LIMIT_MS });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .once("connect", () => end(true))
      .once("error", () => end(false))
      .once("timeout", () => end(false));
  });
}

function readNote(store: string): RunningInbox | null {
  try {
    const { url, port, pid } = JSON.parse(readFileSync(noteOf(store), "utf8"));
    const valid = /^https?:$/.test(new URL(url).protocol) && Number.isInteger(port) && Number.isInteger(pid);
    return valid ? { url, port, pid } : null;
  } catch {
    return null;
  }
}
