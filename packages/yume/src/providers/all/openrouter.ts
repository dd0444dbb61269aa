// OpenRouter: many vendors' models behind one key, in the words of Chat Completions. Its sign-in in the browser is open to every program.
import { overHttp, type ProviderKind } from "../provider-kind.ts";
import { hostOf, withoutSlash } from "../wires/openai-access.ts";
import { chatWire } from "../wires/openai-chat.ts";

const officialBase = "https://openrouter.ai/api/v1";
const baseOf = (env: Readonly<NodeJS.ProcessEnv>, apiBase?: string) =>
  withoutSlash(apiBase || env.OPENROUTER_BASE_URL || officialBase);

export const openrouter: ProviderKind = {
  name: "openrouter",
  keys: ["OPENROUTER_API_KEY"],
  chosenBy: ["OPENROUTER_API_KEY"],
  needsKey: (env, apiBase) => baseOf(env, apiBase) === officialBase,
  hasWires: false,
  signIn: {
    by: "browser",
    page: (env) => `${baseOf(env).replace(/\/api\/v1$/, "")}/auth`,
    exchange: (env) => `${baseOf(env)}/auth/keys`,
  },
  create: overHttp("openrouter", "openai/gpt-5.4", ({ env, apiBase }) => {
    const base = baseOf(env, apiBase);
    return chatWire({
      label: base === officialBase ? "OpenRouter" : `OpenRouter at ${hostOf(base)}`,
      base,
      official: false,
      needsKey: base === officialBase,
      key: env.OPENROUTER_API_KEY || null,
      organization: null,
      project: null,
      authHint: "Run `yume-cli auth login --provider openrouter`, or set OPENROUTER_API_KEY to your key.",
    });
  }),
};
