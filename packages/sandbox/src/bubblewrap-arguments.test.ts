// The allow-list of sandboxes: what is on it, what never is, and the arguments that follow from it.
import { expect, it } from "vitest";
import { systemFolders } from "./allow-list.ts";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";

it("[YUME-BASH-4] shows a sandbox programs and a few files of /etc, links as links, and nothing that is not there", () => {
  const there: Record<string, { link: string | null }> = {
    "/usr": { link: null },
    "/bin": { link: "usr/bin" },
    "/etc/passwd": { link: null },
    "/etc/shadow": { link: null },
    "/etc/localtime": { link: "/usr/share/zoneinfo/UTC" },
    "/etc/resolv.conf": { link: "/run/resolv.conf" },
    "/home": { link: null },
  };
  const look = (path: string) => there[path] ?? null;
  const system = systemFolders(false, look);
  expect(system).toEqual({
    bind: ["/usr", "/etc/localtime", "/etc/passwd"],
    links: [{ path: "/bin", target: "usr/bin" }],
  });
  expect(systemFolders(true, look).bind).toContain("/etc/resolv.conf");
  const plan = { system, mounts: [{ host: "/srv/app", inside: "/srv/app", writable: true }], hostname: "h", cwd: "/srv/app" };
  const closed = bubblewrapArguments({ ...plan, network: false, newSession: true }).join(" ");
  expect(closed).toContain("--unshare-net");
  expect(closed).toContain("--new-session --cap-drop ALL");
  expect(closed).toMatch(
    /--ro-bind \/usr \/usr .*--symlink usr\/bin \/bin .*--bind \/srv\/app \/srv\/app --remount-ro \/ --chdir \/srv\/app --$/,
  );
  expect(bubblewrapArguments({ ...plan, network: true, newSession: false }).join(" ")).not.toMatch(/unshare-net|new-session/);
});
