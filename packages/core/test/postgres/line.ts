// A line between a node and its database that can be cut, and that can fall silent while it stays open.
import { connect, createServer, type Server, type Socket } from "node:net";

/** A proxy in front of a port of this machine. */
export class Line {
  readonly #open = new Set<Socket>();
  readonly #server: Server;
  port = 0;
  #silent = false;
  #target: number;
  #mute = false;
  #cutBefore: string | null = null;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => {
      const far = connect(this.#target, "127.0.0.1");
      for (const socket of [near, far]) {
        this.#open.add(socket);
        socket.on("close", () => this.#open.delete(socket)).on("error", () => {});
      }
      near.on("data", (data) => {
        if (this.#cutBefore !== null && data.includes(this.#cutBefore)) this.cut();
        else if (!this.#silent) far.write(data);
      });
      far.on("data", (data) => (this.#silent || this.#mute ? undefined : near.write(data)));
      near.on("close", () => far.destroy());
      far.on("close", () => near.destroy());
    });
  }

  static async to(target: number): Promise<Line> {
    const line = new Line(target);
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    line.port = (line.#server.address() as { port: number }).port;
    return line;
  }

  /** Lead to another port from now on. */
  turnTo(target: number): void {
    this.#target = target;
    this.cut();
  }

  /** Break every connection. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Lose everything that is sent, without closing anything, until it is cut. */
  silence(silent: boolean): void {
    this.#silent = silent;
    if (!silent) this.cut();
  }

  /** Pass on what is asked and lose the answers. Ending that breaks every connection. */
  loseAnswers(lose: boolean): void {
    this.#mute = lose;
    if (!lose) this.cut();
  }

  /** Break every connection at the first request that contains `text`, before it arrives; null ends that. */
  cutBefore(text: string | null): void {
    this.#cutBefore = text;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.cut();
    });
  }
}
