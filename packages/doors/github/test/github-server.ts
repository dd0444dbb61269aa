// A local server that speaks the part of GitHub's REST API that is used, keeps what it was told, and refuses what GitHub would.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Told = { method: string; path: string; body: Record<string, unknown> };

export class GitHubServer {
  readonly told: Told[] = [];
  readonly comments: string[] = [];
  diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
  /** Statuses to answer the next calls of a kind with. */
  readonly failing: Record<string, number[]> = {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const path = request.url ?? "";
      const method = request.method ?? "";
      const send = (status: number, body: unknown, type = "application/json") =>
        response
          .writeHead(status, { "content-type": type })
          .end(type === "application/json" ? JSON.stringify(body) : String(body));
      if (request.headers.authorization !== "Bearer gh-token") return send(401, { message: "Bad credentials" });
      const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
      if (method === "POST") this.told.push({ method, path, body });
      const kind = Object.keys(this.failing).find((name) => path.includes(name) && method === "POST");
      const status = kind === undefined ? undefined : this.failing[kind]?.shift();
      if (status !== undefined) return send(status, { message: "Refused" });
      if (method === "GET" && /^\/repos\/acme\/app\/pulls\/\d+$/.test(path)) {
        if (request.headers.accept !== "application/vnd.github.diff") return send(415, { message: "Unsupported" });
        return send(200, this.diff, "text/plain");
      }
      if (/^\/repos\/acme\/app\/issues\/\d+\/comments/.test(path)) {
        if (method === "POST") this.comments.push(String(body.body));
        return send(method === "POST" ? 201 : 200, method === "POST" ? {} : this.comments.map((said) => ({ body: said })));
      }
      if (method === "POST" && /^\/repos\/acme\/app\/(pulls\/\d+\/reviews|check-runs)$/.test(path)) return send(201, { id: 1 });
      return send(404, { message: "Not Found" });
    });
  }

  static async start(): Promise<GitHubServer> {
    const made = new GitHubServer();
    await new Promise<void>((resolve) => made.#server.listen(0, "127.0.0.1", resolve));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What it was told at paths that hold `part`. */
  toldAt(part: string): Told[] {
    return this.told.filter(({ path }) => path.includes(part));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
