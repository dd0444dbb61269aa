// The end of a host's session ends its namespaces, and everything that was left running in them.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { connectKeeper, sessionFolder } from "@hap/sandbox";
import { sessionKey } from "@hap/sandbox/session-key";

/** Tell the keeper, and forget what was issued. */
export async function endSession(home: string, session: string): Promise<void> {
  const key = sessionKey(session);
  rmSync(join(home, ".hap", "issued", key), { recursive: true, force: true });
  const keeper = await connectKeeper(sessionFolder(home, key));
  if (keeper === null) return;
  await keeper.ask({ ask: "end" }).catch(() => {});
  keeper.close();
}
