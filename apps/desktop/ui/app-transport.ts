// The page's way to the engine: commands of the app, which holds the secret. The page itself has no network at all.
import { problemError, type Transport, unreachable, type WireRequest, type WireResponse } from "@hap/sdk/page";
import { Channel, invoke } from "@tauri-apps/api/core";

/** Where the page thinks that it is; people see it nowhere. */
const PLACE = "this app";

type Piece = { type: "text"; text: string } | { type: "end"; status: number; body: string };

/** An answer has its status in two bytes before its body. */
function unpack(packed: ArrayBuffer): WireResponse {
  const bytes = new Uint8Array(packed);
  return { status: ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), body: bytes.subarray(2) };
}

export class AppTransport implements Transport {
  readonly url = PLACE;

  async send({ method, path, body, signal }: WireRequest): Promise<WireResponse> {
    signal?.throwIfAborted();
    try {
      const answer = invoke<ArrayBuffer>("call", { method, path, body: body === undefined ? null : JSON.stringify(body) });
      return unpack(signal === undefined ? await answer : await Promise.race([answer, aborted(signal)]));
    } catch (error) {
      throw signal?.aborted ? signal.reason : unreachable(this.url, error);
    }
  }

  async *stream({ path, signal }: WireRequest): AsyncIterable<string> {
    signal?.throwIfAborted();
    const pieces: Piece[] = [];
    let wake = () => {};
    const channel = new Channel<Piece>((piece) => {
      pieces.push(piece);
      wake();
    });
    const id = await invoke<number>("follow", { path, pieces: channel });
    const stop = () => wake();
    signal?.addEventListener("abort", stop);
    try {
      for (;;) {
        const piece = pieces.shift();
        if (signal?.aborted) throw signal.reason;
        if (piece === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
            // What came between the look and now would else be waited for.
            if (pieces.length > 0 || signal?.aborted === true) resolve();
          });
        } else if (piece.type === "text") yield piece.text;
        else if (piece.body.startsWith("{")) throw problemError(this.url, piece.status, piece.body);
        else throw unreachable(this.url, new Error(piece.body));
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      await invoke("unfollow", { id });
    }
  }

  close(): void {}
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
