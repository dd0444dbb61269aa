// The inbox as `hap start`, `hap claude` and `hap codex` run it: server and page on the store of this machine, its log in a file.
import { isHapError } from "@hap/protocol";
import { docsFolder, pageFolder } from "../apart/carry-out.ts";
import type { Context } from "../context.ts";
import { embeddedPage } from "../install/embedded-page.ts";
import { LogFile } from "./log-file.ts";
import { noteInbox } from "./running-inbox.ts";

export type InboxOptions = {
  host?: string | undefined;
  /** Left out: 4747, or any free one when that is taken. */
  port?: number | undefined;
  store: string;
  allowPlainHttp?: boolean | undefined;
  publicUrl?: string | undefined;
  /** Who the person is from now on, wherever nobody says otherwise. */
  person?: string | undefined;
};

/** Start it. Whoever starts it closes it. */
export async function openInbox(context: Context, options: InboxOptions) {
  const { DEFAULT_PORT, pushKeysPath, readLogLevel, readPushKeys, serve } = await import("@hap/server");
  const log = new LogFile(options.store);
  const start = (port: number) =>
    serve({
      host: options.host,
      port,
      dbPath: options.store,
      humanId: options.person,
      allowPlainHttp: options.allowPlainHttp,
      publicUrl: options.publicUrl,
      logLevel: readLogLevel(context.env.HAP_LOG || "info", "HAP_LOG"),
      logLine: log.write,
      metricsToken: context.env.HAP_METRICS_TOKEN || undefined,
      pushKeys: readPushKeys({ fallback: pushKeysPath({ dbPath: options.store, home: context.home }), env: context.env }),
      pageFolder: pageFolder(context.env),
      docsFolder: docsFolder(),
      readPage: context.env.HAP_PAGE ? undefined : embeddedPage(),
    });
  const server = await start(options.port ?? DEFAULT_PORT).catch((error: unknown) => {
    if (options.port === undefined && isHapError(error) && error.fields.port !== undefined) return start(0);
    throw error;
  });
  server.engine.rememberPerson();
  const forget = noteInbox(options.store, { url: server.url, port: server.port, pid: process.pid });
  return {
    url: server.url,
    engine: server.engine,
    log: log.path,
    close: async () => {
      forget();
      await server.close();
    },
  };
}
