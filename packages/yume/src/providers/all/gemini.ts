// Google's Gemini, by its own API or Vertex AI.
import { overHttp, type ProviderKind } from "../provider-kind.ts";
import { geminiWire } from "../wires/gemini.ts";

export const gemini: ProviderKind = {
  name: "gemini",
  keys: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
  chosenBy: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  // Google has other ways to know who one is.
  needsKey: () => false,
  hasWires: false,
  signIn: {
    by: "program",
    login: ["gcloud", "auth", "application-default", "login"],
    logout: ["gcloud", "auth", "application-default", "revoke"],
    install: "the Google Cloud CLI; or create a key at https://aistudio.google.com/apikey and set GEMINI_API_KEY",
  },
  create: overHttp("gemini", "gemini-3.6-flash", ({ env, apiBase }) => geminiWire(env, apiBase)),
};
