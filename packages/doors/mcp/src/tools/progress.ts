// Progress notifications while a call waits for a person.
import type { ServerContext } from "@modelcontextprotocol/server";

const PROGRESS_MS = 5000;

/** Do something that waits for up to `seconds`, and tell the host every few seconds that it still waits, if it asked for that. */
export async function withProgress<T>(ctx: ServerContext, seconds: number, message: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const progressToken = ctx.mcpReq._meta?.progressToken;
  const tell = async () => {
    if (progressToken === undefined) return;
    const params = {
      progressToken,
      progress: Math.round((performance.now() - started) / 1000),
      total: seconds,
      message,
    };
    await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  const timer = setInterval(() => void tell(), PROGRESS_MS);
  try {
    await tell();
    return await work();
  } finally {
    clearInterval(timer);
  }
}
