// `npm run recording`: plays a ticket's life with the real programs and writes docs/images/recording-{dark,light}.svg.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ScriptedAnswer, startScriptedModel } from "../packages/yume/test/wire/server.ts";
import { filmPicture } from "./recording/film.ts";
import { Pane } from "./recording/pane.ts";
import { Recorder } from "./recording/recorder.ts";
import { setStage } from "./recording/stage.ts";
import { modelScript, play } from "./recording/story.ts";

/** Where this checkout is does not belong into the film. A name of the same length keeps the columns. */
const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const neutral = `/home/alex/src/hap${"-checkout".repeat(20)}`.slice(0, root.length);
const COLUMNS = 100;
const ROWS = [23, 13] as const;
const LONGEST_MS = 62_000;
const ABOUT =
  "A recording of HAP: a preview of past sessions; Claude Code fixes a test without asking; a force push is rejected with a reason and the agent obeys; everything is killed while a ticket waits, restarted, approved and resumed; hap verify names one flipped byte.";

let script: ScriptedAnswer[] = [];
const model = await startScriptedModel(({ wire, body }) => {
  if (wire === null) return { raw: { status: 404, chunks: ["{}"] } };
  // Requests without tools are Claude Code's own: a title for the session and the like.
  const isTurn = Array.isArray(body.tools) && body.tools.length > 0;
  return (isTurn ? script.shift() : undefined) ?? { content: [{ type: "text", text: "Fix the total" }] };
});
const stage = setStage(model);
script = modelScript(stage.project);
const recorder = new Recorder();
const open = (track: number) =>
  new Pane({
    columns: COLUMNS,
    rows: ROWS[track] ?? 10,
    cwd: stage.project,
    env: stage.env,
    changed: () => recorder.capture(track),
  });
const panes: [Pane, Pane] = [open(0), open(1)];
for (const pane of panes) recorder.add(pane);
try {
  await play(recorder, stage, panes);
  // A busy machine waits more often: the film is as long as ever.
  const pace = Math.min(1, LONGEST_MS / recorder.now);
  const paced = <T extends { at: number }>(frames: readonly T[]): T[] =>
    frames.map((frame) => ({ ...frame, at: frame.at * pace }));
  const film = {
    tracks: recorder.tracks.map(paced),
    captions: paced(recorder.captions),
    titles: ["your agent", "you"],
    columns: COLUMNS,
    rows: [...ROWS],
    lengthMs: recorder.now * pace,
    about: ABOUT,
  };
  for (const theme of ["dark", "light"] as const) {
    const file = new URL(`../docs/images/recording-${theme}.svg`, import.meta.url);
    const picture = filmPicture(film, theme).replaceAll(root, neutral);
    writeFileSync(file, picture);
    console.log(`docs/images/recording-${theme}.svg: ${(picture.length / 1024).toFixed(0)} KB`);
  }
  console.log(`${(film.lengthMs / 1000).toFixed(0)} s, ${film.tracks.map((frames) => frames.length).join(" and ")} frames`);
} finally {
  spawnSync("kill-everything", { cwd: stage.home, env: stage.env, stdio: "ignore" });
  for (const pane of panes) pane.close();
  await model.close();
  rmSync(stage.home, { recursive: true, force: true });
}
