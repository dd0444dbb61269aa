// One language server: its process, the connection, and what it is told of files. It begins with `start` and ends with `close`,
// a crash, or the run; a request never outlives any of them.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import {
  CancellationTokenSource,
  ConnectionError,
  createProtocolConnection,
  type InitializeResult,
  LSPErrorCodes,
  type ProtocolConnection,
  ResponseError,
  type ServerCapabilities,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { signalGroup } from "../bash/process-group.ts";
import { ToolError } from "../tool.ts";
import { answerServer, OwnWork } from "./answer-server.ts";
import { clientCapabilities } from "./client-capabilities.ts";
import { Documents, uriOf } from "./documents.ts";
import type { LspServer } from "./lsp-config.ts";
import { type ServerPlace, startServer } from "./server-process.ts";

const LAST_WORDS = 2_000;
const LINGER_MS = 500;
const MOST_REPEATS = 20;
const REPEAT_MS = 250;

export class LanguageServer {
  readonly #config: LspServer;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #connection: ProtocolConnection;
  readonly #documents: Documents;
  /** Rejects when the process is gone. */
  readonly #died: Promise<never>;
  readonly #work = new OwnWork();
  #lastWords = "";
  #alive = true;
  #capabilities: ServerCapabilities = {};

  private constructor(config: LspServer, place: ServerPlace) {
    this.#config = config;
    this.#child = startServer(config, place);
    const { promise, reject } = Promise.withResolvers<never>();
    this.#died = promise;
    promise.catch(() => {});
    const die = (how: string) => {
      this.#alive = false;
      const said = this.#lastWords.trim();
      reject(new ToolError(`The language server ${config.name} ${how}.${said === "" ? "" : ` It said last:\n${said}`}`));
      this.#connection.dispose();
    };
    const { stdin, stdout, stderr } = this.#child;
    stderr.setEncoding("utf8").on("data", (words: string) => {
      this.#lastWords = (this.#lastWords + words).slice(-LAST_WORDS);
    });
    stdin.on("error", () => {});
    this.#child.on("error", (error) => die(`could not be started: ${error.message}`));
    this.#child.on("exit", (code, signal) => {
      const end = () => die(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
      this.#child.on("close", end);
      // What it started goes with it; something that escaped must not keep its words open for ever.
      this.kill();
      setTimeout(end, LINGER_MS).unref();
    });
    this.#connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    // What is no message of the protocol is the server's defect; what it says afterwards may still be one.
    this.#connection.onError(() => {});
    // A server that speaks no more is of no use, unless it is just about to end and to say how.
    this.#connection.onClose(() => setTimeout(() => this.kill(), LINGER_MS).unref());
    answerServer(this.#connection, config, place.cwd, this.#work);
    this.#connection.listen();
    this.#documents = new Documents(
      (method, params) => this.#connection.sendNotification(method, params),
      config.extensionToLanguage,
    );
  }

  /** Start a server and greet it. One that does not answer in time is ended. */
  static async start(config: LspServer, place: ServerPlace, signal: AbortSignal): Promise<LanguageServer> {
    const server = new LanguageServer(config, place);
    try {
      await server.#greet(place, signal);
      return server;
    } catch (error) {
      server.kill();
      throw error;
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** True while it tells of work that goes on: what it answers now may lack something. */
  get busy(): boolean {
    return this.#work.goesOn;
  }

  /** Wait for the end of that work, at most until `deadline`. */
  async rested(deadline: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    deadline.addEventListener("abort", () => resolve(), { once: true });
    if (!deadline.aborted) await Promise.race([this.#died, this.#work.done(), promise]);
  }

  can(capability: keyof ServerCapabilities): boolean {
    const given = this.#capabilities[capability];
    return given !== undefined && given !== false && given !== null;
  }

  bringUpToDate(path: string, seen: readonly string[]): Promise<void> {
    return Promise.race([this.#died, this.#documents.bringUpToDate(path, seen)]);
  }

  /** Ask. A server that is told of changes may want to be asked again. */
  async request<T>(method: string, params: unknown, signal: AbortSignal): Promise<T> {
    for (let repeats = 0; ; repeats++) {
      try {
        return await this.#requestOnce<T>(method, params, this.#config.requestTimeout, signal);
      } catch (error) {
        if (!(error instanceof ResponseError)) throw error;
        const again = error.code === LSPErrorCodes.ContentModified || error.code === LSPErrorCodes.ServerCancelled;
        if (!again || repeats >= MOST_REPEATS)
          throw new ToolError(`The language server ${this.#config.name} refused ${method}: ${error.message}`);
        await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
      }
    }
  }

  /** Say goodbye as the protocol wants it, then end what is left. */
  async close(): Promise<void> {
    if (this.#alive) {
      const { signal } = new AbortController();
      await this.#requestOnce("shutdown", undefined, this.#config.shutdownTimeout, signal)
        .then(() => this.#connection.sendNotification("exit"))
        .catch(() => {});
    }
    this.kill();
  }

  /** End it and everything that it started. */
  kill(): void {
    // The number of a group that is gone may be another's.
    if (this.#alive && this.#child.pid !== undefined) signalGroup(this.#child.pid, "SIGKILL");
  }

  async #greet(place: ServerPlace, signal: AbortSignal): Promise<void> {
    const uri = uriOf(place.cwd);
    const params = {
      // In a sandbox our number is nobody's, and a server that looks for its parent would end itself.
      processId: place.sandbox === null ? process.pid : null,
      clientInfo: { name: "yume-cli" },
      rootUri: uri,
      rootPath: place.cwd,
      workspaceFolders: [{ uri, name: place.cwd }],
      initializationOptions: this.#config.initializationOptions,
      capabilities: clientCapabilities,
    };
    const { startupTimeout, settings } = this.#config;
    const { capabilities } = await this.#requestOnce<InitializeResult>("initialize", params, startupTimeout, signal).catch(
      (error: Error) => {
        throw error instanceof ToolError
          ? error
          : new ToolError(`The language server ${this.#config.name} could not be started: ${error.message}`);
      },
    );
    this.#capabilities = capabilities;
    await this.#connection.sendNotification("initialized", {});
    if (settings !== null) await this.#connection.sendNotification("workspace/didChangeConfiguration", { settings });
  }

  async #requestOnce<T>(method: string, params: unknown, timeoutMs: number, signal: AbortSignal): Promise<T> {
    if (!this.#alive) return this.#died;
    const cancel = new CancellationTokenSource();
    const { promise, reject } = Promise.withResolvers<never>();
    const stop = () => reject(new ToolError("The request was interrupted."));
    const timer = setTimeout(
      () => reject(new ToolError(`The language server ${this.#config.name} did not answer ${method} in ${timeoutMs} ms.`)),
      timeoutMs,
    );
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      const asked: Promise<T> = this.#connection.sendRequest<T>(method, params, cancel.token);
      return await Promise.race([this.#died, asked, promise]);
    } catch (error) {
      // The connection breaks a moment before the process is seen to end.
      throw error instanceof ConnectionError ? await this.#died : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      cancel.cancel();
      cancel.dispose();
    }
  }
}
