// What reading, writing or deleting one path means. A path that cannot be shown to be inside the project is outside.
import type { ShellContext } from "../classification.ts";
import { classifyPath } from "../paths/classify-path.ts";
import { isGatePath } from "../paths/gate-files.ts";
import { boundary, resolvePath } from "../paths/resolve-path.ts";
import { isSecretPath } from "../paths/secret-files.ts";
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
function places(scan: Scan, arg: Argument): readonly string[] | undefined {
  if (arg.certainty === "dynamic") return undefined;
  const found: string[] = [];
  for (const cwd of scan.cwds.current ?? [undefined]) {
    // A `~` that is still there was quoted: a plain name.
    const path = resolvePath(arg.text.startsWith("~") ? `./${arg.text}` : arg.text, cwd, scan.context.home);
    if (path === undefined || [...scan.links].some((link) => path.startsWith(`${link}/`))) return undefined;
    found.push(path);
  }
  return found;
}

/** The resolved paths of an argument, for remembering what the command itself wrote. */
export function resolveArgument(scan: Scan, arg: Argument): readonly string[] {
  return places(scan, arg) ?? [];
}

/** Notes a secret that the argument names or may name. */
export function noteSecret(scan: Scan, arg: Argument, by: string): void {
  const paths = places(scan, arg) ?? [arg.text];
  const secret = paths.some(isSecretPath) || (arg.certainty === "pattern" && SECRET_GLOB.test(arg.text));
  if (secret) scan.note("credentials", `${by} touches credentials in ${show(arg.raw)}`);
}

/** The effects of reading a path. */
export function readPath(scan: Scan, arg: Argument, by: string): void {
  noteSecret(scan, arg, by);
  noteSocket(scan, places(scan, arg) ?? [arg.text], by);
  listPath(scan, arg, by);
}

/** The effects of looking at a path's name and attributes. */
export function listPath(scan: Scan, arg: Argument, by: string): void {
  const paths = places(scan, arg);
  if (paths?.every((path) => NULL_DEVICE.test(path)) === true) return;
  const inside = isInside(scan.context, paths);
  const what = `${by} reads ${show(arg.raw)}${inside ? "" : outsideBecause(paths)}`;
  scan.note(inside ? "read_inside" : "read_outside", what, inside ? undefined : confinedNeed(paths, "read"));
}

/** The effects of creating or overwriting a path. */
export function writePath(scan: Scan, arg: Argument, by: string): void {
  const paths = places(scan, arg);
  if (paths?.every((path) => NULL_DEVICE.test(path)) === true) return;
  const seen = paths ?? [arg.text];
  if (noteSocket(scan, seen, by)) return;
  noteSecret(scan, arg, by);
  if (seen.some(isGatePath)) scan.note("gate_files", `${by} changes ${show(arg.raw)}, which arms the gate or runs by itself`);
  if (seen.some((path) => RAW_DEVICE.test(path))) scan.note("delete_outside", `${by} overwrites the device ${show(arg.raw)}`);
  if (seen.some((path) => ACCOUNTS.test(path)))
    scan.note("privilege", `${by} changes ${show(arg.raw)}, which decides who may do what`);
  for (const path of paths ?? []) scan.written.add(path);
  const inside = isInside(scan.context, paths);
  const what = `${by} writes ${show(arg.raw)}${inside ? "" : outsideBecause(paths)}`;
  scan.note(inside ? "write_inside" : "write_outside", what, inside ? undefined : confinedNeed(paths, "write"));
}

/** The effects of deleting a path; the project's root itself counts as outside. */
export function deletePath(scan: Scan, arg: Argument, by: string): void {
  const paths = places(scan, arg);
  const seen = paths ?? [arg.text];
  if (seen.some(isGatePath)) scan.note("gate_files", `${by} deletes ${show(arg.raw)}, which arms the gate or runs by itself`);
  if (seen.some((path) => /\/\.(?:git|hg|jj|svn)(?:\/|$)/i.test(`/${path}`))) {
    scan.note("irreversible_vcs", `${by} deletes version control data in ${show(arg.raw)}`);
  }
  const root = boundary(scan.context);
  const below = isInside(scan.context, paths) && paths?.every((path) => path !== root) === true;
  const what = `${by} deletes ${show(arg.raw)}${below ? "" : outsideBecause(paths)}`;
  scan.note(below ? "delete_inside" : "delete_outside", what, below ? undefined : confinedNeed(paths, "write"));
}

/** The effects of moving a path elsewhere: inside the project a change, outside it a loss there. */
export function movePath(scan: Scan, arg: Argument, by: string): void {
  if (isInside(scan.context, places(scan, arg))) writePath(scan, arg, by);
  else deletePath(scan, arg, by);
}

function isInside(context: ShellContext, paths: readonly string[] | undefined): boolean {
  return paths?.every((path) => classifyPath(path, context).inside) === true;
}

function outsideBecause(paths: readonly string[] | undefined): string {
  return paths === undefined ? ", which cannot be shown to be inside the project" : ", not below the project's root";
}

function noteSocket(scan: Scan, paths: readonly string[], by: string): boolean {
  const socket = paths.find((path) => SOCKET_DEVICE.test(path));
  if (socket !== undefined) scan.note("send_data", `${by} opens a connection to ${show(socket)}`);
  return socket !== undefined;
}
