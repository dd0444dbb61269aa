// Programs that are not known may still run a command given in their words (`poetry run rm -rf ~`, `script -c '...'`).
// Words that would be dangerous as a command are looked at as one; this only ever adds findings.
import type { Call } from "../grammar/scan.ts";

const DANGEROUS = [
  ...[
    "rm",
    "rmdir",
    "shred",
    "dd",
    "mkfs",
    "rimraf",
    "sudo",
    "su",
    "doas",
    "chown",
    "curl",
    "wget",
    "nc",
    "ncat",
    "socat",
    "ssh",
    "scp",
    "rsync",
  ],
  ...[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "eval",
    "python",
    "python3",
    "perl",
    "ruby",
    "node",
    "git",
    "env",
    "xargs",
    "find",
    "kill",
    "pkill",
  ],
  ...["psql", "mysql", "mongosh", "redis-cli", "dropdb", "terraform", "kubectl", "aws"],
];
const PROGRAMS = new Set(DANGEROUS);
const TEXT = new RegExp(`^[\\s:!]*(?:(?:cd \\S+ *(?:&&|;) *)?(?:${DANGEROUS.join("|")}))\\s`);

/** Looks at a command among the words; with `after`, only behind a word such as `exec` or `--`. */
export function noteEmbedded({ scan, args, stdin }: Pick<Call, "scan" | "args" | "stdin">, after?: RegExp): void {
  const start = after === undefined ? 0 : args.findIndex((arg) => after.test(arg.text)) + 1;
  if (after !== undefined && start === 0) return;
  const rest = args.slice(start);
  const at = rest.findIndex((arg) => arg.certainty === "exact" && PROGRAMS.has(arg.text));
  if (at >= 0) scan.runCall(rest.slice(at), stdin);
  for (const arg of rest) if (TEXT.test(arg.text)) scan.runText(arg.text.replace(/^[\s:!]+/, ""), stdin);
}
