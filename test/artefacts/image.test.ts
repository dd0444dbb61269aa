// The image in a rootless container with a read-only root file system. Run as root, the test makes a user for it.
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { needProgram } from "../support/system-package.ts";
import { approveByLink, startAtTerminal } from "./by-link.ts";
import { artefact, mustRun, type Ran, run, walkReadme } from "./support.ts";

const USER = `hap-image-${process.pid}`;
const isRoot = process.getuid?.() === 0;
/** Not in the home of whoever runs this, which another user cannot enter. */
const folder = mkdtempSync(join(tmpdir(), "hap-image-"));
const env = { HOME: folder, XDG_RUNTIME_DIR: folder, PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" };
const options = { cwd: folder, env };
/** crun refuses machines that mount both versions of cgroups; runc takes them. */
const ENGINE = ["podman", "--log-level=error", "--storage-driver=vfs", "--runtime=runc", "--cgroup-manager=cgroupfs"];
const rootless = isRoot ? ["runuser", "--user", USER, "--", ...ENGINE] : ENGINE;
const podman = (...args: string[]) => mustRun(rootless[0] as string, [...rootless.slice(1), ...args], options);
/** The limits of a machine that allows no more; a container keeps what its user has otherwise. */
const CONTAINER = ["--read-only", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024", "--volume=data:/data"];
let image = "";

beforeAll(() => {
  for (const program of ["podman", "runc", "slirp4netns"]) needProgram(program);
  needProgram("newuidmap", "uidmap");
  chmodSync(folder, 0o755);
  if (isRoot) {
    mustRun("useradd", ["--home-dir", folder, USER], { env: process.env });
    chownSync(folder, Number(mustRun("id", ["-u", USER], options)), Number(mustRun("id", ["-g", USER], options)));
  }
  mkdirSync(join(folder, "image"));
  cpSync(artefact("oci", "hap.tar"), join(folder, "image/hap.tar"));
  image = podman("load", "--quiet", "--input", join(folder, "image/hap.tar")).trim().split(" ").at(-1) as string;
});

afterAll(() => {
  // As the user itself: the files of containers belong to users that exist only inside.
  spawnSync(rootless[0] as string, [...rootless.slice(1), "system", "reset", "--force"], options);
  if (isRoot) spawnSync("userdel", [USER]);
  rmSync(folder, { recursive: true, force: true });
});

test("[INSTALL-IMAGE-1] the image is under 200 MB and names its user, its port, its volume and its health check", () => {
  expect(Number(podman("image", "inspect", "--format", "{{.Size}}", image))).toBeLessThan(200e6);
  const [{ Config: config }] = JSON.parse(podman("image", "inspect", image));
  expect(config).toMatchObject({ User: "10001:10001", ExposedPorts: { "4747/tcp": {} }, Volumes: { "/data": {} } });
});

test("[INSTALL-IMAGE-1] it serves without root on a read-only root, reports its health, and the README's walk works in it", async () => {
  const port = await freePort();
  const name = `${USER}-serve`;
  const published = [`--publish=127.0.0.1:${port}:${port}`, "--env=HAP_HUMAN_ID=human:alex"];
  const serve = ["serve", "--host", "0.0.0.0", "--allow-plain-http", "--port", String(port)];
  podman("run", "--detach", "--name", name, ...published, ...CONTAINER, image, ...serve);
  onTestFinished(() => void podman("rm", "--force", name));
  await untilReady(port, name);
  expect(podman("exec", name, "/usr/local/bin/hap", "health", `http://127.0.0.1:${port}`)).toContain("is ready");
  const hap = (...args: string[]): Ran =>
    run(rootless[0] as string, [...rootless.slice(1), "exec", name, "/usr/local/bin/hap", ...args], options);
  walkReadme(hap, "tk_image000000000000001");
  expect(hap("backup", "/usr/hap.db").status).not.toBe(0);
});

test("[INSTALL-IMAGE-1] a browser goes from its start to a decided ticket by the link alone", async () => {
  const port = await freePort();
  const name = `${USER}-start`;
  const words = ["run", "--tty", "--interactive", "--name", name, `--publish=127.0.0.1:${port}:4747`, ...CONTAINER, image];
  const start = ["start", "--as", "human:alex", "--host", "0.0.0.0", "--allow-plain-http", "--published-port", String(port)];
  onTestFinished(() => void podman("rm", "--force", name));
  const link = await startAtTerminal([...rootless, ...words, ...start].join(" "), options);
  expect(new URL(link).port).toBe(String(port));
  const id = "tk_image000000000000002";
  podman("exec", name, "/usr/local/bin/hap", "create", "--id", id, "--to", "human:alex", "--summary", "Ship the release");
  await approveByLink(link, "Ship the release");
  podman("exec", name, "/usr/local/bin/hap", "wait", id, "--timeout", "60s");
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function untilReady(port: number, name: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.status === 200) return;
    expect(podman("inspect", "--format", "{{.State.Status}}", name).trim()).not.toBe("exited");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
