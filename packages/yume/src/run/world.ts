// What a run touches of the outside, given by `main` so that nothing else reaches for it.
import type { Readable, Writable } from "node:stream";
import type { CostOf } from "../loop/ledger.ts";
import type { ModelProvider } from "../model/types.ts";

type ProviderChoice = {
  provider: string;
  model?: string;
  apiBase?: string;
  wire?: "chat" | "responses";
  env: NodeJS.ProcessEnv;
  /** Where a program that is driven works. */
  cwd: string;
};

export type World = {
  env: NodeJS.ProcessEnv;
  home: string;
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable;
  now: () => Date;
  createProvider: (choice: ProviderChoice) => Promise<ModelProvider>;
  /** Prices of requests, null where none is known; `overrides` come from the settings. */
  loadPrices: (overrides: Record<string, unknown>) => Promise<CostOf>;
};
