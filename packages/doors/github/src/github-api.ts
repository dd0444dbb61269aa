// The few calls of GitHub's REST API that the adapter makes. A refusal says which call it was, and what GitHub said.
import { HapError } from "@hap/protocol";

const TIMEOUT_MS = 30_000;
const API_VERSION = "2022-11-28";

/** A pull request, by where it is. */
export type Pull = { owner: string; repo: string; number: number };
export type Review = { commit_id: string; body: string; event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT" };
export type CheckRun = {
  name: string;
  head_sha: string;
  external_id: string;
  status: "in_progress" | "completed";
  conclusion?: "success" | "failure" | "action_required" | "cancelled" | "timed_out";
  output: { title: string; summary: string };
};

export class GitHubApi {
  readonly #base: string;
  readonly #token: string;

  constructor(options: { token: string; baseUrl?: string | undefined }) {
    this.#base = (options.baseUrl ?? "https://api.github.com").replace(/\/+$/, "");
    this.#token = options.token;
  }

  /** The whole diff as text, or null when GitHub finds it too large to give. */
  async diff({ owner, repo, number }: Pull): Promise<string | null> {
    const response = await this.#call(
      "GET",
      `/repos/${owner}/${repo}/pulls/${number}`,
      undefined,
      "application/vnd.github.diff",
      [406],
    );
    return response.status === 406 ? null : response.text();
  }

  /** True when a comment of the pull request holds this text. */
  async hasComment({ owner, repo, number }: Pull, text: string): Promise<boolean> {
    for (let page = 1; ; page++) {
      const response = await this.#call("GET", `/repos/${owner}/${repo}/issues/${number}/comments?per_page=100&page=${page}`);
      const comments = (await response.json()) as { body?: string }[];
      if (comments.some(({ body }) => body?.includes(text))) return true;
      if (comments.length < 100) return false;
    }
  }

  async comment({ owner, repo, number }: Pull, body: string): Promise<void> {
    await this.#call("POST", `/repos/${owner}/${repo}/issues/${number}/comments`, { body });
  }

  /** False when GitHub does not let this token review this pull request, as an author's own. */
  async review({ owner, repo, number }: Pull, review: Review): Promise<boolean> {
    const response = await this.#call("POST", `/repos/${owner}/${repo}/pulls/${number}/reviews`, review, undefined, [422]);
    return response.status !== 422;
  }

  async check({ owner, repo }: Pull, run: CheckRun): Promise<void> {
    await this.#call("POST", `/repos/${owner}/${repo}/check-runs`, run);
  }

  async #call(
    method: string,
    path: string,
    body?: unknown,
    accept = "application/vnd.github+json",
    expected: readonly number[] = [],
  ): Promise<Response> {
    const headers = {
      accept,
      authorization: `Bearer ${this.#token}`,
      "user-agent": "hap",
      "x-github-api-version": API_VERSION,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const request = { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "error" as const };
    let response: Response;
    try {
      response = await fetch(`${this.#base}${path}`, body === undefined ? request : { ...request, body: JSON.stringify(body) });
    } catch (error) {
      throw new HapError(
        "github_failed",
        `GitHub cannot be reached (${method} ${path}): ${(error as Error).message}.`,
        { path },
        error,
      );
    }
    if (response.ok || expected.includes(response.status)) return response;
    const said = (await response.text()).slice(0, 300);
    throw new HapError("github_failed", `GitHub answered ${response.status} to ${method} ${path}: ${said}`, {
      path,
      status: response.status,
    });
  }
}
