// Opening a page in the person's browser. The address or path is printed beside it, for machines without one.
import { spawn } from "node:child_process";

/** The program that shows a page, or null where there is no display. */
export function browserProgram(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string | null {
  if (platform === "darwin") return "open";
  if (platform === "win32") return "explorer";
  return env.DISPLAY || env.WAYLAND_DISPLAY ? "xdg-open" : null;
}

/** Ask the system to show a page; the result is not awaited. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const program = browserProgram(env);
  if (program === null) return;
  spawn(program, [url], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}
