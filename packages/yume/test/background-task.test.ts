// Sub-agents in the background on the real command: started, polled, waited for, killed with the run. The model answers by what it is
// asked, for two conversations go on at once.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Frame, kinds, makePlace, runYume, says, uses } from "./support/place.ts";
import { startScriptedModel } from "./wire/server.ts";

type Turn = ReturnType<typeof says>;
const flat = ["--provider", "openai", "--permission-mode", "auto", "--prompt", "Go"];
const task = (prompt: string) => uses(["Task", { description: "the side", prompt, run_in_background: true }]);
const output = (more: Record<string, unknown> = {}) => uses(["TaskOutput", more]);
const results = (frames: readonly Frame[], name: string) => {
  const ids = frames.filter((frame) => frame.type === "tool_use" && frame.name === name).map(({ id }) => id);
  return frames.filter(({ type, tool_use_id }) => type === "tool_result" && ids.includes(tool_use_id));
};

/** A place whose model has one script for the run and one for its sub-agent, told apart by the words of the task. */
async function twoVoices(main: readonly Turn[], side: readonly Turn[]) {
  const place = await makePlace();
  const [forMain, forSide] = [[...main], [...side]];
  const model = await startScriptedModel(({ body }) => {
    const asked = JSON.stringify((body.messages as { role: string }[]).find(({ role }) => role === "user"));
    return (asked.includes("SIDE") ? forSide : forMain).shift() ?? says("the script is over");
  });
  return { place: { ...place, model, env: { ...place.env, ...model.env("chat") } }, model };
}

describe("Task in the background", () => {
  it("[YUME-TASK-1] goes on beside the run; TaskOutput tells that it runs, waits for it, and gives its report again", async () => {
    const wait = "while [ ! -e go ]; do sleep 0.02; done; echo seen";
    const { place, model } = await twoVoices(
      [
        task("SIDE: wait"),
        output({ block: false }),
        output({ timeout: 1 }),
        uses(["Write", { file_path: "go", content: "" }]),
        output(),
        output(),
        says("All done."),
      ],
      [uses(["Bash", { command: wait }]), says("The side is done.")],
    );
    const { frames, code } = await runYume(place, flat);
    expect(results(frames, "Task")).toMatchObject([
      { is_error: false, content: expect.stringContaining("runs in the background; its task_id is") },
    ]);
    expect(results(frames, "TaskOutput").map(({ content }) => content)).toEqual([
      "status: running (the side)",
      "status: running (the side)",
      "The side is done.",
      "The side is done.",
    ]);
    expect(frames.at(-2)).toMatchObject({ subtype: "success", result: "All done." });
    expect(code).toBe(0);
    await model.close();
  });

  it("[YUME-TASK-1] tells of an id that there is not, and of a sub-agent that failed", async () => {
    const { place, model } = await twoVoices(
      [task("SIDE: fail"), output({ task_id: "nobody" }), output(), says("I see.")],
      [says("half", { stop_reason: "refusal" })],
    );
    const { frames } = await runYume(place, flat);
    const [unknown, failed] = results(frames, "TaskOutput");
    expect(unknown).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/^There is no task nobody\. There are: \S+\.$/),
    });
    expect(failed).toMatchObject({ is_error: true, content: expect.stringContaining("The sub-agent did not finish") });
    await model.close();
  });

  it("[YUME-TASK-1] ends with the run, with every command that it started", async () => {
    const { place, model } = await twoVoices(
      [task("SIDE: sleep"), uses(["Bash", { command: "while [ ! -s pid ]; do sleep 0.02; done" }]), says("I am done.")],
      [uses(["Bash", { command: "echo $$ > pid.new; mv pid.new pid; sleep 300" }]), says("never")],
    );
    const { frames, code } = await runYume(place, flat);
    // Nothing comes after the last result, whatever the sub-agent would still say.
    expect(kinds(frames).slice(-2)).toEqual(["result", "message_stop"]);
    expect(frames.at(-2)).toMatchObject({ result: "I am done." });
    expect(code).toBe(0);
    const pid = Number(readFileSync(join(place.work, "pid"), "utf8"));
    const isAlive = () => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    while (isAlive()) await new Promise((resolve) => setTimeout(resolve, 20));
    await model.close();
  });
});
