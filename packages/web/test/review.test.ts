// Comments on lines of a diff: they travel back with "request changes" as a structured list (D44).
import { readReview } from "@hap/protocol";
import { readOutcome } from "@hap/sdk/agent";
import { describe, expect, test } from "vitest";
import { openRow, until, useWorld } from "./page.ts";
import { smallChange } from "./tickets.ts";

describe("comments on lines", () => {
  const world = useWorld();

  test("[REVIEW-PAGE-1] a comment by a click and one by the keyboard reach the agent with file and line", async () => {
    const { engine, open } = await world();
    const { id } = smallChange(engine, "Fix a typo", {
      details: { diff: "--- a/README.md\n+++ b/README.md\n@@ -1,2 +1,2 @@\n-Teh app\n+The app\n same\n" },
    });
    const page = await open();
    await openRow(page, "Fix a typo");
    await page.locator(".line.removed .number.can-comment").click();
    await page.getByLabel("Comment on line 1").fill("Keep the old name");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.locator(".diff-file").getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByLabel("Line", { exact: true }).fill("2");
    await page.keyboard.press("Enter");
    await page.getByLabel("Comment on line 2").fill("Why not here");
    await page.keyboard.press("Control+Enter");
    await page.locator(".line-note", { hasText: "Why not here" }).waitFor();
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("README.md:2").waitFor();
    await dialog.getByRole("button", { name: "Request changes" }).click();
    await until(() => engine.getTicket(id).state === "CHANGES_REQUESTED", "changes were requested");
    const ticket = engine.getTicket(id);
    expect(readReview(ticket.resolution?.comment)).toEqual({
      text: "",
      lines: [
        { file: "README.md", line: 1, side: "old", text: "Keep the old name" },
        { file: "README.md", line: 2, text: "Why not here" },
      ],
    });
    const outcome = readOutcome(ticket);
    expect(outcome.lineComments).toHaveLength(2);
    expect(outcome.words).toContain("README.md:2: Why not here");
    await page.locator(".outcome").getByText("README.md:1 (removed line): Keep the old name").waitFor();
  });
});
