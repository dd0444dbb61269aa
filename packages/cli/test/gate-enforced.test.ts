// A gate in managed settings: put there by root, looked at by the user whose agent it holds.
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { NOBODY, ownEtc, withEtc } from "../../../test/support/own-etc.ts";
import { HAP, World } from "./hap.ts";

type Report = {
  ok: boolean;
  hosts: { host: string; state: string; settings: string | null }[];
  checks: { id: string; status: string; text: string }[];
};

const MANAGED = "/etc/claude-code/managed-settings.json";
const etc = ownEtc();
const world = new World({ XDG_CACHE_HOME: undefined });
const project = join(world.folder, "work");
const managed = join(etc, "claude-code", "managed-settings.json");

function hap(user: number, ...args: string[]) {
  const [program, words] = withEtc(etc, user, [process.execPath, HAP, ...args]);
  return spawnSync(program, words, { cwd: project, env: world.environment(), encoding: "utf8" });
}

function doctor(): Report & { code: number | null } {
  const { status, stdout, stderr } = hap(NOBODY, "doctor", "claude", "--json");
  if (stdout === "") throw new Error(stderr);
  return { ...(JSON.parse(stdout) as Report), code: status };
}

const failures = ({ checks }: Report) => checks.filter(({ status }) => status === "fail");

beforeAll(() => {
  mkdirSync(join(project, ".git"));
  for (const place of [world.folder, project, join(project, ".git")]) chownSync(place, NOBODY, NOBODY);
  const { status, stderr } = hap(0, "init", "claude", "--managed", "--yes");
  if (status !== 0) throw new Error(stderr);
  // Whatever root left in the user's own folder is the user's.
  for (const name of readdirSync(world.folder)) chownSync(join(world.folder, name), NOBODY, NOBODY);
});

test("[DOCTOR-ENFORCED-1] in managed settings that only root can write the gate is enforced, and the canary is refused", () => {
  expect(statSync(managed).uid).toBe(0);
  expect(existsSync(MANAGED)).toBe(false);
  const report = doctor();
  expect(failures(report)).toEqual([]);
  expect([report.ok, report.code]).toEqual([true, 0]);
  expect(report.hosts).toEqual([{ host: "claude", state: "enforced", settings: MANAGED }]);
  for (const id of ["gate", "canary"]) expect(report.checks).toContainEqual(expect.objectContaining({ id, status: "ok" }));
});

test("[DOCTOR-ENFORCED-1] the user can neither take it out nor switch it off", () => {
  expect(hap(NOBODY, "init", "claude", "--managed", "--remove", "--yes").stderr).toContain("managed settings need root");
  mkdirSync(join(project, ".claude"));
  writeFileSync(join(project, ".claude", "settings.json"), '{"disableAllHooks":true,"env":{"NODE_OPTIONS":"-r /tmp/x.cjs"}}');
  const report = doctor();
  expect([report.ok, report.hosts[0]?.state]).toEqual([true, "enforced"]);
  expect(report.checks).toContainEqual(expect.objectContaining({ id: "disarmed", status: "warn" }));
  expect(report.checks).toContainEqual(expect.objectContaining({ id: "environment", status: "warn" }));
});

test.each([
  ["the file can be written by everybody", managed, 0o666],
  ["the file can be exchanged in its folder", join(etc, "claude-code"), 0o777],
])("[DOCTOR-ENFORCED-1] where %s it is not enforced: exit 1", (_, path, mode) => {
  const { mode: before } = statSync(path);
  chmodSync(path, mode);
  try {
    const report = doctor();
    expect([report.code, report.hosts[0]?.state]).toEqual([1, "advisory"]);
    expect(failures(report).map(({ id }) => id)).toEqual(["permissions"]);
  } finally {
    chmodSync(path, before & 0o7777);
  }
});

test("[DOCTOR-ENFORCED-1] to root itself nothing is enforced", () => {
  const { stdout } = hap(0, "doctor", "claude", "--json");
  expect((JSON.parse(stdout) as Report).hosts[0]?.state).toBe("advisory");
});
