// Signs in visible code of another language (`python -c`, `awk`): no proof, they only raise what is asked about anyway.
import type { Effect } from "../effects.ts";
import type { Scan } from "../grammar/scan.ts";

const SIGNS: readonly (readonly [RegExp, Effect, string])[] = [
  [
    /b64decode|atob\s*\(|fromcharcode|unhexlify|frombase64|marshal\.loads|\bexec\s*\(|\beval\s*\(|["']hex["']/i,
    "opaque",
    "decodes or evaluates further code",
  ],
  [/\.ssh\b|\.aws\b|\.env\b(?!iron)|\.netrc|id_rsa|id_ed25519|\.gnupg|keychain/i, "credentials", "names credentials"],
  [
    /\.(?:claude|codex|hap|husky)\/|\.git\/(?:hooks|config|info)|\.mcp\.json|\.envrc/i,
    "gate_files",
    "names files that arm the gate",
  ],
  [/rmtree|rmsync|rm_rf|fs\.rm\b|rimraf|removedir|\brm -[a-z]*[rf]/i, "delete_outside", "deletes files"],
  [/\bsudo\b|setuid|seteuid/i, "privilege", "asks for more rights"],
  [/requests\.(?:post|put)|method:\s*["'](?:post|put)|http\.post|urlopen\([^)]*data\s*=/i, "send_data", "sends data"],
  [/urllib|requests\.|fetch\s*\(|https?:\/\/|net\.connect|\bsocket\b/i, "network", "talks to the network"],
];

const LONGEST = 16_384;

/** Notes every sign found in a piece of code. */
export function noteSigns(scan: Scan, program: string, code: string): void {
  if (code.length > LONGEST) scan.note("opaque", `${program} is given more code than is read here`);
  const read = code.slice(0, LONGEST);
  for (const [sign, effect, what] of SIGNS) {
    // What code deletes is bounded by the sandbox, and where it would connect to is not known: what it needs is not shown.
    const need = effect === "delete_outside" || effect === "network" ? null : undefined;
    if (sign.test(read)) scan.note(effect, `the code given to ${program} ${what}`, need);
  }
}
