// What the loop works with; the same for a run and for its sub-agents.
import type { Emit, PermissionDenial } from "../frames/run-event.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { Effort, ModelProvider } from "../model/types.ts";
import type { Gate } from "../permissions/gate.ts";
import type { Redact } from "../redact.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import type { Ledger } from "./ledger.ts";

type Thinking = { tokens: number | null; effort: Effort | null; mode: "adaptive" | "disabled" | null };

/** Tools by name. */
export type Toolbox = ReadonlyMap<string, Tool>;

export type Kit = {
  provider: ModelProvider;
  emit: Emit;
  gate: Gate;
  hooks: Hooks;
  ledger: Ledger;
  redact: Redact;
  world: Omit<ToolContext, "signal" | "toolUseId">;
  /** Where long results go. */
  outputs: string;
  denials: PermissionDenial[];
  /** How hard models think: changed by hosts while the run goes on. */
  thinking: Thinking;
  fallbackModel: string | null;
  /** What TodoWrite holds that is not done. */
  openTasks: () => string[];
};
