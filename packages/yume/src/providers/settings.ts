// How patient a provider is; from the options of the caller, else from the environment, else as below.

export type ProviderSettings = {
  /** A connection that is silent for so long is ended. */
  idleTimeoutMs: number;
  /** The first wait between two tries; it doubles. */
  retryBaseMs: number;
  /** How long overload, rate limits and outages are retried; 0 for three tries. */
  retryMs: number;
  /** How long an answer that is complete may take to tell its usage. */
  usageGraceMs: number;
};

export function readSettings(env: NodeJS.ProcessEnv, given: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    idleTimeoutMs: given.idleTimeoutMs ?? milliseconds(env.YUME_IDLE_TIMEOUT_MS) ?? 180_000,
    retryBaseMs: given.retryBaseMs ?? milliseconds(env.YUME_RETRY_BASE_MS) ?? 500,
    retryMs: given.retryMs ?? seconds(env.YUME_RETRY_SECONDS) ?? 600_000,
    usageGraceMs: given.usageGraceMs ?? milliseconds(env.YUME_USAGE_GRACE_MS) ?? 3_000,
  };
}

/** A day; a timer cannot take much more, and would end at once. */
const longestMs = 86_400_000;

function seconds(text: string | undefined): number | null {
  if (text === undefined || text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.min(value * 1_000, longestMs) : null;
}

function milliseconds(text: string | undefined): number | null {
  const value = Number(text ?? "");
  return Number.isFinite(value) && value > 0 ? Math.min(value, longestMs) : null;
}
