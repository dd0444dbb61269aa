// The part of GitHub's `pull_request` event that matters, read once at the edge.
import { parseWith } from "@hap/protocol";
import * as z from "zod";

const user = z.object({ login: z.string() });
const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const name = z.string().regex(/^[A-Za-z0-9_.-]{1,100}$/);

const schema = z.object({
  action: z.string(),
  pull_request: z.object({
    number: z.int().positive(),
    title: z.string(),
    html_url: z.string().nullish(),
    body: z.string().nullish(),
    draft: z.boolean().optional(),
    additions: z.int().min(0).optional(),
    deletions: z.int().min(0).optional(),
    user: user.nullish(),
    requested_reviewers: z.array(z.object({ login: z.string().optional() })).optional(),
    head: z.object({ sha }),
    base: z.object({ sha, ref: z.string().optional() }),
  }),
  repository: z.object({ name, owner: z.object({ login: name }) }),
});

/** What happened to which pull request. */
export type PullEvent = {
  action: string;
  owner: string;
  repo: string;
  number: number;
  title: string;
  url: string;
  description: string;
  draft: boolean;
  linesAdded: number | null;
  linesRemoved: number | null;
  author: string | null;
  reviewers: string[];
  headSha: string;
  baseSha: string;
};

export function readPullEvent(payload: unknown): PullEvent {
  const { action, pull_request: pull, repository } = parseWith(schema, payload, "The pull_request event");
  const owner = repository.owner.login;
  return {
    action,
    owner,
    repo: repository.name,
    number: pull.number,
    title: pull.title,
    url: pull.html_url ?? `https://github.com/${owner}/${repository.name}/pull/${pull.number}`,
    description: pull.body ?? "",
    draft: pull.draft ?? false,
    linesAdded: pull.additions ?? null,
    linesRemoved: pull.deletions ?? null,
    author: pull.user?.login ?? null,
    reviewers: (pull.requested_reviewers ?? []).flatMap(({ login }) => (login === undefined ? [] : [login])),
    headSha: pull.head.sha,
    baseSha: pull.base.sha,
  };
}
