// Programs that create, copy, move or delete files, as a table of what their operands are.
import { type Argument, exactly } from "../grammar/argument.ts";
import { readOptions } from "../grammar/read-options.ts";
import type { Call } from "../grammar/scan.ts";
import { deletePath, movePath, noteGate, readPath, resolveArgument, writePath } from "../grammar/touch-path.ts";
import { isGatePath } from "../paths/gate-files.ts";
import { show } from "../show.ts";
import type { Handler } from "./handler.ts";

type FileRule = {
  /** What happens to each operand; `copy` and `move` write the last one (or `-t`) and read or take away the others. */
  readonly operands: "write" | "delete" | "copy" | "move";
  /** Options with a value. */
  readonly letters?: string;
  readonly long?: readonly string[];
};

const FILE_RULES: Readonly<Record<string, FileRule>> = {
  rm: { operands: "delete" },
  rmdir: { operands: "delete" },
  unlink: { operands: "delete" },
  shred: { operands: "delete", letters: "n:s:", long: ["iterations=", "size=", "random-source="] },
  srm: { operands: "delete" },
  trash: { operands: "delete" },
  rimraf: { operands: "delete" },
  touch: { operands: "write", letters: "d:r:t:", long: ["date=", "reference="] },
  mkdir: { operands: "write", letters: "m:", long: ["mode="] },
  mkfifo: { operands: "write", letters: "m:" },
  tee: { operands: "write" },
  truncate: { operands: "write", letters: "s:r:", long: ["size=", "reference="] },
  gzip: { operands: "write" },
  gunzip: { operands: "write" },
  bzip2: { operands: "write" },
  xz: { operands: "write" },
  zstd: { operands: "write" },
  cp: { operands: "copy", letters: "t:S:", long: ["target-directory=", "suffix="] },
  ln: { operands: "copy", letters: "t:S:", long: ["target-directory=", "suffix="] },
  install: { operands: "copy", letters: "m:o:g:t:S:", long: ["mode=", "owner=", "group=", "target-directory="] },
  mv: { operands: "move", letters: "t:S:", long: ["target-directory=", "suffix="] },
};

function handleFile(call: Call, rule: FileRule): void {
  const options = readOptions(call.args, rule.letters, rule.long);
  const by = call.program;
  if (options.has("strip-program")) call.scan.note("unknown", `${by} runs a program of its own`);
  if (rule.operands === "write") for (const path of options.operands) writePath(call.scan, path, by);
  if (rule.operands === "delete") for (const path of options.operands) deletePath(call.scan, path, by);
  if (rule.operands !== "copy" && rule.operands !== "move") return;
  const named = options.values("t", "target-directory");
  const sources = named.length > 0 ? options.operands : options.operands.slice(0, -1);
  for (const source of sources) {
    readPath(call.scan, source, by);
    if (rule.operands === "move") movePath(call.scan, source, by);
  }
  const target = named[0] ?? options.operands.at(-1);
  if (target === undefined) return;
  writePath(call.scan, target, by);
  for (const source of sources) noteArrival(call, source, target);
}

/** In a folder the file keeps its name: `cp x/.claude .` writes `./.claude`. A link made here leads who knows where. */
function noteArrival({ scan, program }: Call, source: Argument, target: Argument): void {
  const name = source.text.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const arrival = `${target.text}/${name}`;
  if (isGatePath(arrival))
    scan.note("gate_files", `${program} may write ${show(arrival)}, which arms the gate or runs by itself`);
  if (program !== "ln") return;
  noteGate(scan, source, "ln");
  for (const path of [...resolveArgument(scan, target), ...resolveArgument(scan, { ...target, text: arrival })])
    scan.links.add(path);
}

/** `dd if=... of=...`. */
function handleDd({ scan, args }: Call): void {
  for (const arg of args) {
    const [, side, path] = /^(if|of)=(.*)$/s.exec(arg.text) ?? [];
    if (path === undefined) continue;
    const file = { ...arg, text: path, raw: path };
    if (side === "of") writePath(scan, file, "dd");
    else readPath(scan, file, "dd");
  }
}

/** `sed`: `-i` writes its files, and a script may write or run (`w`, `e`) unless it is a plain substitution. */
function handleSed({ scan, args }: Call): void {
  const options = readOptions(args, "e:f:l:", ["expression=", "file="]);
  const scripts = options.values("e", "expression");
  const script = scripts.length > 0 ? scripts : options.operands.slice(0, 1);
  const files = scripts.length > 0 || options.has("f", "file") ? options.operands : options.operands.slice(1);
  for (const file of files) {
    if (options.has("i", "in-place")) writePath(scan, file, "sed");
    else readPath(scan, file, "sed");
  }
  const plain = script.every(
    (text) => text.certainty === "exact" && /^(?:[\d,$]*[pd]|s([/|#,])(?:(?!\1).)*\1(?:(?!\1).)*\1[gpIi\d]*)$/.test(text.text),
  );
  if (!plain || options.has("f", "file")) scan.note("unknown", `sed runs the script ${show(script[0]?.raw ?? "in a file")}`);
  else if (files.length === 0) scan.note("read_inside", "sed reads its input");
}

const RUNS = ["to-command", "use-compress-program", "checkpoint-action", "rsh-command", "info-script", "new-volume-script"];

/** `tar`: extracting writes a folder, creating reads files and writes an archive, and some options run commands. */
function handleTar({ scan, args }: Call): void {
  const [first, ...rest] = args;
  const dashed = first !== undefined && /^[A-Za-z]+$/.test(first.text) ? [{ ...first, text: `-${first.text}` }, ...rest] : args;
  const options = readOptions(dashed, "f:C:T:X:I:F:", ["file=", "directory=", ...RUNS.map((name) => `${name}=`)]);
  const folder = options.values("C", "directory")[0] ?? exactly(".");
  const archive = options.values("f", "file").filter((file) => file.text !== "-");
  if (options.has("I", "F", "T", "files-from", ...RUNS)) scan.note("unknown", "tar runs a program or takes names from a file");
  for (const command of options.values("I", "F", ...RUNS))
    scan.runText(command.text.replace(/^exec=/, ""), { kind: "inherited" });
  if (options.has("x", "extract", "get")) {
    writePath(scan, folder, "tar");
    scan.note("unknown", "tar unpacks files that are not shown");
  }
  // A file named `--checkpoint-action=...` becomes an option.
  if (options.operands.some((file) => file.certainty === "pattern" && /^[*?[]/.test(file.text))) {
    scan.note("unknown", "tar takes file names that may be options");
  }
  const creates = options.has("c", "create", "r", "append", "u", "update", "A");
  for (const file of archive) {
    if (file.text.includes(":")) scan.note("send_data", `tar uses an archive on another machine: ${show(file.raw)}`);
    (creates ? writePath : readPath)(scan, file, "tar");
  }
  if (creates) for (const file of [...options.operands, ...options.values("C", "directory")]) readPath(scan, file, "tar");
  if (options.has("remove-files")) for (const file of options.operands) deletePath(scan, file, "tar");
  if (options.has("t", "list") && archive.length === 0) scan.note("read_inside", "tar lists its input");
}

/** Unpacks an archive into `-d` or the current folder. */
function handleUnzip({ scan, args }: Call): void {
  const options = readOptions(args, "d:x:");
  for (const file of options.operands) readPath(scan, file, "unzip");
  writePath(scan, options.values("d")[0] ?? exactly("."), "unzip");
  scan.note("unknown", "unzip unpacks files that are not shown");
}

/** Formats or repartitions whatever it is given. */
const wipes: Handler = ({ scan, program, args }) =>
  scan.note("delete_outside", `${program} destroys what is on ${show(args.map((arg) => arg.raw).join(" "))}`);

/** Programs whose effects are on files. */
export const FILE_HANDLERS: readonly (readonly [string, Handler])[] = [
  ...Object.entries(FILE_RULES).map(([name, rule]) => [name, (call: Call) => handleFile(call, rule)] as const),
  ["dd", handleDd],
  ["sed", handleSed],
  ["tar", handleTar],
  ["bsdtar", handleTar],
  ["unzip", handleUnzip],
  ...["mkfs", "mke2fs", "mkswap"].map((name) => [name, wipes] as const),
  ...["fdisk", "sfdisk", "sgdisk", "parted", "wipefs", "diskutil", "blkdiscard", "hdparm", "cryptsetup"].map(
    (name) => [name, wipes] as const,
  ),
];
