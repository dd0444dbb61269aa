// Keys from sign-ins in the browser, in ~/.yume/credentials.json, readable by this user only.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { YumeError } from "../yume-error.ts";

const pathIn = (home: string) => join(home, ".yume", "credentials.json");

/** The key of a provider, or null. */
export function readCredential(home: string, provider: string): string | null {
  const key = readAll(home)[provider];
  return typeof key === "string" && key !== "" ? key : null;
}

/** Keep a key, or forget it with null. */
export function writeCredential(home: string, provider: string, key: string | null): void {
  const { [provider]: _, ...others } = readAll(home);
  const all = key === null ? others : { ...others, [provider]: key };
  const temporary = `${pathIn(home)}.${process.pid}.tmp`;
  mkdirSync(join(home, ".yume"), { recursive: true, mode: 0o700 });
  writeFileSync(temporary, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, pathIn(home));
}

function readAll(home: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(pathIn(home), "utf8");
  } catch {
    return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new YumeError("provider", `${pathIn(home)} is not a JSON object. Correct it, or remove it and sign in again.`);
}
