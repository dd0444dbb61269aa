import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Editor, editKey, editorText, editPaste, makeEditor } from "./editor.ts";

const typed = (editor: Editor, ...names: string[]) =>
  names.reduce(
    (now, name) => editKey(now, { name, text: [...name].length === 1 ? name : name === "space" ? " " : null }) ?? now,
    editor,
  );

test("[TUI-EDIT-1] text is typed, moved through and deleted by characters as a reader counts them", () => {
  expect(editorText(typed(makeEditor("ab"), "left", "x"))).toBe("axb");
  expect(editorText(typed(makeEditor("a👩‍👩‍👧b"), "left", "backspace"))).toBe("ab");
  expect(editorText(typed(makeEditor("one two"), "ctrl-w"))).toBe("one ");
  expect(editorText(typed(makeEditor("one two"), "home", "delete", "ctrl-k", "z"))).toBe("z");
  expect(editorText(typed(makeEditor("one"), "ctrl-u", "backspace", "left"))).toBe("");
  expect(editorText(typed(makeEditor("e"), "\u0301", "!"))).toBe("e\u0301!");
});

test("[TUI-EDIT-1] a line break goes only where there are lines", () => {
  expect(editKey(makeEditor("a"), { name: "newline", text: null })).toBeNull();
  expect(editorText(typed(makeEditor("a", true), "newline", "b"))).toBe("a\nb");
});

test("[TUI-EDIT-1] up and down go through the lines, and out of the text at its ends", () => {
  const text = makeEditor("one\n\nthree", true);
  expect(editorText(typed(text, "up", "up", "x"))).toBe("xone\n\nthree");
  expect(editorText(typed(text, "up", "x"))).toBe("one\nx\nthree");
  expect(editorText(typed(makeEditor("ab\ncde", true), "up", "x"))).toBe("abx\ncde");
  expect(editorText(typed(text, "home", "right", "down", "down", "x"))).toBe("one\n\nxthree");
  expect(editKey(text, { name: "down", text: null })).toBeNull();
  expect(editKey(typed(text, "home"), { name: "up", text: null })).toBeNull();
});

test("[TUI-PASTE-1] pasted control characters are left out", () => {
  expect(editorText(editPaste(makeEditor("", true), "a\r\nb\u001b[2J\u0007"))).toBe("a\nb[2J");
  expect(editorText(editPaste(makeEditor(), "a\nb"))).toBe("a b");
});

test("[TUI-EDIT-1] the cursor stays inside the text, whatever is pressed", () => {
  const keys = fc.constantFrom(
    "left",
    "right",
    "home",
    "end",
    "up",
    "down",
    "backspace",
    "delete",
    "ctrl-w",
    "ctrl-u",
    "ctrl-k",
    "x",
    "space",
    "é",
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.array(keys), (text, pressed) => {
      const { chars, at } = typed(makeEditor(text), ...pressed);
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(chars.length);
    }),
  );
});
