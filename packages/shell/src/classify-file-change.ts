// A file tool's change in the words of a command's effects. A write is never `harmless`: the policy weighs it (D11).
import { type Classification, conclude, type Finding, type ShellContext } from "./classification.ts";
import { classifyPath } from "./paths/classify-path.ts";
import { realPath } from "./paths/real-path.ts";
import { boundary } from "./paths/resolve-path.ts";
import { show } from "./show.ts";

/** One file that a tool wants to write or delete. */
export type FileChange = { readonly path: string; readonly op: "write" | "delete" };

/** Names the effects of one file change. */
export function classifyFileChange(change: FileChange, context: ShellContext): Classification {
  const place = classifyPath(change.path, context, change.op === "delete" ? "keep" : "follow");
  const path = show(change.path);
  const root = boundary(context);
  const realRoot = root === undefined || context.disk === undefined ? root : realPath(root, context.disk)?.path;
  const inside = place.inside && !(change.op === "delete" && place.resolved === realRoot);
  const findings: Finding[] = [{ effect: `${change.op}_${inside ? "inside" : "outside"}`, what: `${change.op}s ${path}` }];
  if (place.gate) findings.push({ effect: "gate_files", what: `${path} arms the gate or runs by itself` });
  if (place.secret) findings.push({ effect: "credentials", what: `${path} holds credentials` });
  if (change.op === "delete" && /\/\.git(?:\/|$)/i.test(place.resolved)) {
    findings.push({ effect: "irreversible_vcs", what: `${path} is version control data` });
  }
  return conclude(false, findings);
}
