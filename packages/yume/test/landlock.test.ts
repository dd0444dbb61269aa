import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { CommandSandbox } from "@hap/sandbox";
import { landlock, landlockWorks } from "@hap/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import type { SandboxChoice } from "../src/argv/options.ts";
import { bashTool } from "../src/tools/bash/bash.ts";
import { chooseSandbox } from "../src/tools/bash/choose-sandbox.ts";
import { Shells } from "../src/tools/bash/shells.ts";
import { toolWorld } from "./support/tool-world.ts";

const opened: CommandSandbox[] = [];
afterAll(() => {
  for (const sandbox of opened) sandbox.close();
});

/** A shell under Landlock; gives what a command says. */
function confined(network = false) {
  const { context, folder } = toolWorld();
  const sandbox = landlock(context.workspace, { network });
  opened.push(sandbox);
  const env = { ...process.env, MY_TOKEN: "hidden" };
  const shells = new Shells({ workspace: context.workspace, env, outputs: join(folder, ".outputs"), sandbox });
  const say = async (command: string) => {
    const { content } = await bashTool.run({ command }, { ...context, shells });
    return content.map((part) => (part.type === "text" ? part.text : "")).join("");
  };
  return { say, folder, sandbox, workspace: context.workspace };
}

const python = (...lines: string[]) => `python3 - <<'END'\n${lines.join("\n")}\nEND`;

beforeAll(() => {
  needProgram("python3", "python3");
  if (!landlockWorks()) throw new Error("This kernel has no Landlock: boot Linux 6.2 or newer with lsm=landlock.");
});

describe("a command under Landlock", () => {
  it("[YUME-BASH-5] works in the workspace, and in a home and a temporary folder of its own", async () => {
    const { say, folder, sandbox } = confined();
    const said = await say(
      'echo made > made; mkdir sub && mv made sub/ && cat sub/made; mktemp; touch "$HOME/x"; cat <(echo piped)',
    );
    expect(readFileSync(join(folder, "sub/made"), "utf8")).toBe("made\n");
    const [, made = ""] = /^made\n(.*sandbox-.*)\npiped$/.exec(said) ?? [];
    expect(existsSync(made)).toBe(true);
    expect(await say("cd sub && git init -q . && git status --short && pwd")).toBe(`?? made\n${join(folder, "sub")}`);
    sandbox.close();
    expect(existsSync(made)).toBe(false);
  });

  it("[YUME-BASH-5] neither reads, lists, writes, truncates, moves nor makes anything outside", async () => {
    const { say, folder } = confined();
    const outside = toolWorld().folder;
    const secret = join(outside, "secret");
    writeFileSync(secret, "mine");
    symlinkSync(secret, join(folder, "link"));
    const acts = [
      `cat ${secret}`,
      "cat link",
      `ls ${outside}`,
      `echo more >> ${secret}`,
      `truncate -s 0 ${secret}`,
      `rm ${secret}`,
      `mv ${secret} taken`,
      `ln ${secret} hard`,
      `touch ${join(outside, "new")}`,
      "mknod device c 1 3",
      "ls /",
    ];
    for (const act of acts) expect(await say(act), act).toMatch(/Permission denied|Operation not permitted|cross-device/i);
    expect(readFileSync(secret, "utf8")).toBe("mine");
    expect(existsSync(join(outside, "new"))).toBe(false);
  });

  it("[YUME-BASH-5] has no variable, capability or process of the caller", async () => {
    const { say } = confined();
    expect(await say('echo "[$MY_TOKEN]"')).toBe("[]");
    const status = await say('while read -r name value; do echo "$name $value"; done < /proc/self/status');
    expect(status).toMatch(/^CapEff: 0{16}$/m);
    expect(status).toMatch(/^CapBnd: 0{16}$/m);
    expect(status).toMatch(/^NoNewPrivs: 1$/m);
    for (const name of ["environ", "cmdline", "mem"])
      expect(await say(`cat /proc/${process.pid}/${name}`), name).toContain("Permission denied");
  });

  it("[YUME-BASH-5] opens no socket, of the host or of the network, but talks to its own parts", async () => {
    const { say } = confined();
    const said = await say(
      python(
        "import socket",
        "for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):",
        "    try: socket.socket(family, socket.SOCK_DGRAM); print('opened', family)",
        "    except OSError as error: print(error.strerror)",
        "one, other = socket.socketpair()",
        "one.send(b'own'); print(other.recv(3))",
      ),
    );
    expect(said).toBe(`${"Permission denied\n".repeat(4)}b'own'`);
  });

  it("[YUME-BASH-5] reaches the network where it was given, and still no socket of the host", async () => {
    const server = createServer((socket) => socket.end("hello"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const { say } = confined(true);
    expect(await say(`exec 9<>/dev/tcp/127.0.0.1/${port}; cat <&9`)).toBe("hello");
    expect(await say(python("import socket", "socket.socket(socket.AF_UNIX)"))).toContain("PermissionError");
    server.close();
  });
});

describe("the choice of a sandbox", () => {
  it("[YUME-BASH-5] falls to Landlock where bubblewrap does not work, and is refused where neither does", () => {
    const { workspace } = confined();
    const choose = (choice: SandboxChoice, bubblewrap: boolean, landlock: boolean) => {
      const works = { bubblewrap: () => bubblewrap, landlock: () => landlock };
      const chosen = chooseSandbox(choice, workspace, { network: false }, works);
      if (chosen !== null) opened.push(chosen);
      const wrapped = chosen?.wrap("/bin/true", [], workspace.cwd, {});
      return wrapped && [wrapped.file, ...wrapped.args].find((word) => ["bwrap", "python3"].includes(word));
    };
    expect(choose("auto", true, true)).toBe("bwrap");
    expect(choose("auto", false, true)).toBe("python3");
    expect(choose("auto", false, false)).toBeUndefined();
    expect(choose("landlock", true, true)).toBe("python3");
    expect(choose("none", true, true)).toBeUndefined();
    expect(() => choose("bwrap", false, true)).toThrow("bubblewrap does not work here");
    expect(() => choose("landlock", true, false)).toThrow("needs Linux 6.2 or newer");
  });
});
