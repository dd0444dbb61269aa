// Reads JSON one character at a time and knows at once when it stops being JSON; keeps nothing but its nesting.

/** What a character did: nothing yet, ended an object inside, ended the whole object, or broke the grammar. */
export type Step = "more" | "inner" | "done" | "broken";

type Mode = "value" | "firstValue" | "key" | "firstKey" | "colon" | "after" | "string" | "escape" | "unicode" | "scalar";

const scalarPattern = /^(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)$/;
const SCALAR_LIMIT = 400;
const isSpace = (char: string) => char === " " || char === "\n" || char === "\r" || char === "\t";

/** One JSON object, from its opening brace on. */
export class JsonMachine {
  /** How many characters were read, and where the last string and each open container begin. */
  length = 0;
  stringStart = 0;
  readonly #open: { brace: "{" | "["; start: number }[] = [];
  #mode: Mode = "value";
  #isKey = false;
  #scalar = "";
  #digits = 0;
  /** Where the object that ended last began. */
  innerStart = 0;

  step(char: string): Step {
    const result = this.#read(char);
    this.length++;
    return result;
  }

  /** True inside a string: only its end or an escape is of interest. */
  get inString(): boolean {
    return this.#mode === "string";
  }

  #read(char: string): Step {
    switch (this.#mode) {
      case "string":
        return this.#readString(char);
      case "escape":
        if (char === "u") {
          this.#mode = "unicode";
          this.#digits = 0;
          return "more";
        }
        this.#mode = "string";
        return '"\\/bfnrt'.includes(char) ? "more" : "broken";
      case "unicode":
        this.#digits++;
        if (this.#digits === 4) this.#mode = "string";
        return /[0-9a-fA-F]/.test(char) ? "more" : "broken";
      case "scalar":
        if (isSpace(char) || char === "," || char === "}" || char === "]") {
          if (!scalarPattern.test(this.#scalar)) return "broken";
          this.#mode = "after";
          return this.#read(char);
        }
        this.#scalar += char;
        return this.#scalar.length > SCALAR_LIMIT ? "broken" : "more";
      default:
        return isSpace(char) ? "more" : this.#readStructure(char);
    }
  }

  #readString(char: string): Step {
    if (char === '"') this.#mode = this.#isKey ? "colon" : "after";
    else if (char === "\\") this.#mode = "escape";
    else if (char < " ") return "broken";
    return "more";
  }

  #readStructure(char: string): Step {
    const mode = this.#mode;
    if (mode === "colon") {
      this.#mode = "value";
      return char === ":" ? "more" : "broken";
    }
    if (mode === "firstKey" || mode === "key") {
      if (char === "}" && mode === "firstKey") return this.#close("{");
      this.#isKey = true;
      return char === '"' ? this.#openString() : "broken";
    }
    if (mode === "after") {
      if (char === "}") return this.#close("{");
      if (char === "]") return this.#close("[");
      this.#mode = this.#open.at(-1)?.brace === "{" ? "key" : "value";
      return char === "," ? "more" : "broken";
    }
    if (char === "]" && mode === "firstValue") return this.#close("[");
    return this.#beginValue(char);
  }

  #beginValue(char: string): Step {
    this.#isKey = false;
    if (char === '"') return this.#openString();
    if (char === "{" || char === "[") {
      this.#open.push({ brace: char, start: this.length });
      this.#mode = char === "{" ? "firstKey" : "firstValue";
      return "more";
    }
    if (!/[-0-9tfn]/.test(char)) return "broken";
    this.#mode = "scalar";
    this.#scalar = char;
    return "more";
  }

  #openString(): Step {
    this.#mode = "string";
    this.stringStart = this.length;
    return "more";
  }

  #close(brace: "{" | "["): Step {
    const closed = this.#open.pop();
    if (closed?.brace !== brace) return "broken";
    this.#mode = "after";
    if (this.#open.length === 0) return "done";
    this.innerStart = closed.start;
    return brace === "{" ? "inner" : "more";
  }
}
