// `a{b,c}d` as the words that a shell makes of it. Only plain lists: sequences and nesting are decided at run time for the classifier.

const LIST = /\{([^{}]*,[^{}]*)\}/;
const MOST = 64;

/** Every word; the text itself where it holds no list, or too many. */
export function expandBraces(text: string): readonly string[] {
  let words = [text];
  for (let round = 0; round < MOST && words.some((word) => LIST.test(word)); round += 1) {
    words = words.flatMap((word) => {
      const found = LIST.exec(word);
      if (found === null) return [word];
      const [whole, list = ""] = found;
      return list.split(",").map((item) => word.slice(0, found.index) + item + word.slice(found.index + whole.length));
    });
    if (words.length > MOST) return [text];
  }
  return words;
}
