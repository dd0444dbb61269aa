// `auth login` and `auth logout`. A program that we drive has a sign-in of its own, which is run here; a vendor that offers its sign-in in the
// browser to every program is asked for a key; for the others one line says where the key comes from.
import { spawn } from "node:child_process";
import { findProvider, providerNames } from "../providers/index.ts";
import type { SignIn } from "../providers/provider-kind.ts";
import { writeCredential } from "./credentials.ts";
import type { World } from "./world.ts";

/** Sign in or out; returns the exit code. */
export async function signIn(action: "login" | "logout", provider: string, world: World): Promise<number> {
  const { env, home, stderr } = world;
  const kind = findProvider(provider);
  if (kind === undefined) {
    stderr.write(`Name a provider with --provider: ${providerNames.join(", ")}.\n`);
    return 1;
  }
  const way = kind.signIn;
  if (way.by === "program") return runProgram(way, action, world);
  if (way.by === "browser" && action === "login") {
    const { signInByBrowser } = await import("./sign-in-by-browser.ts");
    return signInByBrowser(kind.name, way, world);
  }
  if (way.by === "browser") {
    writeCredential(home, kind.name, null);
    stderr.write(`The key of ${kind.name} was removed from this machine. Revoke it on the provider's page to make it useless.\n`);
    return 0;
  }
  const [name = ""] = kind.keys;
  const words =
    action === "logout"
      ? `yume-cli keeps no key of ${kind.name}: ${env[name] ? `unset ${name}` : "take it out of the environment or of ~/.yume/config.json"}`
      : `${way.where}, or name a command that prints it: providers.${kind.name}.keyCommand in ~/.yume/config.json`;
  stderr.write(`${words}.\n`);
  return 1;
}

function runProgram(
  way: Extract<SignIn, { by: "program" }>,
  action: "login" | "logout",
  { env, stderr }: World,
): Promise<number> {
  const [command = "", ...args] = way[action];
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: "inherit" });
    child.on("error", () => {
      stderr.write(`${command} is not installed. Install ${way.install}.\n`);
      resolve(1);
    });
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
