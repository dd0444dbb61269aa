// `yume-cli acp` with the official client library at the other end of its pipes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { methods, type PromptResponse } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { said, textPrompt, withEditor } from "./support/editor.ts";
import { hangs, makePlace, type Place, says, uses, yumeCli } from "./support/place.ts";

const agentIn = (place: Place) => ({ args: [yumeCli, "acp"], env: place.env, cwd: place.home });

describe("yume-cli acp", () => {
  it("[YUME-ACP-1] answers, asks before it writes, and shows each call", async () => {
    const place = await makePlace([uses("I write.", ["Write", { file_path: "made.txt", content: "by acp" }]), says(" Done.")]);
    await withEditor(agentIn(place), "allow_once", async ({ agent, updates, asked }) => {
      const { sessionId, modes } = await agent.request(methods.agent.session.new, { cwd: place.work, mcpServers: [] });
      expect(modes?.currentModeId).toBe("default");
      const { stopReason } = (await agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: textPrompt("Write"),
      })) as PromptResponse;
      expect(stopReason).toBe("end_turn");
      expect(asked).toEqual(["Write made.txt"]);
      expect(said(updates)).toBe("I write. Done.");
      expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(
        expect.arrayContaining(["tool_call", "tool_call_update"]),
      );
    });
    expect(readFileSync(join(place.work, "made.txt"), "utf8")).toBe("by acp");
  });

  it("[YUME-ACP-1] does not run what is rejected", async () => {
    const place = await makePlace([uses(["Write", { file_path: "made.txt", content: "x" }]), says("Then not.")]);
    await withEditor(agentIn(place), "reject_once", async ({ agent }) => {
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd: place.work, mcpServers: [] });
      await agent.request(methods.agent.session.prompt, { sessionId, prompt: textPrompt("Write") });
    });
    expect(existsSync(join(place.work, "made.txt"))).toBe(false);
    expect(place.asked()).toContain("the user said no");
  });

  it("[YUME-ACP-2] cancels a turn, changes its mode, and loads a session again", async () => {
    const place = await makePlace([
      hangs("chat", "I begin with xyzzy"),
      uses(["Write", { file_path: "made.txt", content: "x" }]),
      says("Written."),
      says("Welcome back."),
    ]);
    const id = await withEditor(agentIn(place), "reject_once", async ({ agent, updates }) => {
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd: place.work, mcpServers: [] });
      const running = agent.request(methods.agent.session.prompt, { sessionId, prompt: textPrompt("Long") });
      while (said(updates) === "") await new Promise((resolve) => setTimeout(resolve, 10));
      await agent.notify(methods.agent.session.cancel, { sessionId });
      expect(((await running) as PromptResponse).stopReason).toBe("cancelled");
      await agent.request(methods.agent.session.setMode, { sessionId, modeId: "acceptEdits" });
      await agent.request(methods.agent.session.prompt, { sessionId, prompt: textPrompt("Write") });
      expect(existsSync(join(place.work, "made.txt"))).toBe(true);
      return sessionId;
    });
    await withEditor(agentIn(place), "reject_once", async ({ agent, updates }) => {
      await agent.request(methods.agent.session.load, { sessionId: id, cwd: place.work, mcpServers: [] });
      expect(said(updates)).toContain("Written.");
      await agent.request(methods.agent.session.prompt, { sessionId: id, prompt: textPrompt("Hello again") });
      expect(place.asked()).toContain("Written.");
      await expect(
        agent.request(methods.agent.session.load, { sessionId: "unknown", cwd: place.work, mcpServers: [] }),
      ).rejects.toThrow();
    });
  });
});

describe("an editor's sessions and files", () => {
  it("[YUME-ACP-4] edits carry diffs; sessions are listed, replayed with their calls, resumed, configured, closed and deleted", async () => {
    const place = await makePlace([
      uses(["Edit", { file_path: "note.txt", old_string: "old", new_string: "new" }]),
      says("Edited."),
      says("Resumed."),
    ]);
    writeFileSync(join(place.work, "note.txt"), "the old text\n");
    const diff = { type: "diff", path: join(place.work, "note.txt"), oldText: "old", newText: "new" };
    await withEditor(agentIn(place), "allow_once", async ({ agent, updates }) => {
      const { sessionId, configOptions } = await agent.request(methods.agent.session.new, { cwd: place.work, mcpServers: [] });
      expect(configOptions).toMatchObject([
        { id: "mode", currentValue: "default" },
        { id: "effort", currentValue: "default" },
      ]);
      await agent.request(methods.agent.session.prompt, { sessionId, prompt: textPrompt("Edit it") });
      expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: "tool_call", content: [diff] }));
      expect(updates).toContainEqual(
        expect.objectContaining({ sessionUpdate: "tool_call_update", status: "completed", content: [diff] }),
      );
      await agent.request(methods.agent.session.close, { sessionId });
      const listed = await agent.request(methods.agent.session.list, { cwd: place.work });
      expect(listed.sessions).toMatchObject([{ sessionId, cwd: place.work, title: "Edit it" }]);
      updates.length = 0;
      await agent.request(methods.agent.session.load, { sessionId, cwd: place.work, mcpServers: [] });
      expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
        "user_message_chunk",
        "tool_call",
        "tool_call_update",
        "agent_message_chunk",
      ]);
      updates.length = 0;
      await agent.request(methods.agent.session.resume, { sessionId, cwd: place.work });
      expect(updates).toEqual([]);
      const set = { sessionId, configId: "effort", value: "high" };
      const changed = (await agent.request(methods.agent.session.setConfigOption, set)) as { configOptions: unknown };
      expect(changed.configOptions).toMatchObject([{ currentValue: "default" }, { currentValue: "high" }]);
      const asking = (await agent.request(methods.agent.session.setConfigOption, {
        sessionId,
        configId: "mode",
        value: "acceptEdits",
      })) as { configOptions: unknown };
      expect(asking.configOptions).toMatchObject([{ currentValue: "acceptEdits" }, {}]);
      await expect(
        agent.request(methods.agent.session.setConfigOption, { sessionId, configId: "mode", value: "bypassPermissions" }),
      ).rejects.toThrow();
      await agent.request(methods.agent.session.prompt, { sessionId, prompt: textPrompt("And?") });
      expect(place.asked()).toContain('"reasoning_effort":"high"');
      await agent.request(methods.agent.session.delete, { sessionId });
      expect((await agent.request(methods.agent.session.list, {})).sessions).toEqual([]);
    });
  });

  it("[YUME-ACP-5] what the editor shows is read, and what is written goes through it", async () => {
    const place = await makePlace([
      uses(["Read", { file_path: "note.txt" }]),
      uses(["Edit", { file_path: "note.txt", old_string: "unsaved", new_string: "edited" }]),
      says("Done."),
    ]);
    writeFileSync(join(place.work, "note.txt"), "on the disk\n");
    const buffers = { text: "unsaved words\n" };
    await withEditor(
      agentIn(place),
      "allow_once",
      async ({ agent }) => {
        const { sessionId } = await agent.request(methods.agent.session.new, { cwd: place.work, mcpServers: [] });
        await agent.request(methods.agent.session.prompt, { sessionId, prompt: textPrompt("Edit it") });
      },
      buffers,
    );
    expect(place.asked(1)).toContain("unsaved words");
    expect(buffers.text).toBe("edited words\n");
    expect(readFileSync(join(place.work, "note.txt"), "utf8")).toBe("on the disk\n");
  });
});
