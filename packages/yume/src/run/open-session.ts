// Which conversation a run goes on with: a new one, a known one, or a copy of a known one.
import { readFileSync } from "node:fs";
import type { Options } from "../argv/options.ts";
import { randomUuid } from "../random-uuid.ts";
import { readHistory } from "../session/read-history.ts";
import { isSessionId, newSession, type Session } from "../session/session.ts";
import type { SessionStore } from "../session/session-store.ts";
import { YumeError } from "../yume-error.ts";

type Wanted = Pick<Options, "resume" | "continueLast" | "forkSession" | "sessionId" | "historyFile" | "dialect" | "persist">;

/** The session, locked for this process when it is kept on disk. `previous` is the id of a conversation that was copied. */
export function openSession(
  options: Wanted,
  store: SessionStore,
  cwd: string,
  now: Date,
): { session: Session; previous: string | null } {
  const { sessionId, resume } = options;
  if (sessionId !== null && !isSessionId(sessionId))
    throw new YumeError("usage", `"${sessionId}" is no session id: letters, digits, ".", "_" and "-" only, at most 128.`);
  let session: Session;
  let previous: string | null = null;
  if (resume !== null || options.continueLast) {
    if (resume !== null && store.exists(resume) && !options.forkSession) store.lock(resume);
    session = resume === null ? store.last(cwd) : store.read(resume);
    if (options.forkSession) {
      previous = session.id;
      session = { ...session, id: sessionId ?? randomUuid(), models: {} };
    }
  } else if (sessionId !== null && store.exists(sessionId)) {
    if (options.dialect === "claude")
      throw new YumeError("session", `Session ${sessionId} exists already. Use --resume ${sessionId} to go on with it.`);
    // Locked before it is read: what another process is about to write must not be lost.
    store.lock(sessionId);
    session = store.read(sessionId);
  } else session = newSession(sessionId ?? randomUuid(), cwd, now);
  if (options.persist) store.lock(session.id);
  if (options.historyFile !== null)
    session = { ...session, turns: readHistory(readFile(options.historyFile), options.historyFile) };
  return { session, previous };
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new YumeError("history", `The history file cannot be read: ${(error as Error).message}`, error);
  }
}
