// A conversation as it is kept: what was said, and what it has cost.
import type { ModelTotals } from "../frames/run-event.ts";
import type { Turn } from "../model/types.ts";

export const SESSION_VERSION = 1;

export type Session = {
  version: typeof SESSION_VERSION;
  id: string;
  created_at: string;
  updated_at: string;
  cwd: string;
  provider: string | null;
  model: string | null;
  turns: Turn[];
  models: Record<string, ModelTotals>;
  todos: unknown[];
  /** Calls that began to act; absent in sessions of earlier versions. */
  begun?: string[];
};

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** True for what may be a session's id: a name that cannot lead out of its folder. */
export function isSessionId(id: string): boolean {
  return ID.test(id) && !id.includes("..");
}

/** A conversation in which nothing was said yet. */
export function newSession(id: string, cwd: string, now: Date): Session {
  const at = now.toISOString();
  return {
    version: SESSION_VERSION,
    id,
    created_at: at,
    updated_at: at,
    cwd,
    provider: null,
    model: null,
    turns: [],
    models: {},
    todos: [],
    begun: [],
  };
}
