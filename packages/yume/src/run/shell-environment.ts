// The environment of commands: the caller's, without the keys of model providers, and told that nobody sits at a terminal.

/** Keys that belong to the agent's own model, not to the project. */
const PROVIDER_KEYS = [
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "OLLAMA_API_KEY",
  "COPILOT_GITHUB_TOKEN",
];

/** What commands see. */
export function shellEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !PROVIDER_KEYS.includes(name)));
  // A pager or a prompt would wait for keys that nobody presses.
  return { ...kept, PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", TERM: "dumb" };
}
