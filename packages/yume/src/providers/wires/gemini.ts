// Gemini, as a wire: Google's Gemini API with a key or a bearer token, or Vertex AI in a project.
import { bareModelName } from "../capabilities.ts";
import { googleAuth } from "../google/google-auth.ts";
import { PermanentModelError } from "../permanent-error.ts";
import type { Wire } from "../wire.ts";
import { GeminiDecoder } from "./gemini-decoder.ts";
import { geminiBody } from "./gemini-request.ts";
import { hostOf, withoutSlash } from "./openai-access.ts";

const geminiBase = "https://generativelanguage.googleapis.com";

export function geminiWire(env: NodeJS.ProcessEnv, apiBase: string | undefined): Wire {
  const auth = googleAuth(env);
  const vertex = /^(1|true)$/i.test(env.GOOGLE_GENAI_USE_VERTEXAI ?? "");
  const base = apiBase || (vertex ? env.GOOGLE_VERTEX_BASE_URL : env.GOOGLE_GEMINI_BASE_URL);
  const label = base ? `the Gemini server ${hostOf(base)}` : vertex ? "Vertex AI" : "Gemini";
  return {
    label,
    framing: "sse",
    authHint: auth.hint,
    learn: ({ kind }) => kind === "auth" && auth.renew(),
    call: async (request, signal) => {
      const { headers, secrets, project } = await auth.access(signal);
      const root = vertex ? vertexModels(env, base, project) : `${withVersion(base || geminiBase, "v1beta")}/models`;
      return {
        url: `${root}/${encodeURIComponent(bareName(request.model))}:streamGenerateContent?alt=sse`,
        headers: { accept: "text/event-stream", ...headers },
        secrets,
        body: geminiBody(request),
      };
    },
    decoder: (request) => new GeminiDecoder(request),
  };
}

/** `models/gemini-...` and `google/gemini-...` mean the same. Case is kept: tuned models have names of their own. */
const bareName = (model: string) => model.slice(model.length - bareModelName(model).length);

function vertexModels(env: NodeJS.ProcessEnv, base: string | undefined, found: string | null): string {
  const project = env.GOOGLE_CLOUD_PROJECT || found;
  const location = env.GOOGLE_CLOUD_LOCATION || "global";
  if (project === null || project === "")
    throw new PermanentModelError("auth", "Vertex AI needs a project: set GOOGLE_CLOUD_PROJECT (and GOOGLE_CLOUD_LOCATION)");
  const host = location === "global" ? "https://aiplatform.googleapis.com" : `https://${location}-aiplatform.googleapis.com`;
  const path = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}/publishers/google/models`;
  return `${withVersion(base || host, "v1")}/${path}`;
}

function withVersion(base: string, version: string): string {
  const url = withoutSlash(base);
  return /\/v[0-9]+((alpha|beta)[0-9]*)?$/.test(url) ? url : `${url}/${version}`;
}
