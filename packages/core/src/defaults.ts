// The one file that reads the environment, and only when the caller gives nothing: home folder, HAP_DB_PATH, HAP_DATABASE_URL,
// HAP_DATABASE_DIRECT_URL, HAP_SPACE, HAP_HUMAN_ID, HAP_COMMAND.
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { DEFAULT_SPACE, HapError, parseHumanId, toIdName } from "@hap/protocol";

/** The home folder. */
export function defaultHome(): string {
  return homedir();
}

/** Where the store lies: the path given, else HAP_DB_PATH, else ~/.hap/hap.db. `~` is the home folder. */
export function resolveDbPath(given: string | undefined, home: string): string {
  const path = given ?? process.env.HAP_DB_PATH ?? "";
  if (path === "") return join(home, ".hap", "hap.db");
  if (path.includes("\0"))
    throw new HapError("invalid_input", "The path of the store holds a NUL character.", { field: "dbPath" });
  if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
  return isAbsolute(path) ? path : resolve(path);
}

/** The PostgreSQL that holds the store, and the space in it; null where the store is a file. */
export function resolveDatabase(given: {
  dbPath?: string | undefined;
  space?: string | undefined;
}): { url: string; space: string; directUrl?: string } | null {
  const url = process.env.HAP_DATABASE_URL ?? "";
  if (given.dbPath !== undefined || url === "") return null;
  checkAddress(url, "HAP_DATABASE_URL");
  const space = given.space ?? (process.env.HAP_SPACE || DEFAULT_SPACE);
  const directUrl = process.env.HAP_DATABASE_DIRECT_URL ?? "";
  if (directUrl === "") return { url, space };
  checkAddress(directUrl, "HAP_DATABASE_DIRECT_URL");
  return { url, space, directUrl };
}

function checkAddress(url: string, field: string): void {
  if (/^postgres(ql)?:\/\//.test(url)) return;
  throw new HapError("invalid_input", `${field} must be an address such as postgres://user:password@host/database.`, { field });
}

/** How people run HAP on this store: HAP_COMMAND, else plainly `hap`. A server under another user is not reached by that. */
export function ownCommand(): string {
  return process.env.HAP_COMMAND || "hap";
}

/** Who acts, when somebody said so: the option, else HAP_HUMAN_ID. */
export function statedPerson(given: string | undefined): string | null {
  const id = given ?? process.env.HAP_HUMAN_ID ?? "";
  return id === "" ? null : parseHumanId(id, given === undefined ? "HAP_HUMAN_ID" : "humanId");
}

/** The person at this account: whoever HAP_HUMAN_ID names, else whoever ran `hap start` on this store, else the local user. */
export function localPerson(given: string | undefined, remembered: string | undefined): string {
  return statedPerson(given) ?? remembered ?? `human:${toIdName(localUser())}`;
}

function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the system's list has no name.
    return "local";
  }
}
