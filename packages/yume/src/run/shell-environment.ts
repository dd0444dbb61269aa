// The environment of commands: the caller's, without the keys of model providers, and told that nobody sits at a terminal.
import { allProviders } from "../providers/index.ts";

/** Keys that belong to the agent's own model, not to the project. */
const PROVIDER_KEYS = new Set(allProviders.flatMap(({ keys }) => keys));

/** What commands see. */
export function shellEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !PROVIDER_KEYS.has(name)));
  // A pager or a prompt would wait for keys that nobody presses.
  return { ...kept, PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", TERM: "dumb" };
}
