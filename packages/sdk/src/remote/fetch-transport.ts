// The network of a page: fetch, with the page's own cookie.
import { problemError, type Transport, unreachable, type WireRequest, type WireResponse } from "./transport.ts";

export class FetchTransport implements Transport {
  readonly url: string;

  constructor(url: string) {
    this.url = url.replace(/\/$/, "");
  }

  async send(request: WireRequest): Promise<WireResponse> {
    const response = await this.#fetch(request);
    return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
  }

  async *stream(request: WireRequest): AsyncIterable<string> {
    const response = await this.#fetch(request);
    if (!response.ok || response.body === null) throw problemError(this.url, response.status, await response.text());
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw request.signal?.aborted ? request.signal.reason : unreachable(this.url, error);
        });
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  async #fetch({ method, path, body, headers, signal }: WireRequest): Promise<Response> {
    try {
      return await fetch(this.url + path, {
        method,
        credentials: "same-origin",
        cache: "no-store",
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      throw signal?.aborted ? signal.reason : unreachable(this.url, error);
    }
  }

  close(): void {}
}
