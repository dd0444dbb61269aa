// `hap apply` as a process: the approved diff onto exactly the files that it was made for, or nothing.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ticket } from "@hap/protocol";
import { describe, expect, test } from "vitest";
import { plainGit } from "../../../../test/support/plain-git.ts";
import { World } from "../../../cli/test/hap.ts";
import { applyHunks } from "../src/apply/apply-hunks.ts";
import { parsePatch } from "../src/apply/parse-patch.ts";

const agent = { env: { HAP_AGENT_ID: "agent:ci" } };

/** A repository with a few files, a change made in it and taken back, and the change as a diff. */
class Repository {
  readonly world = new World();
  readonly root = join(this.world.folder, "work");

  constructor() {
    this.git("init", "-q");
    this.write("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n");
    this.write("sub/b.txt", "b\n");
    this.git("add", "-A");
    this.git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "start");
  }

  git(...args: string[]): string {
    return execFileSync("git", ["-C", this.root, ...args], {
      encoding: "utf8",
      env: plainGit(this.world.folder),
    });
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.root, path, ".."), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** The diff of a change, which is taken back. */
  diffOf(change: () => void): string {
    change();
    this.git("add", "-A");
    const diff = this.git("diff", "--cached", "-M");
    this.git("reset", "-q", "--hard");
    return diff;
  }

  async ask(diff: string, more: string[] = []): Promise<Ticket> {
    return this.world.json<Ticket>(["create", "--summary", "Change", "--diff-file", "-", ...more], { ...agent, input: diff });
  }

  async approved(diff: string): Promise<Ticket> {
    const ticket = await this.ask(diff);
    await this.world.ok(["approve", ticket.id]);
    return ticket;
  }

  apply(id: string) {
    return this.world.run(["apply", id], agent);
  }
}

describe("hap apply", () => {
  test("[APPLY-DIFF-1] changes, creates, moves and deletes what the diff says, once, with git's configuration out of reach", async () => {
    const repository = new Repository();
    repository.write("old.txt", "same\nsame\nsame\nsame\nsame\n");
    repository.write("gone.txt", "gone");
    repository.git("add", "-A");
    repository.git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "more");
    const diff = repository.diffOf(() => {
      repository.write("a.txt", "one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine");
      repository.write("new/c.sh", "#!/bin/sh\n");
      execFileSync("chmod", ["755", join(repository.root, "new/c.sh")]);
      rmSync(join(repository.root, "gone.txt"));
      rmSync(join(repository.root, "old.txt"));
      repository.write("moved.txt", "same\nsame\nsame\nsame\nsame\n");
    });
    // A filter that would change every file, and an attribute that turns it on.
    repository.write(".gitattributes", "* filter=evil\n");
    repository.git("config", "filter.evil.smudge", "touch /tmp/hap-evil; cat");
    repository.git("config", "core.autocrlf", "true");
    const ticket = await repository.ask(diff);
    expect(await repository.apply(ticket.id)).toMatchObject({ code: 14, out: "" });
    await repository.world.ok(["approve", ticket.id]);
    const applied = await repository.apply(ticket.id);
    expect(applied, applied.err).toMatchObject({ code: 0 });
    expect(repository.read("a.txt")).toBe("one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine");
    expect(statSync(join(repository.root, "new/c.sh")).mode & 0o777).toBe(0o755);
    expect(repository.read("moved.txt")).toBe("same\nsame\nsame\nsame\nsame\n");
    for (const path of ["gone.txt", "old.txt"]) expect(existsSync(join(repository.root, path))).toBe(false);
    expect(existsSync("/tmp/hap-evil")).toBe(false);
    const again = await repository.apply(ticket.id);
    expect(again.code).toBe(5);
    expect(again.err).toContain("was used by agent:ci");
  });

  test("[APPLY-STALE-1] refuses a file that has changed, notes it, and uses nothing up", async () => {
    const repository = new Repository();
    const change = () => repository.write("a.txt", "one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\n");
    const withId = repository.diffOf(change);
    const without = withId.replace(/^index .*\n/m, "");
    const cases: [string, string][] = [
      [withId, "a.txt has changed since the diff was made."],
      [without, "a.txt: line 7 is no longer what it was."],
    ];
    for (const [diff, words] of cases) {
      const ticket = await repository.approved(
        diff.replace("@@ -1,5 +1,5 @@", "@@ -1,8 +1,8 @@").replace(" five\n", " five\n six\n seven\n eight\n"),
      );
      repository.write("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\n7\neight\n");
      const refused = await repository.apply(ticket.id);
      expect(refused.code).toBe(5);
      expect(refused.err).toContain(words);
      expect(repository.read("a.txt")).toContain("\ntwo\n");
      expect(await repository.world.ok(["show", ticket.id])).toContain(words);
      expect((await repository.world.json<Ticket>(["show", ticket.id])).consumed).toBeNull();
      repository.git("reset", "-q", "--hard");
    }
  });

  test("[APPLY-STALE-1] never lets a hunk slide to similar lines elsewhere", async () => {
    const repository = new Repository();
    const diff = repository.diffOf(() => repository.write("sub/b.txt", "B\n")).replace(/^index .*\n/m, "");
    const ticket = await repository.approved(diff);
    repository.write("sub/b.txt", "first\nb\n");
    const refused = await repository.apply(ticket.id);
    expect(refused.code).toBe(5);
    expect(repository.read("sub/b.txt")).toBe("first\nb\n");
  });

  const made = (path: string, mode = "100644") =>
    `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;

  test.each([
    ["../out.txt", made("../out.txt"), "leads out of the project"],
    ["a path from the root", "--- /dev/null\n+++ /etc/hap\n@@ -0,0 +1 @@\n+x\n", "is no path inside the project"],
    [".git/hooks/pre-commit", made(".git/hooks/pre-commit", "100755"), "lies in .git"],
    [".GIT/config", made(".GIT/config"), "lies in .git"],
    ["sub/.git/config", made("sub/.git/config"), "lies in .git"],
    ["a hidden character in .git", made(".g\u200cit/config"), "lies in .git"],
    ["a link that exists", made("link/x.txt"), "goes through a symbolic link"],
    ["a link that is made", made("new-link", "120000"), "would become a link or a module"],
    ["a submodule", made("module", "160000"), "would become a link or a module"],
    ["the same file twice", made("x.txt") + made("x.txt"), "names x.txt twice"],
    ["a binary patch", "diff --git a/x b/x\nGIT binary patch\nliteral 0\n\n", "belongs to no file"],
    ["a hunk that lies about its lines", made("x.txt").replace("+1 @@", "+1,2 @@"), "does not have the lines that it says"],
  ])("[APPLY-PATHS-1] refuses %s, and writes nothing", async (_name, diff, words) => {
    const repository = new Repository();
    symlinkSync("/tmp", join(repository.root, "link"));
    const ticket = await repository.ask(diff);
    const approved = await repository.world.run(["approve", ticket.id]);
    if (approved.code !== 0) {
      const phrase = { expect: "type:  (.+?)\\r?\\n", send: "{0}\r" };
      const { code, screen } = await repository.world.atTerminal(["approve", ticket.id], { replies: [phrase] });
      expect(code, screen).toBe(0);
    }
    const before = repository.git("status", "--porcelain");
    const refused = await repository.apply(ticket.id);
    expect(refused.code, refused.err).toBe(2);
    expect(refused.err).toContain(words);
    expect(repository.git("status", "--porcelain")).toBe(before);
    expect((await repository.world.json<Ticket>(["show", ticket.id])).consumed).toBeNull();
  });

  test("[APPLY-EDITS-1] applies the diff that the person changed it into", async () => {
    const repository = new Repository();
    const asked = repository.diffOf(() => repository.write("sub/b.txt", "B\n"));
    const better = repository.diffOf(() => repository.write("sub/b.txt", "better\n"));
    const ticket = await repository.ask(asked, ["--ask", '{"type":"approval","allow_edits":true}']);
    await repository.world.ok(["approve", ticket.id, "--edits", JSON.stringify({ diff: better })]);
    const applied = await repository.apply(ticket.id);
    expect(applied, applied.err).toMatchObject({ code: 0, out: "Applied: sub/b.txt\n" });
    expect(repository.read("sub/b.txt")).toBe("better\n");
  });
});

describe("the diff's own reader", () => {
  test("[APPLY-DIFF-1] comes to what git comes to, with and without a last newline, CRLF and all", () => {
    const repository = new Repository();
    const texts = [
      "",
      "a",
      "a\n",
      "a\r\nb\r\n",
      "\n\n",
      "x\ny\nz\n1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      "x\ny\nz\n1\n2\n3\n4\n5\n6\n7\n8\nnine",
      "\\ odd\n-- x\n",
    ];
    repository.git("config", "core.autocrlf", "false");
    for (const before of texts)
      for (const after of texts) {
        if (before === after) continue;
        repository.write("t.txt", before);
        repository.git("add", "-A");
        repository.write("t.txt", after);
        const [file] = parsePatch(repository.git("diff"));
        expect(applyHunks(before, file?.hunks ?? []), JSON.stringify([before, after])).toEqual({ after });
      }
  });
});
