// OpenAI's Codex, by driving its program.
import { byProgram, type ProviderKind } from "../provider-kind.ts";

export const codexCli: ProviderKind = {
  name: "codex-cli",
  keys: ["CODEX_API_KEY"],
  chosenBy: [],
  needsKey: () => false,
  hasWires: false,
  signIn: { by: "program", login: ["codex", "login"], logout: ["codex", "logout"], install: "npm install -g @openai/codex" },
  create: byProgram("codex-cli", async (env) => (await import("../programs/codex-cli.ts")).codexCli(env)),
};
