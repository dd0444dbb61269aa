// What reading, writing or deleting one path means. A path that cannot be shown to be inside the project is outside.
import { classifyPath, type PathClass } from "../paths/classify-path.ts";
import { expandBraces } from "../paths/expand-braces.ts";
import { isGatePath } from "../paths/gate-files.ts";
import { realPath } from "../paths/real-path.ts";
import { boundary, resolvePath } from "../paths/resolve-path.ts";
import { isSecretPath } from "../paths/secret-files.ts";
import { expandGlob } from "../proof/expand-glob.ts";
import { show } from "../show.ts";
import type { Argument } from "./argument.ts";
import type { Scan } from "./scan.ts";
import { confinedNeed } from "./visible-inside.ts";

const NULL_DEVICE = /^\/dev\/(?:null|stdin|stdout|stderr|tty|zero|u?random|fd\/\d+)$/;
const RAW_DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper|md|dm-|loop|mem|kmem|port)/;
const SOCKET_DEVICE = /^\/dev\/(?:tcp|udp)\//;
const ACCOUNTS = /^\/(?:private\/)?etc\/(?:passwd|group|sudoers|pam|shadow|ssh|security|doas|ld\.so)/;
const SECRET_GLOB =
  /(?:^|\/)(?:\.(?:e|s|n|a|g|k|p)?[*?[{]|\.(?:env|ssh|aws|gnupg|netrc|npm)|id_)[^/]*$|\.(?:pem|key|env|p12|pfx)$/i;

/** Every place that the argument may mean, or undefined when only the running shell will know. */
function places(scan: Scan, arg: Argument, last: "follow" | "keep" = "follow"): readonly PathClass[] | undefined {
  if (arg.certainty === "dynamic") return undefined;
  const found: PathClass[] = [];
  for (const cwd of scan.cwds.current ?? [""]) {
    for (const text of meanings(arg, cwd, scan)) {
      // A `~` that is still there was quoted: a plain name.
      const plain = text.startsWith("~") ? `./${text}` : text;
      const path = resolvePath(plain, cwd, scan.context.home);
      if (path === undefined || [...scan.links].some((link) => path.startsWith(`${link}/`))) return undefined;
      found.push(classifyPath(plain, { ...scan.context, cwd }, last));
    }
  }
  return found;
}

/** The words that a pattern becomes; one that matches nothing stays as it is. */
function meanings(arg: Argument, cwd: string, { context }: Scan): readonly string[] {
  if (arg.certainty !== "pattern") return [arg.text];
  return expandBraces(arg.text).flatMap((text) => {
    const matches = context.disk !== undefined && /[*?]/.test(text) ? expandGlob(text, cwd, context.disk) : undefined;
    return matches === undefined ? [text] : [text, ...matches];
  });
}

/** The resolved paths of an argument, for remembering what the command itself wrote. */
export function resolveArgument(scan: Scan, arg: Argument): readonly string[] {
  return (places(scan, arg) ?? []).map(({ resolved }) => resolved);
}

/** Notes a secret that the argument names or may name. */
export function noteSecret(scan: Scan, arg: Argument, by: string): void {
  const secret = (text: string): boolean =>
    places(scan, { ...arg, text })?.some((place) => place.secret) ?? isSecretPath(text, scan.context.home);
  if (partsOf(arg.text).some(secret) || (arg.certainty === "pattern" && SECRET_GLOB.test(arg.text)))
    scan.note("credentials", `${by} touches credentials in ${show(arg.raw)}`);
}

/** Notes a gate path that the argument, or a value inside of it (`--file=x`, `-ox`), names or may name. */
export function noteGate(scan: Scan, arg: Argument, by: string): void {
  const texts = partsOf(arg.text).flatMap((text) => [text, ...text.split(/[,:]/)]);
  if (texts.some((text) => text !== "" && isGate(scan, { ...arg, text })))
    scan.note("gate_files", `${by} is given ${show(arg.raw)}, which arms the gate or runs by itself`);
}

/** The texts of a word that may be a path: all of it, an option's value behind `=`, or one attached to letters. */
function partsOf(text: string): readonly string[] {
  if (!text.startsWith("-") && !text.includes("=")) return [text];
  const attached = /^-\w+?(?=[./~])/.exec(text)?.[0] ?? /^-\w/.exec(text)?.[0] ?? "";
  return [...new Set([text, text.replace(/^[^=]*=/, ""), text.slice(attached.length)])].filter((part) => part !== "");
}

function isGate(scan: Scan, arg: Argument): boolean {
  return isGatePath(arg.text) || places(scan, arg)?.some((place) => place.gate) === true;
}

/** The effects of reading a path. */
export function readPath(scan: Scan, arg: Argument, by: string): void {
  noteSecret(scan, arg, by);
  noteSocket(scan, resolvedOr(places(scan, arg), arg), by);
  listPath(scan, arg, by);
}

/** The effects of looking at a path's name and attributes. */
export function listPath(scan: Scan, arg: Argument, by: string): void {
  const found = places(scan, arg);
  const paths = found?.map(({ resolved }) => resolved);
  if (paths?.every((path) => NULL_DEVICE.test(path)) === true) return;
  const inside = found?.every((place) => place.inside) === true;
  const what = `${by} reads ${show(arg.raw)}${inside ? "" : outsideBecause(paths)}`;
  scan.note(
    inside ? "read_inside" : "read_outside",
    what,
    inside ? undefined : confinedNeed(paths, "read", scan.context.projectRoot),
  );
}

/** The effects of creating or overwriting a path. */
export function writePath(scan: Scan, arg: Argument, by: string): void {
  const found = places(scan, arg);
  const paths = found?.map(({ resolved }) => resolved);
  if (paths?.every((path) => NULL_DEVICE.test(path)) === true) return;
  const seen = paths ?? [arg.text];
  if (noteSocket(scan, seen, by)) return;
  noteSecret(scan, arg, by);
  if (isGate(scan, arg)) scan.note("gate_files", `${by} changes ${show(arg.raw)}, which arms the gate or runs by itself`);
  if (seen.some((path) => RAW_DEVICE.test(path))) scan.note("delete_outside", `${by} overwrites the device ${show(arg.raw)}`);
  if (seen.some((path) => ACCOUNTS.test(path)))
    scan.note("privilege", `${by} changes ${show(arg.raw)}, which decides who may do what`);
  for (const path of paths ?? []) scan.written.add(path);
  const inside = found?.every((place) => place.inside) === true;
  const what = `${by} writes ${show(arg.raw)}${inside ? "" : outsideBecause(paths)}`;
  scan.note(
    inside ? "write_inside" : "write_outside",
    what,
    inside ? undefined : confinedNeed(paths, "write", scan.context.projectRoot),
  );
}

/** The effects of deleting a path; the project's root itself counts as outside. */
export function deletePath(scan: Scan, arg: Argument, by: string): void {
  const found = places(scan, arg, "keep");
  const paths = found?.map(({ resolved }) => resolved);
  const seen = paths ?? [arg.text];
  if (isGate(scan, arg)) scan.note("gate_files", `${by} deletes ${show(arg.raw)}, which arms the gate or runs by itself`);
  if (seen.some((path) => /\/\.(?:git|hg|jj|svn)(?:\/|$)/i.test(`/${path}`))) {
    scan.note("irreversible_vcs", `${by} deletes version control data in ${show(arg.raw)}`);
  }
  const root = boundary(scan.context);
  const realRoot = root === undefined || scan.context.disk === undefined ? root : realPath(root, scan.context.disk)?.path;
  const below = found?.every((place) => place.inside && place.resolved !== realRoot && place.resolved !== root) === true;
  const what = `${by} deletes ${show(arg.raw)}${below ? "" : outsideBecause(paths)}`;
  scan.note(
    below ? "delete_inside" : "delete_outside",
    what,
    below ? undefined : confinedNeed(paths, "write", scan.context.projectRoot),
  );
}

/** The effects of moving a path elsewhere: inside the project a change, outside it a loss there. */
export function movePath(scan: Scan, arg: Argument, by: string): void {
  if (places(scan, arg, "keep")?.every((place) => place.inside) === true) writePath(scan, arg, by);
  else deletePath(scan, arg, by);
}

function resolvedOr(found: readonly PathClass[] | undefined, arg: Argument): readonly string[] {
  return found?.map(({ resolved }) => resolved) ?? [arg.text];
}

function outsideBecause(paths: readonly string[] | undefined): string {
  return paths === undefined ? ", which cannot be shown to be inside the project" : ", not below the project's root";
}

function noteSocket(scan: Scan, paths: readonly string[], by: string): boolean {
  const socket = paths.find((path) => SOCKET_DEVICE.test(path));
  if (socket !== undefined) scan.note("send_data", `${by} opens a connection to ${show(socket)}`);
  return socket !== undefined;
}
