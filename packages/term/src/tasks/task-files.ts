// Reads the files of a task's folder; a missing or malformed one is an error that names it.
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parse as parseYaml } from "yaml";
import { TermError } from "../term-error.ts";
import { type Fields, isFields } from "./fields.ts";
import { ComposeUnsupported, readCompose } from "./read-compose.ts";
import type { Compose } from "./service.ts";

export function parseFile(path: string, parse: (text: string) => unknown): Fields {
  try {
    const parsed = parse(readFileSync(path, "utf8"));
    if (isFields(parsed)) return parsed;
    throw new Error("expected keys and values");
  } catch (error) {
    throw new TermError("task_invalid", `${path} cannot be read: ${error instanceof Error ? error.message : error}`, error);
  }
}

export function readRequired(path: string): string {
  return readFileSync(required(path), "utf8");
}

export function required(path: string): string {
  if (existsSync(path)) return path;
  throw new TermError("task_invalid", `${path} is missing: a task of this kind needs ${basename(path)}.`);
}

export function existingFile(...paths: string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null;
}

/** The compose file of a folder, or why it cannot be run. */
export function readComposeFile(
  folder: string,
  base: string,
  env: Record<string, string>,
): { compose: Compose | null; unsupported: string | null } {
  const path = existingFile(`${folder}/docker-compose.yaml`, `${folder}/docker-compose.yml`);
  if (path === null) return { compose: null, unsupported: null };
  const parsed = parseFile(path, (content) => (parseYaml(content) as unknown) ?? {});
  try {
    return { compose: readCompose(parsed, folder, base, env), unsupported: null };
  } catch (error) {
    if (!(error instanceof ComposeUnsupported)) throw error;
    return { compose: null, unsupported: `term cannot run its ${basename(path)}: ${error.message}` };
  }
}
