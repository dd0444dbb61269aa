// The style and the script of the report's page. The script only moves through data that the page holds.

export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8884; }
td:first-child, th:first-child { text-align: left; } tbody tr:last-child { font-weight: bold; }
details { border: 1px solid #8884; border-radius: .4rem; padding: .4rem .8rem; margin: .4rem 0; } summary { cursor: pointer; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .6rem; border-radius: .3rem; max-height: 30rem; overflow: auto; }
pre.screen { background: #111; color: #ddd; white-space: pre; min-height: 12rem; }
input[type=range] { width: 60%; vertical-align: middle; }
.passed, .completed { color: #18803a; } .failed, .crashed, .invalid, .error { color: #c22; } .timeout, .step_limit, .unsupported { color: #a60; }
`;

export const PAGE_SCRIPT = `
const data = JSON.parse(document.getElementById("data").textContent);
for (const item of document.querySelectorAll("details[data-trial]")) {
  const { steps, frames } = data[item.dataset.trial];
  const [stepText, screen] = item.querySelectorAll("pre");
  const where = item.querySelector(".where");
  const range = item.querySelector("input");
  let step = 0, timer = 0;
  const showStep = () => {
    const s = steps[step];
    where.textContent = steps.length ? "step " + s.step + " of " + steps[steps.length - 1].step : "no steps";
    stepText.textContent = s ? [s.said, s.command && "$ " + s.command, s.output, s.end].filter(Boolean).join("\\n\\n") : "";
  };
  const showFrame = () => { screen.textContent = frames[range.value] ? frames[range.value].text : ""; };
  const stop = () => { clearTimeout(timer); timer = 0; item.querySelector("[data-do=play]").textContent = "play"; };
  const tick = () => {
    const now = Number(range.value);
    if (now >= frames.length - 1) return stop();
    timer = setTimeout(() => { range.value = now + 1; showFrame(); tick(); }, Math.min(2000, (frames[now + 1].at - frames[now].at) * 1000));
  };
  item.addEventListener("click", (event) => {
    const what = event.target.dataset.do;
    if (what === "next") step = Math.min(step + 1, steps.length - 1);
    else if (what === "back") step = Math.max(step - 1, 0);
    else if (what === "play") {
      if (timer) return stop();
      if (Number(range.value) >= frames.length - 1) range.value = 0;
      event.target.textContent = "stop";
      showFrame();
      return tick();
    } else return;
    showStep();
  });
  item.addEventListener("keydown", (event) => {
    if (event.target === range) return;
    if (event.key === "ArrowRight") item.querySelector("[data-do=next]").click();
    if (event.key === "ArrowLeft") item.querySelector("[data-do=back]").click();
  });
  range.addEventListener("input", () => { stop(); showFrame(); });
  item.addEventListener("toggle", () => { showStep(); showFrame(); });
}
`;
