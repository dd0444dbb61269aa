// Finds JSON objects inside other text, such as a model's answer.

/** Every outermost JSON object in a text, in order. What is not JSON is passed over. */
export function findObjects(text: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  let from = text.indexOf("{");
  while (from !== -1) {
    const end = closingBrace(text, from);
    const object = end === -1 ? undefined : parse(text.slice(from, end + 1));
    if (object !== undefined) found.push(object);
    from = text.indexOf("{", object === undefined ? from + 1 : end + 1);
  }
  return found;
}

function closingBrace(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let index = from; index < text.length; index++) {
    const character = text[index];
    if (quoted) {
      if (character === "\\") index++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return index;
  }
  return -1;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
