// Bash on real processes: time limits, groups, background, folders, output that is too long.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bubblewrap, bubblewrapWorks } from "@hap/sandbox";
import { describe, expect, it } from "vitest";
import { needProgram } from "../../../test/support/system-package.ts";
import { bashOutputTool, bashTool, killShellTool } from "../src/tools/bash/bash.ts";
import { Shells } from "../src/tools/bash/shells.ts";
import { toolWorld } from "./support/tool-world.ts";

const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 1800 && isAlive(pid); tries++) await new Promise((resolve) => setTimeout(resolve, 25));
  return !isAlive(pid);
}

describe("Bash", () => {
  it("[YUME-BASH-1] gives output and exit code, errors first", async () => {
    const { run } = toolWorld();
    expect(await run(bashTool, { command: "echo out; echo err >&2" })).toEqual({ text: "out\nerr", is_error: false });
    expect(await run(bashTool, { command: "echo broken; exit 3" })).toEqual({ text: "Exit code 3\nbroken", is_error: true });
    expect(await run(bashTool, { command: "true" })).toEqual({ text: "(no output)", is_error: false });
  });

  it("[YUME-BASH-1] keeps its folder from command to command, within the workspace", async () => {
    const { run, folder } = toolWorld();
    mkdirSync(join(folder, "sub"));
    await run(bashTool, { command: "cd sub" });
    expect((await run(bashTool, { command: "pwd" })).text).toBe(join(folder, "sub"));
    expect((await run(bashTool, { command: "cd /" })).text).toContain("was set back");
    expect((await run(bashTool, { command: "pwd" })).text).toBe(folder);
  });

  it("[YUME-BASH-2] ends a command at its limit with everything that it started", async () => {
    const { run, folder } = toolWorld();
    const ended = await run(bashTool, { command: "sleep 300 & echo $! > pid; trap '' TERM; sleep 300", timeout: 3_000 });
    expect(ended).toMatchObject({ is_error: true, text: expect.stringContaining("was ended after 3000 ms") });
    expect(await gone(Number(readFileSync(join(folder, "pid"), "utf8")))).toBe(true);
  });

  it("[YUME-BASH-2] does not wait for what stays in the background with its output open", async () => {
    const { run, context, folder } = toolWorld();
    expect((await run(bashTool, { command: "sleep 300 & echo $! > pid; echo done" })).text).toBe("done");
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    expect(isAlive(pid)).toBe(true);
    context.shells.close();
    expect(await gone(pid)).toBe(true);
  });

  it("[YUME-BASH-3] runs in the background, shows what is new, and is killed", async () => {
    const { run, context } = toolWorld();
    const started = await run(bashTool, { command: "echo first; sleep 300", run_in_background: true });
    const id = /id (bash_\d+)/.exec(started.text)?.[1] as string;
    let shown = "";
    while (!shown.includes("first")) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      shown = (await run(bashOutputTool, { bash_id: id })).text;
    }
    expect(shown).toBe("status: running\nfirst\n");
    expect((await run(bashOutputTool, { bash_id: id })).text).toBe("status: running\n(no new output)");
    expect((await run(killShellTool, { shell_id: id })).text).toBe(`${id} was ended.`);
    await context.shells.get(id)?.ended;
    expect((await run(bashOutputTool, { bash_id: id })).text).toContain("status: killed");
    expect(await run(bashOutputTool, { bash_id: "bash_99" })).toMatchObject({
      is_error: true,
      text: expect.stringContaining(`There are: ${id}`),
    });
  });

  it("[YUME-BASH-3] puts output that is too long into a file that it names", async () => {
    const { run } = toolWorld();
    const { text } = await run(bashTool, { command: "seq 1 100000" });
    const path = /whole output is in (\S+)\]/.exec(text)?.[1] as string;
    expect(text.length).toBeLessThan(31_000);
    expect(text).toMatch(/^1\n2\n/);
    expect(text).toMatch(/100000$/);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(100_001);
  });

  it("[YUME-BASH-4] in bubblewrap writes in the workspace and sees neither home nor network nor secrets", async () => {
    needProgram("bwrap", "bubblewrap");
    expect(bubblewrapWorks()).toBe(true);
    const { context, folder } = toolWorld();
    const shells = new Shells({
      workspace: context.workspace,
      env: { ...process.env, MY_TOKEN: "hidden" },
      outputs: join(folder, ".outputs"),
      sandbox: bubblewrap(context.workspace, { network: false }),
    });
    const world = { ...context, shells };
    const { content } = await bashTool.run(
      {
        command:
          "touch made; echo token=$MY_TOKEN; ls /root /home/agent /run; cat /proc/net/dev | wc -l; cd /tmp && touch made-in-the-sandbox && pwd",
      },
      world,
    );
    expect(existsSync(join(folder, "made"))).toBe(true);
    const said = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    expect(said).toContain("token=\n");
    expect(said).toMatch(/cannot access '\/root'/);
    expect(said).toMatch(/^3$/m);
    expect(existsSync("/tmp/made-in-the-sandbox")).toBe(false);
  });
});
