// A provider over HTTP: one wire format, retried as `retry-plan.ts` says. What it yields last is a whole turn or nothing.
import { type ModelCapabilities, ModelError, type ModelEvent, type ModelProvider, type ModelRequest } from "../model/types.ts";
import { PermanentModelError } from "./permanent-error.ts";
import { readTurn } from "./read-turn.ts";
import { mostTries, planRetry, type RetryPlan } from "./retry-plan.ts";
import type { ProviderSettings } from "./settings.ts";
import { withSafeToolNames } from "./tool-names.ts";
import { errorFromResponse } from "./transport/http-error.ts";
import { type Answer, abortedError, Poster } from "./transport/post.ts";
import type { Wire, WireCall } from "./wire.ts";

type HttpProviderOptions = {
  name: string;
  defaultModel: string;
  wire: Wire;
  capabilities: (model: string) => ModelCapabilities;
  settings: ProviderSettings;
  env: NodeJS.ProcessEnv;
};

/** How often a wire may ask in another way before a refusal counts. */
const mostLessons = 3;

export class HttpProvider implements ModelProvider {
  readonly name: string;
  readonly default_model: string;
  readonly #options: HttpProviderOptions;
  readonly #poster: Poster;
  #answered = false;

  constructor(options: HttpProviderOptions) {
    this.name = options.name;
    this.default_model = options.defaultModel;
    this.#options = options;
    this.#poster = new Poster(options.env);
  }

  capabilities(model: string): ModelCapabilities {
    return this.#options.capabilities(model);
  }

  async *stream(request: ModelRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ModelEvent> {
    let firstFailureAt: number | null = null;
    let learned = 0;
    const { request: safe, restore } = withSafeToolNames(request);
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const event of this.#tryOnce(safe, signal)) yield restore(event);
        this.#answered = true;
        return;
      } catch (failure) {
        const error = failure instanceof ModelError ? failure : new PermanentModelError("bad_output", messageOf(failure));
        const now = performance.now();
        firstFailureAt ??= now;
        const wiser = learned < mostLessons && this.#options.wire.learn?.(error) === true;
        if (wiser) learned++;
        const plan: RetryPlan = wiser
          ? { again: true, delayMs: 0, mostTries }
          : planRetry(error, {
              attempt: attempt - learned,
              sinceFirstFailureMs: now - firstFailureAt,
              baseMs: this.#options.settings.retryBaseMs,
              patienceMs: request.impatient === true ? 0 : this.#options.settings.retryMs,
              answeredBefore: this.#answered,
              random: Math.random(),
            });
        if (!plan.again) throw plan.error;
        yield {
          type: "retry",
          attempt,
          max_retries: plan.mostTries,
          delay_ms: plan.delayMs,
          error: error.message,
          status: error.status,
        };
        await pause(plan.delayMs, signal);
      }
    }
  }

  async *#tryOnce(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { wire, settings } = this.#options;
    const call = await wire.call(request, signal);
    try {
      const answer = await this.#poster.post({
        url: call.url,
        headers: { "content-type": "application/json", ...call.headers },
        body: JSON.stringify(call.body),
        signal,
        idleTimeoutMs: settings.idleTimeoutMs,
        label: wire.label,
      });
      if (answer.status !== 200)
        throw errorFromResponse(answer.status, answer.headers, await readShort(answer), wire, Date.now());
      yield* readTurn(answer, wire, wire.decoder(request), settings);
    } catch (error) {
      throw error instanceof ModelError ? withoutSecrets(error, call) : error;
    }
  }
}

const longestErrorBytes = 64 * 1024;

async function readShort(answer: Answer): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > longestErrorBytes) break;
    }
  } catch (error) {
    // The status says enough when the explanation breaks off.
    if (error instanceof ModelError && error.kind === "aborted") throw error;
  } finally {
    answer.release();
  }
  return Buffer.concat(chunks).toString("utf8").slice(0, longestErrorBytes);
}

function withoutSecrets(error: ModelError, { secrets }: WireCall): ModelError {
  for (const secret of secrets.filter((text) => text.length > 3)) error.message = error.message.replaceAll(secret, "[secret]");
  return error;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(abortedError());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
