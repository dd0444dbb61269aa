// What differs between the command that was approved and the same command as it would run now. Pure.
import type { Binding } from "./binding.ts";

/** One sentence a difference; none when all of it is the same. */
export function differences(approved: Binding, now: Binding): string[] {
  const found: string[] = [];
  if (approved.executable !== now.executable)
    found.push(`The program is now ${now.executable}; approved was ${approved.executable}.`);
  else if (approved.executable_hash !== now.executable_hash) found.push(`The program ${now.executable} has changed.`);
  if (approved.cwd !== now.cwd) found.push(`The folder is now ${now.cwd}; approved was ${approved.cwd}.`);
  found.push(...changed(approved.files, now.files, (path) => `The file ${path}`));
  found.push(...changed(approved.env, now.env, (name) => `The variable ${name}`));
  found.push(...changed(approved.secret_env, now.secret_env, (name) => `The variable ${name}`));
  if (approved.stdin?.hash !== now.stdin?.hash) found.push(`The input ${approved.stdin?.file ?? ""} has changed.`);
  return found;
}

/** The same for any list of things with a hash each. */
export function changed(approved: Record<string, string>, now: Record<string, string>, name: (key: string) => string): string[] {
  const keys = [...new Set([...Object.keys(approved), ...Object.keys(now)])].filter((key) => approved[key] !== now[key]);
  return keys.map((key) => {
    const how = !Object.hasOwn(now, key) ? "is gone" : !Object.hasOwn(approved, key) ? "was not there then" : "has changed";
    return `${name(key)} ${how}.`;
  });
}
