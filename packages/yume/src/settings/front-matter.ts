// Markdown files with a head of fields between two lines of dashes, as commands, agents and skills have it. Pure.

export type FrontMatter = { field: (name: string) => string | null; body: string };

/** Read the head's plain fields and the text after it. */
export function readFrontMatter(text: string): FrontMatter {
  const match = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text);
  const head = match?.[1] ?? "";
  return {
    field: (name) => {
      const line = new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(head)?.[1]?.trim();
      return line === undefined || line === "" ? null : line.replace(/^(["'])(.*)\1$/, "$2");
    },
    body: text.slice(match?.[0].length ?? 0),
  };
}
