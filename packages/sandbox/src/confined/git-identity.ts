// Settings of git from the person's own configuration that a confined commit needs. Whether commits are signed is among them: one
// that cannot be signed inside fails, and is not made unsigned.
import { spawnSync } from "node:child_process";

const TAKEN = ["user.name", "user.email", "commit.gpgsign", "tag.gpgsign", "init.defaultbranch", "core.autocrlf", "pull.rebase"];

/** Name and value of each that is set. `path`: where to find git. */
export function gitIdentity(home: string, path: string): [string, string][] {
  const asked = spawnSync("git", ["config", "--global", "--list", "-z", "--includes"], {
    encoding: "utf8",
    timeout: 10_000,
    env: { PATH: path, HOME: home, LANG: "C.UTF-8" },
  });
  return (asked.stdout ?? "").split("\0").flatMap((entry) => {
    const [name = "", ...value] = entry.split("\n");
    return TAKEN.includes(name) && value.length > 0 ? [[name, value.join("\n")] satisfies [string, string]] : [];
  });
}
