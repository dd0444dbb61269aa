import { expect, test } from "vitest";
import { planMounts } from "./mount-plan.ts";

const facts = {
  system: { bind: ["/usr"], links: [{ path: "/bin", target: "usr/bin" }] },
  home: "/home/u",
  project: "/home/u/p",
  session: { tmp: "/m/tmp", varTmp: "/m/var-tmp", home: "/m/home" },
  cache: "/c",
  toolchains: [],
  gitOutside: [],
  gitInside: [],
  readOnly: [],
};
const binds = (more: Partial<Parameters<typeof planMounts>[0]>) =>
  planMounts({ ...facts, ...more }).flatMap((step) => (step.do === "bind" ? [`${step.writable ? "rw" : "ro"} ${step.at}`] : []));

test("[CONFINE-MOUNTS-1] every folder above a protected path is a mount, the outermost first", () => {
  const found = binds({ readOnly: ["/home/u/p/a/b/.claude", "/home/u/p/.mcp.json"] });
  expect(found.slice(found.indexOf("rw /home/u/p"))).toEqual([
    "rw /home/u/p",
    "rw /home/u/p/a",
    "ro /home/u/p/.mcp.json",
    "rw /home/u/p/a/b",
    "ro /home/u/p/a/b/.claude",
  ]);
});

test("[CONFINE-MOUNTS-1] a writable git dir is a mount, with what runs code read-only over it", () => {
  const found = binds({ gitInside: ["/home/u/p/.git"], readOnly: ["/home/u/p/.git/config", "/home/u/p/.git/hooks"] });
  expect(found.slice(-3)).toEqual(["rw /home/u/p/.git", "ro /home/u/p/.git/config", "ro /home/u/p/.git/hooks"]);
});

test("[CONFINE-MOUNTS-1] nothing is mounted inside what is read-only as a whole", () => {
  expect(binds({ readOnly: ["/home/u/p/.git", "/home/u/p/.git/config"] }).at(-1)).toBe("ro /home/u/p/.git");
});
