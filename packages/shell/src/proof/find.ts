// `find` that only prints names. Actions that run, write or delete are not listed and therefore refused.
import type { Reader } from "./reading.ts";

const ALONE = new Set([
  "-print",
  "-print0",
  "-ls",
  "-depth",
  "-not",
  "-o",
  "-or",
  "-a",
  "-and",
  "-empty",
  "-prune",
  "-xdev",
  "-mount",
]);
const ALSO_ALONE = new Set([
  "-daystart",
  "-quit",
  "-true",
  "-false",
  "-readable",
  "-writable",
  "-executable",
  "!",
  "(",
  ")",
  ",",
]);
const WITH_VALUE = new Set([
  "-name",
  "-iname",
  "-path",
  "-ipath",
  "-wholename",
  "-iwholename",
  "-regex",
  "-iregex",
  "-regextype",
]);
const WITH_SHORT_VALUE = new Set([
  "-type",
  "-maxdepth",
  "-mindepth",
  "-size",
  "-perm",
  "-user",
  "-group",
  "-links",
  "-inum",
  "-printf",
]);
const WITH_TIME = new Set(["-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin"]);

/** Start folders, then tests and printing actions only. */
export const readFind: Reader = (args) => {
  const firstTest = args.findIndex((arg) => /^[-!(),]/.test(arg));
  const starts = firstTest < 0 ? args : args.slice(0, firstTest);
  const tests = firstTest < 0 ? [] : args.slice(firstTest);
  for (let at = 0; at < tests.length; at += 1) {
    const test = tests[at] ?? "";
    if (ALONE.has(test) || ALSO_ALONE.has(test)) continue;
    if (!WITH_VALUE.has(test) && !WITH_SHORT_VALUE.has(test) && !WITH_TIME.has(test)) return undefined;
    at += 1;
    if (tests[at] === undefined) return undefined;
  }
  return { names: starts.length === 0 ? ["."] : starts, contents: [] };
};
