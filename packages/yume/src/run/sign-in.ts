// `auth login` and `auth logout`. Programs that we drive, and Google's, have a sign-in of their own, which is run here; the other providers
// give browser sign-in to their own programs only, so that one line says where the key comes from.
import { spawn } from "node:child_process";
import type { World } from "./world.ts";

type SignIn = { login: readonly string[]; logout: readonly string[]; install: string };

const PROGRAMS: Readonly<Record<string, SignIn>> = {
  copilot: {
    login: ["copilot", "login"],
    logout: ["copilot", "logout"],
    install: "npm install -g @github/copilot, or sign in with `gh auth login`",
  },
  "codex-cli": { login: ["codex", "login"], logout: ["codex", "logout"], install: "npm install -g @openai/codex" },
  gemini: {
    login: ["gcloud", "auth", "application-default", "login"],
    logout: ["gcloud", "auth", "application-default", "revoke"],
    install: "the Google Cloud CLI; or create a key at https://aistudio.google.com/apikey and set GEMINI_API_KEY",
  },
};

const KEYS: Readonly<Record<string, string>> = {
  openai: "Create a key at https://platform.openai.com/api-keys and set OPENAI_API_KEY",
  codex: "Create a key at https://platform.openai.com/api-keys and set OPENAI_API_KEY (ChatGPT plans: --provider codex-cli)",
  anthropic: "Create a key at https://console.anthropic.com/settings/keys and set ANTHROPIC_API_KEY",
  ollama:
    "Ollama needs no key on this machine. For its cloud, create one at https://ollama.com/settings/keys and set OLLAMA_API_KEY",
};

/** Sign in or out; the exit code of the program that does it, or 1 with the line that helps. */
export async function signIn(action: "login" | "logout", provider: string, { env, stderr }: World): Promise<number> {
  const program = PROGRAMS[provider];
  if (program === undefined) {
    const where = KEYS[provider] ?? "Name a provider with --provider";
    const words =
      action === "logout"
        ? `yume-cli keeps no key of ${provider}: take it out of the environment or of ~/.yume/config.json`
        : `${where}, or name a command that prints it: providers.${provider}.keyCommand in ~/.yume/config.json`;
    stderr.write(`${words}.\n`);
    return 1;
  }
  const [command = "", ...args] = program[action];
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: "inherit" });
    child.on("error", () => {
      stderr.write(`${command} is not installed. Install ${program.install}.\n`);
      resolve(1);
    });
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
