// The file tools on real files: what they keep, what they refuse, and what they say so that a model can recover.
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editTool, multiEditTool } from "../src/tools/files/edit.ts";
import { lsTool } from "../src/tools/files/ls.ts";
import { notebookEditTool } from "../src/tools/files/notebook-edit.ts";
import { readTool } from "../src/tools/files/read.ts";
import { writeTool } from "../src/tools/files/write.ts";
import { globTool } from "../src/tools/search/glob.ts";
import { grepTool } from "../src/tools/search/grep.ts";
import { toolWorld } from "./support/tool-world.ts";

const read = readTool([]);

describe("Read", () => {
  it("[YUME-FILES-1] numbers lines, honours offset and limit, and says how to go on", async () => {
    const { folder, run } = toolWorld();
    writeFileSync(join(folder, "a.txt"), Array.from({ length: 3_000 }, (_, index) => `line ${index + 1}`).join("\r\n"));
    const whole = await run(read, { file_path: "a.txt" });
    expect(whole.text.split("\n")[0]).toBe("     1\tline 1");
    expect(whole.text).toMatch(/Read it with offset \d+ to see more/);
    expect((await run(read, { file_path: join(folder, "a.txt"), offset: 2_999, limit: 5 })).text).toBe(
      "  2999\tline 2999\n  3000\tline 3000",
    );
    expect(await run(read, { file_path: "a.txt", offset: 9_000 })).toMatchObject({
      is_error: true,
      text: expect.stringContaining("has 3000 lines"),
    });
  });

  it("[YUME-FILES-1] reads a part of a file of 50 MB without taking it all", async () => {
    const { folder, run } = toolWorld();
    writeFileSync(join(folder, "big.txt"), `${"x".repeat(99)}\n`.repeat(500_000));
    expect((await run(read, { file_path: "big.txt", offset: 400_000, limit: 2 })).text).toMatch(
      /^400000\tx+\n400001\tx+\n\n\[The file goes on/,
    );
  });

  it.each([
    ["a missing file", "none.txt", "There is no file none.txt"],
    ["a folder", "sub", "is a folder. Use LS"],
    ["a binary file", "data.bin", "is a binary file"],
  ])("[YUME-FILES-1] refuses %s with words that help", async (_, file_path, words) => {
    const { folder, run } = toolWorld();
    mkdirSync(join(folder, "sub"));
    writeFileSync(join(folder, "data.bin"), Buffer.from([1, 2, 0, 3]));
    expect(await run(read, { file_path })).toMatchObject({ is_error: true, text: expect.stringContaining(words) });
  });

  it("[YUME-FILES-1] shows images", async () => {
    const { folder, run } = toolWorld();
    writeFileSync(join(folder, "a.png"), Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]));
    expect((await run(read, { file_path: "a.png" })).text).toBe("[image/png]");
  });
});

describe("Edit and MultiEdit", () => {
  const encodings: [string, Buffer, Buffer][] = [
    ["UTF-8 with line feeds", Buffer.from("one\ntwö\n"), Buffer.from("one\nthree\nfour\n")],
    ["CRLF", Buffer.from("one\r\ntwö\r\n"), Buffer.from("one\r\nthree\r\nfour\r\n")],
    ["a byte order mark", Buffer.from("\ufeffone\ntwö\n"), Buffer.from("\ufeffone\nthree\nfour\n")],
    ["UTF-16", Buffer.from("\ufeffone\ntwö\n", "utf16le"), Buffer.from("\ufeffone\nthree\nfour\n", "utf16le")],
    ["Latin-1", Buffer.from("one\ntwö\n", "latin1"), Buffer.from("one\nthree\nfour\n", "latin1")],
  ];
  it.each(encodings)("[YUME-FILES-2] keep %s", async (_, before, after) => {
    const { folder, run } = toolWorld();
    writeFileSync(join(folder, "a.txt"), before);
    chmodSync(join(folder, "a.txt"), 0o640);
    expect(await run(editTool, { file_path: "a.txt", old_string: "twö", new_string: "three\nfour" })).toMatchObject({
      is_error: false,
    });
    expect(readFileSync(join(folder, "a.txt"))).toEqual(after);
    expect(statSync(join(folder, "a.txt")).mode & 0o777).toBe(0o640);
  });

  it.each([
    ["text that is not there", { old_string: "zzz", new_string: "x" }, "old_string was not found"],
    ["text that is there twice", { old_string: "a", new_string: "x" }, "found 2 times"],
    ["the same text", { old_string: "a", new_string: "a" }, "are the same"],
    ["other white space", { old_string: "b   c", new_string: "x" }, "with other white space"],
    ["an empty old text", { old_string: "", new_string: "x" }, "old_string is empty"],
  ])("[YUME-FILES-2] refuse %s and change nothing", async (_, edit, words) => {
    const { folder, run } = toolWorld();
    writeFileSync(join(folder, "a.txt"), "a b c a\n");
    expect(await run(editTool, { file_path: "a.txt", ...edit })).toMatchObject({
      is_error: true,
      text: expect.stringContaining(words),
    });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("a b c a\n");
  });

  it("[YUME-FILES-2] replace everywhere only when told, and take replacement patterns literally", async () => {
    const { folder, run } = toolWorld();
    writeFileSync(join(folder, "a.txt"), "a b a\n");
    await run(editTool, { file_path: "a.txt", old_string: "a", new_string: "$&$1", replace_all: true });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("$&$1 b $&$1\n");
  });

  it("[YUME-FILES-2] make all edits of a call or none", async () => {
    const { folder, run } = toolWorld();
    writeFileSync(join(folder, "a.txt"), "one two\n");
    const edits = [
      { old_string: "one", new_string: "1" },
      { old_string: "1 two", new_string: "1 2" },
    ];
    const bad = await run(multiEditTool, { file_path: "a.txt", edits: [...edits, { old_string: "three", new_string: "3" }] });
    expect(bad).toMatchObject({ is_error: true, text: expect.stringContaining("in edit 3 of a.txt") });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one two\n");
    await run(multiEditTool, { file_path: "a.txt", edits });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("1 2\n");
  });

  it("[YUME-FILES-2] refuse a file that somebody changed since it was read", async () => {
    const { folder, run } = toolWorld();
    writeFileSync(join(folder, "a.txt"), "one\n");
    await run(read, { file_path: "a.txt" });
    writeFileSync(join(folder, "a.txt"), "one and more\n");
    expect(await run(writeTool, { file_path: "a.txt", content: "mine" })).toMatchObject({
      is_error: true,
      text: expect.stringContaining("has changed since you read it"),
    });
    await run(read, { file_path: "a.txt" });
    expect(await run(editTool, { file_path: "a.txt", old_string: "one", new_string: "two" })).toMatchObject({ is_error: false });
  });
});

describe("Write, LS and NotebookEdit", () => {
  it("[YUME-FILES-2] write whole files, through links to where they lead", async () => {
    const { folder, run } = toolWorld();
    writeFileSync(join(folder, "real.txt"), "old\r\nlines\r\n");
    symlinkSync("real.txt", join(folder, "link.txt"));
    await run(writeTool, { file_path: "link.txt", content: "new\nlines\n" });
    expect(readFileSync(join(folder, "real.txt"), "utf8")).toBe("new\r\nlines\r\n");
    await run(writeTool, { file_path: "deep/er/x.txt", content: "x" });
    expect((await run(lsTool, {})).text).toContain("- deep/\n- link.txt@\n- real.txt");
  });

  it("[YUME-FILES-3] change one cell of a notebook", async () => {
    const { folder, run } = toolWorld();
    const notebook = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { kept: true },
      cells: [{ id: "a", cell_type: "code", metadata: {}, source: ["1"], outputs: [{}], execution_count: 3 }],
    };
    writeFileSync(join(folder, "n.ipynb"), JSON.stringify(notebook));
    await run(notebookEditTool, { notebook_path: "n.ipynb", cell_id: "a", new_source: "2\n3" });
    await run(notebookEditTool, {
      notebook_path: "n.ipynb",
      cell_id: "a",
      new_source: "# Title",
      cell_type: "markdown",
      edit_mode: "insert",
    });
    const after = JSON.parse(readFileSync(join(folder, "n.ipynb"), "utf8"));
    expect(after).toMatchObject({
      metadata: { kept: true },
      cells: [
        { id: "a", source: ["2\n", "3"], outputs: [], execution_count: null },
        { cell_type: "markdown", source: ["# Title"] },
      ],
    });
    expect(await run(notebookEditTool, { notebook_path: "n.ipynb", cell_id: "9", new_source: "" })).toMatchObject({
      is_error: true,
    });
  });
});

describe("Glob and Grep", () => {
  const world = () => {
    const made = toolWorld();
    mkdirSync(join(made.folder, ".git"));
    mkdirSync(join(made.folder, "src/inner"), { recursive: true });
    writeFileSync(join(made.folder, ".gitignore"), "ignored.ts\n*.log\n");
    for (const [path, content] of [
      ["src/a.ts", "needle one\nother\n"],
      ["src/inner/b.tsx", "a Needle two\n"],
      ["ignored.ts", "needle\n"],
      ["x.log", "needle\n"],
      [".env", "SECRET=needle\n"],
      [".git/config", "needle\n"],
    ] as const)
      writeFileSync(join(made.folder, path), content);
    return made;
  };

  it("[YUME-SEARCH-1] find by pattern, without what .gitignore names", async () => {
    const { run, folder } = world();
    const found = async (pattern: string) =>
      (await run(globTool, { pattern })).text
        .split("\n")
        .map((line) => line.replace(`${folder}/`, ""))
        .sort();
    expect(await found("**/*.{ts,tsx}")).toEqual(["src/a.ts", "src/inner/b.tsx"]);
    expect(await found("*.tsx")).toEqual(["src/inner/b.tsx"]);
    expect(await found(`${folder}/src/*.ts`)).toEqual(["src/a.ts"]);
    expect(await found("*.log")).toEqual(["No files found."]);
  });

  it("[YUME-SEARCH-1] search by content, names and counts, and leave credentials out of a folder's search", async () => {
    const { run } = world();
    expect((await run(grepTool, { pattern: "needle", "-i": true, output_mode: "content" })).text).toBe(
      "src/a.ts:1:needle one\nsrc/inner/b.tsx:1:a Needle two",
    );
    expect((await run(grepTool, { pattern: "needle" })).text).toBe("Found 1 file\nsrc/a.ts");
    expect((await run(grepTool, { pattern: "needle", glob: "*.log" })).text).toBe("No matches found.");
    expect((await run(grepTool, { pattern: "e", output_mode: "count", type: "ts" })).text).toBe("src/a.ts:2\nsrc/inner/b.tsx:1");
    expect((await run(grepTool, { pattern: "one\\nother", multiline: true })).text).toContain("src/a.ts");
    expect((await run(grepTool, { pattern: "e", glob: "*.{ts,tsx}", output_mode: "content", head_limit: 1 })).text).toContain(
      "[2 more; use offset 1]",
    );
    expect(await run(grepTool, { pattern: "(" })).toMatchObject({
      is_error: true,
      text: expect.stringContaining("unclosed group"),
    });
  });
});
