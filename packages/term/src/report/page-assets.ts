// The style and the script of the report's page. The script only moves through data that the page holds, and puts it in as text.

export const PAGE_STYLE = `
:root {
  color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
  --line: #8884; --soft: #8881; --good: light-dark(#15713a, #5fce86); --bad: light-dark(#b3261e, #ff8a80); --odd: light-dark(#8a5a00, #e5b567);
  --mono: 13px/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
body { max-width: 84rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .6rem; } h3 { font-size: .85rem; margin: 0; color: GrayText; }
header p, .facts { color: GrayText; margin: .2rem 0 1.2rem; } summary .facts { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { font-weight: 600; font-size: .85rem; color: GrayText; }
td, th { padding: .35rem .8rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
td:first-child, th:first-child, td:last-child, th:last-child { text-align: left; }
tr.total td { font-weight: 600; border-bottom: 0; }
.range { position: relative; display: inline-block; width: 8rem; height: .7rem; background: var(--soft); border-radius: .35rem; vertical-align: middle; }
.range i, .range b { position: absolute; top: 0; bottom: 0; border-radius: .35rem; }
.range i { background: #4c8df666; } .range b { width: 3px; margin-left: -1.5px; background: light-dark(#1a56c4, #9cc2ff); }
.filters { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .6rem; }
button { font: inherit; font-size: .9rem; padding: .15rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--soft); color: inherit; cursor: pointer; }
button:hover:not(:disabled) { background: #8883; } button:disabled { opacity: .45; cursor: default; }
button[aria-pressed=true] { border-color: currentColor; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .4rem 0; } details[hidden] { display: none; }
summary { cursor: pointer; padding: .5rem .8rem; display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
summary::-webkit-details-marker { display: none; } summary::before { content: "\\25b8"; width: .8rem; } details[open] > summary::before { content: "\\25be"; }
.trial { border-top: 1px solid var(--line); padding: .8rem; }
.instruction { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 .3rem; max-height: 12rem; overflow: auto; }
.panes { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.2rem; }
@media (max-width: 62rem) { .panes { grid-template-columns: minmax(0, 1fr); } }
.controls { display: flex; gap: .5rem; align-items: center; margin-bottom: .6rem; min-height: 2rem; }
.controls h3 { margin-right: auto; } .controls input { flex: 1; min-width: 0; } .where, .time { font-variant-numeric: tabular-nums; color: GrayText; font-size: .9rem; }
.said { margin: 0 0 .6rem; white-space: pre-wrap; overflow-wrap: anywhere; } .end { margin: .6rem 0 0; color: GrayText; font-size: .9rem; }
pre { font: var(--mono); margin: 0; padding: .6rem .8rem; background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem; overflow: auto; }
pre.command { border-radius: .4rem .4rem 0 0; font-weight: 600; } pre.output { border-radius: 0 0 .4rem .4rem; border-top: 1px solid var(--line); }
pre:empty, .said:empty, .end:empty { display: none; }
pre.screen { display: block; border-radius: .4rem; background: #14161a; color: #d8dade; white-space: pre; height: 26rem; max-height: none; }
.status { font-weight: 600; color: var(--odd); min-width: 6rem; }
.passed, .completed { color: var(--good); } .failed, .crashed, .invalid, .error { color: var(--bad); }
`;

export const PAGE_SCRIPT = `
const data = JSON.parse(document.getElementById("data").textContent);
const SHORTEST_MS = 60, LONGEST_MS = 2000;

/** Text and spans: what a program printed goes in as text, its looks as a style that the report made of numbers. */
const paint = ({ text, runs }) => {
  const parts = [];
  let done = 0;
  for (const [from, length, style] of runs) {
    const span = document.createElement("span");
    span.style.cssText = style;
    span.textContent = text.slice(from, from + length);
    parts.push(text.slice(done, from), span);
    done = from + length;
  }
  return [...parts, text.slice(done)];
};

for (const item of document.querySelectorAll("details[data-trial]")) {
  const { steps, frames } = data[item.dataset.trial];
  const find = (selector) => item.querySelector(selector);
  const [back, next, play, range, screen] = ["[data-do=back]", "[data-do=next]", "[data-do=play]", "input", ".screen"].map(find);
  let step = 0, timer = 0;

  const showStep = () => {
    const s = steps[step] || { said: "", command: "", output: "", end: "" };
    find(".where").textContent = steps.length ? "step " + s.step + " of " + steps[steps.length - 1].step : "no steps";
    find(".said").textContent = s.said;
    find(".command").textContent = s.command && "$ " + s.command;
    find(".output").textContent = s.output;
    find(".end").textContent = s.end;
    back.disabled = step <= 0;
    next.disabled = step >= steps.length - 1;
  };
  const move = (by) => { step = Math.max(0, Math.min(steps.length - 1, step + by)); showStep(); };

  const showFrame = () => {
    const frame = frames[range.value];
    screen.replaceChildren(...(frame ? paint(frame) : []));
    screen.scrollTop = screen.scrollHeight;
    find(".time").textContent = frame ? frame.at.toFixed(1) + " s" : "no recording";
  };
  const stop = () => { clearTimeout(timer); timer = 0; play.textContent = "play"; };
  const tick = () => {
    const now = Number(range.value);
    if (now >= frames.length - 1) return stop();
    const pause = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (frames[now + 1].at - frames[now].at) * 1000));
    timer = setTimeout(() => { range.value = now + 1; showFrame(); tick(); }, pause);
  };

  back.addEventListener("click", () => move(-1));
  next.addEventListener("click", () => move(1));
  play.addEventListener("click", () => {
    if (timer) return stop();
    if (Number(range.value) >= frames.length - 1) range.value = 0;
    play.textContent = "stop";
    showFrame();
    tick();
  });
  item.addEventListener("keydown", (event) => {
    if (event.target === range) return;
    if (event.key === "ArrowRight") move(1);
    if (event.key === "ArrowLeft") move(-1);
  });
  range.addEventListener("input", () => { stop(); showFrame(); });
  item.addEventListener("toggle", () => { stop(); showStep(); showFrame(); });
}

for (const button of document.querySelectorAll("[data-show]"))
  button.addEventListener("click", () => {
    for (const other of document.querySelectorAll("[data-show]")) other.setAttribute("aria-pressed", String(other === button));
    for (const item of document.querySelectorAll("details[data-trial]"))
      item.hidden = button.dataset.show !== "all" && item.dataset.status !== button.dataset.show;
  });
`;
