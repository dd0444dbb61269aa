// Opening a page for the person who sits here; where there is no browser they have the address, which is printed first.
import { spawn } from "node:child_process";

/** Ask the system to show a page. What comes of it is not waited for. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const [program, ...argv] =
    process.platform === "darwin" ? ["open", url] : process.platform === "win32" ? ["explorer", url] : ["xdg-open", url];
  // On Linux without a display there is nothing to show it on.
  if (program === "xdg-open" && !env.DISPLAY && !env.WAYLAND_DISPLAY) return;
  spawn(program as string, argv, { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}
