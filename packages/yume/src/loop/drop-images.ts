// Images and documents out of a history, for a model that cannot see them or a provider that refused one. Pure.
import type { ImagePart, TextPart, ToolResultPart, Turn } from "../model/types.ts";

/** True when some turn holds an image or a document. */
export function hasImages(turns: readonly Turn[]): boolean {
  return turns.some(({ content }) =>
    content.some(
      (part) => part.type === "image" || (part.type === "tool_result" && part.content.some(({ type }) => type === "image")),
    ),
  );
}

/** The same turns with words in their place. */
export function withoutImages(turns: readonly Turn[], why: string): Turn[] {
  const words = ({ media_type }: ImagePart): TextPart => ({ type: "text", text: `[${media_type} left out: ${why}]` });
  const plain = <T extends TextPart | ImagePart | ToolResultPart>(part: T) => (part.type === "image" ? words(part) : part);
  return turns.map((turn): Turn => {
    if (turn.role === "assistant") return turn;
    const content = turn.content.map((part) =>
      part.type === "tool_result" ? { ...part, content: part.content.map(plain) as (TextPart | ImagePart)[] } : plain(part),
    );
    return { role: "user", content };
  });
}
