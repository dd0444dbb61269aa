// A host's file tool writes outside the sandbox. A process that a confined command left running could replace a folder by a link
// between our look at the path and that write, so the session is stopped for that time.
import { connectKeeper, isActive, sessionFolder } from "@hap/sandbox";
import { sessionKey } from "@hap/sandbox/session-key";

/** Stop what runs in the session's namespaces; the keeper continues it after a moment. */
export async function pauseSession(home: string, session: string): Promise<void> {
  const key = sessionKey(session);
  if (!isActive(home, key)) return;
  const keeper = await connectKeeper(sessionFolder(home, key));
  if (keeper === null) return;
  try {
    await keeper.ask({ ask: "pause" });
  } finally {
    keeper.close();
  }
}
