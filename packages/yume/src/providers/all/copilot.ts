// GitHub Copilot, by driving its program.
import { byProgram, type ProviderKind } from "../provider-kind.ts";

export const copilot: ProviderKind = {
  name: "copilot",
  keys: ["COPILOT_GITHUB_TOKEN"],
  chosenBy: [],
  needsKey: () => false,
  hasWires: false,
  signIn: {
    by: "program",
    login: ["copilot", "login"],
    logout: ["copilot", "logout"],
    install: "npm install -g @github/copilot, or sign in with `gh auth login`",
  },
  create: byProgram("copilot", async () => (await import("../programs/copilot.ts")).copilotProgram()),
};
