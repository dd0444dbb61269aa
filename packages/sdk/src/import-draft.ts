// Importing is done to the store itself, so it is done where the store is and by nobody's client.
import type { DraftImport } from "@hap/protocol";

/** Take over the tickets of a store of the 0.1 draft; see D36. */
export async function importDraft(path: string, options: { dryRun: boolean; unverified: boolean }): Promise<DraftImport> {
  const { HapEngine } = await import("@hap/core");
  const engine = new HapEngine({});
  try {
    return engine.importDraft(path, options);
  } finally {
    engine.dispose();
  }
}
