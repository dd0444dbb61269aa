import { expect, test } from "vitest";
import { findToolchains } from "./toolchains.ts";

const home = "/home/u";
const find = (path: string, there: readonly string[] = []) =>
  findToolchains({ home, path, writable: ["/home/u/p"], exists: (place) => [...path.split(":"), ...there].includes(place) });

test("[CONFINE-TOOLS-1] toolchains on the PATH are shown, without the credentials beside them", () => {
  const cargo = find("/home/u/.cargo/bin:/usr/bin", ["/home/u/.rustup", "/home/u/.cargo", "/home/u/.cargo/credentials.toml"]);
  expect(cargo).toEqual({ path: "/home/u/.cargo/bin:/usr/bin", show: ["/home/u/.cargo/bin", "/home/u/.rustup"] });
  expect(find("/opt/x/bin", ["/opt/x/lib", "/opt/x/secret"]).show).toEqual(["/opt/x/bin", "/opt/x/lib"]);
  expect(find("/home/u/envs/a/bin", ["/home/u/envs/a/pyvenv.cfg", "/home/u/envs/a"]).show).toEqual(["/home/u/envs/a"]);
});

test("[CONFINE-TOOLS-1] a PATH that leads to the home folder, to keys or above them shows nothing", () => {
  for (const path of ["/home/u", "/home", "/", "/home/u/.ssh", "/home/u/.config/x/bin", "/home/u/.hap/bin", "relative", ""])
    expect(find(path)).toEqual({ path: "", show: [] });
});

test("[CONFINE-TOOLS-1] the project's own programs stay on the PATH and need no mount", () => {
  expect(find("/home/u/p/node_modules/.bin")).toEqual({ path: "/home/u/p/node_modules/.bin", show: [] });
});
