// Where an OpenAI API is and who we are there, from the variables that OpenAI's own clients read.
import { PermanentModelError } from "../permanent-error.ts";

export type OpenAiAccess = {
  label: string;
  base: string;
  official: boolean;
  /** Nothing is sent without a key. */
  needsKey: boolean;
  key: string | null;
  organization: string | null;
  project: string | null;
  authHint: string;
};

const officialBase = "https://api.openai.com/v1";

export function openAiAccess(env: NodeJS.ProcessEnv, apiBase: string | undefined): OpenAiAccess {
  const base = withoutSlash(apiBase || env.OPENAI_BASE_URL || officialBase);
  const official = base === officialBase;
  return {
    label: official ? "OpenAI" : `the OpenAI-compatible server ${hostOf(base)}`,
    base,
    official,
    needsKey: official,
    key: env.OPENAI_API_KEY || null,
    organization: env.OPENAI_ORG_ID || null,
    project: env.OPENAI_PROJECT_ID || null,
    authHint: env.OPENAI_API_KEY
      ? "The key in OPENAI_API_KEY was not accepted: set it to a valid one."
      : "Set OPENAI_API_KEY to your key.",
  };
}

/** `codex` is the Responses API with our tools (D28); servers that imitate OpenAI speak chat. */
export function openAiFormat(
  provider: string,
  { official }: OpenAiAccess,
  wanted: "chat" | "responses" | undefined,
): "chat" | "responses" {
  return wanted ?? (provider === "codex" || official ? "responses" : "chat");
}

/** A server of one's own often needs no key; a vendor is not even asked without one. */
export function openAiHeaders({ key, label, organization, project, needsKey, authHint }: OpenAiAccess): Record<string, string> {
  if (needsKey && key === null) throw new PermanentModelError("auth", `${label} wants a key, and there is none. ${authHint}`);
  return {
    accept: "text/event-stream",
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(organization !== null && { "openai-organization": organization }),
    ...(project !== null && { "openai-project": project }),
  };
}

export const openAiSecrets = ({ key }: OpenAiAccess): string[] => (key === null ? [] : [key]);

export const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

export const hostOf = (url: string): string => URL.parse(url)?.host || url;
