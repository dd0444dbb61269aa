// All programs whose effects are known, in two maps: local ones, and those where a word like `production` names a place.
import { BUILTIN_HANDLERS } from "./builtins.ts";
import { DATABASE_HANDLERS } from "./databases.ts";
import { FILE_HANDLERS } from "./files.ts";
import { handleFind } from "./find.ts";
import { handleGit } from "./git.ts";
import type { Handler } from "./handler.ts";
import { INTERPRETER_HANDLERS } from "./interpreters.ts";
import { NETWORK_HANDLERS } from "./network.ts";
import { PRIVILEGE_HANDLERS } from "./privilege.ts";
import { VERB_HANDLERS } from "./verb-tools.ts";
import { WRAPPER_HANDLERS } from "./wrappers.ts";

/** Programs that act on this machine. */
export const LOCAL_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...FILE_HANDLERS,
  ...PRIVILEGE_HANDLERS,
  ...WRAPPER_HANDLERS,
  ...BUILTIN_HANDLERS,
  ["find", handleFind],
  ["git", handleGit],
]);

/** Programs that act elsewhere, or run code that may. */
export const REMOTE_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...VERB_HANDLERS,
  ...DATABASE_HANDLERS,
  ...NETWORK_HANDLERS,
  ...INTERPRETER_HANDLERS,
]);
