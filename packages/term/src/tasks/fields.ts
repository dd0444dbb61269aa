// Reads fields of parsed TOML and YAML: a value of the expected type, or null.

export type Fields = Record<string, unknown>;

/** A table; empty where there is none. */
export function section(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A finite number above 0. */
export function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : null;
}

/** 2048, "2G", "512M", "2GiB": megabytes. */
export function megabytes(value: unknown): number | null {
  if (typeof value === "number") return number(value);
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?\s*$/i.exec(text(value) ?? "") ?? [];
  if (amount === undefined) return null;
  const factor = { k: 1 / 1024, m: 1, g: 1024, t: 1024 * 1024 }[(unit ?? "").toLowerCase()] ?? 1 / (1024 * 1024);
  return Math.max(1, Math.round(Number(amount) * factor));
}
