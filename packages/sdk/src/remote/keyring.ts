// The system's keyring, through the program that the system has for it: `secret-tool` (Secret Service) on Linux, `security` on
// macOS. Secrets go through standard input, never through arguments, which other processes can read.
import { spawnSync } from "node:child_process";

const SERVICE = "hap";
/** A keyring that waits for somebody to unlock it must not hold up a command for longer. */
const PATIENCE_MS = 5_000;

/** A keyring, or null where none is reachable. */
export type Keyring = {
  read: (account: string) => string | null;
  /** False where the keyring refused. */
  write: (account: string, secret: string) => boolean;
  remove: (account: string) => void;
};

/** The keyring of this system; HAP_KEYRING=off does without. */
export function systemKeyring(env: NodeJS.ProcessEnv = process.env, platform = process.platform): Keyring | null {
  if (env.HAP_KEYRING === "off") return null;
  if (platform === "darwin") return macKeyring(env);
  // Without a session bus there is no Secret Service; secret-tool would try to start one.
  if (platform === "linux" && env.DBUS_SESSION_BUS_ADDRESS) return secretService(env);
  return null;
}

function secretService(env: NodeJS.ProcessEnv): Keyring {
  const attributes = (account: string) => ["service", SERVICE, "account", account];
  const run = (verb: string[], input = "") =>
    spawnSync("secret-tool", verb, { env, input, encoding: "utf8", timeout: PATIENCE_MS });
  return {
    read: (account) => {
      const { status, stdout } = run(["lookup", ...attributes(account)]);
      return status === 0 && stdout !== "" ? stdout : null;
    },
    write: (account, secret) =>
      run(["store", "--label", `HAP sign-in at ${account}`, ...attributes(account)], secret).status === 0,
    remove: (account) => void run(["clear", ...attributes(account)]),
  };
}

function macKeyring(env: NodeJS.ProcessEnv): Keyring {
  const run = (line: string) =>
    spawnSync("security", ["-i"], { env, input: `${line}\n`, encoding: "utf8", timeout: PATIENCE_MS });
  // Accounts are origins and secrets base64url, so neither needs more than quotes.
  const which = (account: string) => `-s "${SERVICE}" -a "${account}"`;
  return {
    read: (account) => {
      const { status, stdout } = spawnSync("security", ["find-generic-password", "-s", SERVICE, "-a", account, "-w"], {
        env,
        encoding: "utf8",
        timeout: PATIENCE_MS,
      });
      return status === 0 ? stdout.trim() : null;
    },
    write: (account, secret) => run(`add-generic-password -U ${which(account)} -w "${secret}"`).status === 0,
    remove: (account) => void run(`delete-generic-password ${which(account)}`),
  };
}
