// What happens in the recording. Every program is real: `hap`, Claude Code, git, the sandbox; only the model follows a script.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedAnswer } from "../../packages/yume/test/wire/server.ts";
import type { Pane } from "./pane.ts";
import type { Recorder } from "./recorder.ts";
import type { Stage } from "./stage.ts";

const say = (text: string) => ({ type: "text" as const, text });
let calls = 0;
const call = (name: string, input: Record<string, unknown>) => ({
  type: "tool_use" as const,
  id: `call_${++calls}`,
  name,
  input,
});
const bash = (command: string, description: string) => call("Bash", { command, description });

/** What the model says, request by request. */
export function modelScript(project: string): ScriptedAnswer[] {
  const file = join(project, "src/total.js");
  const push = () => bash("git push -u origin fix-total", "Push the branch");
  return [
    { content: [say("I run the tests first."), bash("npm test", "Run the tests")] },
    { content: [call("Read", { file_path: file })] },
    { content: [say("It subtracts."), call("Edit", { file_path: file, old_string: "sum - price", new_string: "sum + price" })] },
    { content: [bash("npm test", "Run the tests again")] },
    { content: [bash('git commit -qam "Add prices up"', "Commit the fix")] },
    { content: [say("Fixed. Now I publish it."), bash("git push --force origin main", "Push to main")] },
    { content: [say("Understood: no force push. I put it on a branch."), bash("git switch -c fix-total", "Make a branch")] },
    { content: [push()] },
    // After the restart: the same call again.
    { content: [say("I go on where I was."), push()] },
    { content: [say("Pushed fix-total, ready for your pull request. main is as it was.")] },
  ];
}

/** Play it. `agent` and `you` are the numbers of the panes' tracks. */
export async function play(recorder: Recorder, stage: Stage, [agent, you]: [Pane, Pane]): Promise<void> {
  const panes = [agent, you];
  /** Type a command into a shell. */
  const enter = async (track: number, command: string) => {
    await panes[track]?.prompt();
    await recorder.type(track, `${command}\r`);
  };
  const read = (ms: number) => recorder.hold(ms);
  recorder.caption("hap preview: what HAP would have done in past sessions");
  await enter(0, "hap preview");
  await agent.until("Next:");
  recorder.pin(0, 0);
  read(4500);
  recorder.pin(0, null);

  recorder.caption("hap claude: the agent fixes a failing test, and nobody is asked");
  await enter(0, "clear; hap claude 'The test fails. Fix it and push.'");
  await agent.until(/git push --force/);
  recorder.caption("A force push asks. The answer: no, open a PR");
  const forced = await nextCode(you, recorder);
  await enter(1, `hap reject ${forced} "no, open a PR"`);
  await you.until("Ticket rejected");
  read(2500);

  await agent.until(/git push -u origin/);
  recorder.caption("The agent obeys: a branch. Its push asks, and while it waits, everything is killed");
  const code = await nextCode(you, recorder);
  await enter(1, "kill-everything");
  await agent.until(/Killed/);
  read(2000);
  recorder.caption("Started again: the ticket is still there. Approved, the agent goes on");
  // What Claude Code drew is still there: the prompt is somewhere in it.
  await recorder.type(0, "clear; hap claude --continue 'Go on.'\r");
  await agent.until(/I go on where I was/);
  await enter(1, "clear; hap inbox");
  await you.until(code);
  read(1200);
  await enter(1, `hap approve ${code} "go"`);
  // A push leaves the machine, so the yes is a phrase that is shown on this terminal only.
  const phrase = /To confirm, type: +(.+\S)/.exec(await you.until(/To confirm, type: +.+\n>/))?.[1] ?? "";
  read(800);
  await recorder.type(1, `${phrase}\r`);
  await you.until("Ticket approved");
  await agent.until("main is as it was");
  read(2000);
  await recorder.type(0, "/exit\r");
  await agent.prompt();

  recorder.caption("One byte of the log is changed; hap verify names the event");
  await enter(1, "clear; hap verify");
  await you.until("integrity: OK");
  read(1200);
  const place = byteOf(stage);
  await enter(1, `printf x | dd of=$HOME/.hap/hap.db bs=1 seek=${place} conv=notrunc status=none`);
  await enter(1, "hap verify");
  await you.until(/violation/i);
  read(6000);
}

/** The short code of the ticket that waits, as `hap inbox` shows it. */
async function nextCode(you: Pane, recorder: Recorder): Promise<string> {
  await you.prompt();
  await recorder.type(1, "clear; hap inbox\r");
  const screen = await you.until(/git push[^$]+\n\$/);
  recorder.hold(2200);
  const line = screen.split("\n").find((text) => text.includes("git push")) ?? "";
  const code = /\b[0-9a-z]{6}\b/.exec(line)?.[0];
  if (code === undefined) throw new Error(`No code in ${JSON.stringify(line)}.`);
  return code;
}

/** Where in the store's file a person's no is written. */
function byteOf({ home }: Stage): number {
  const place = readFileSync(join(home, ".hap", "hap.db")).indexOf('"outcome":"rejected"');
  if (place < 0) throw new Error("The store does not hold the rejection.");
  return place + '"outcome":"'.length;
}
