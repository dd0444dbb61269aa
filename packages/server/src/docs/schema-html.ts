// JSON Schema as HTML: one row per field, nested objects below their field. Schemas that several operations share are printed once.

/** The part of JSON Schema 2020-12 that the OpenAPI document uses. */
export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  default?: unknown;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  $ref?: string;
  $defs?: Record<string, Schema>;
};

type Shared = { name: string; schema: Schema; root: Schema };

/** Objects with fewer fields are printed where they are used. */
const LARGE = 5;
const DEEPEST = 6;

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Text with `code` in backticks. */
export function proseHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

/** The schemas of one document. Give it all of them first, then print each. */
export class SchemaBook {
  /** How often an object is used, and the field that held it first. */
  readonly #uses = new Map<string, { count: number; name: string }>();
  readonly #shared = new Map<string, Shared>();

  /** Count a schema's objects, named after the field that holds them. */
  add(schema: Schema, name: string): void {
    this.#count(schema, name, schema, 0);
  }

  #count(schema: Schema, name: string, root: Schema, depth: number): void {
    if (depth > 12) return;
    const key = keyOf(schema);
    if (key !== null) {
      const use = this.#uses.get(key) ?? { count: 0, name };
      this.#uses.set(key, use);
      use.count++;
      if (use.count === 2) this.#shared.set(key, { name: this.#freeName(use.name), schema, root });
      if (use.count > 1) return;
    }
    for (const [field, inner] of Object.entries(schema.properties ?? {})) this.#count(inner, field, root, depth + 1);
    for (const inner of [schema.items, ...alternatives(schema)])
      if (inner !== undefined) this.#count(inner, singular(name), root, depth + 1);
    for (const [field, inner] of Object.entries(schema.$defs ?? {})) this.#count(inner, field, root, depth + 1);
  }

  #freeName(field: string): string {
    const name = field.replaceAll(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
    const taken = new Set([...this.#shared.values()].map((shared) => shared.name));
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name} (${number})`;
      if (!taken.has(candidate)) return candidate;
    }
  }

  /** A schema as HTML: a link where it is shared, else its fields. */
  html(schema: Schema): string {
    const { words, below } = this.#describe(schema, schema, 0);
    return `<p class="type">${words}</p>${below}`;
  }

  /** Every shared schema, in the order of names. */
  sharedHtml(): string {
    return [...this.#shared.values()]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(
        ({ name, schema, root }) =>
          `<section class="schema" id="${anchorOf(name)}"><h3>${escapeHtml(name)}</h3>${this.#fields(schema, root, 0)}</section>`,
      )
      .join("\n");
  }

  /** A schema in some words, and its fields where it has any. */
  #describe(schema: Schema, root: Schema, depth: number): { words: string; below: string } {
    const target = resolve(schema, root);
    if (target === null) return { words: escapeHtml(schema.$ref?.split("/").at(-1) ?? "the same"), below: "" };
    const shared = this.#shared.get(keyOf(target) ?? "");
    if (shared !== undefined) return { words: `<a href="#${anchorOf(shared.name)}">${escapeHtml(shared.name)}</a>`, below: "" };
    const choices = alternatives(target);
    if (choices.length > 0) return this.#describeChoices(choices, root, depth);
    if (target.items !== undefined) {
      const inner = this.#describe(target.items, root, depth + 1);
      return { words: `array of ${inner.words}`, below: inner.below };
    }
    if (target.properties !== undefined)
      return { words: "object", below: depth < DEEPEST ? this.#fields(target, root, depth + 1) : "" };
    return { words: plainType(target), below: "" };
  }

  #describeChoices(choices: readonly Schema[], root: Schema, depth: number): { words: string; below: string } {
    const parts = choices.map((choice) => this.#describe(choice, root, depth + 1));
    const words = [...new Set(parts.map((part) => part.words))].join(" or ");
    return { words, below: parts.map((part) => part.below).join("") };
  }

  #fields(schema: Schema, root: Schema, depth: number): string {
    const rows = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
      const { words, below } = this.#describe(inner, root, depth);
      const needed = schema.required?.includes(name) === true ? ' <span class="needed">required</span>' : "";
      const described = inner.description === undefined ? "" : `<p>${proseHtml(inner.description)}</p>`;
      const nested = below === "" ? "" : `<details><summary>fields</summary>${below}</details>`;
      return `<dt><code>${escapeHtml(name)}</code>${needed}</dt><dd><span class="type">${words}${limits(inner)}</span>${described}${nested}</dd>`;
    });
    return rows.length === 0 ? "" : `<dl class="fields">${rows.join("\n")}</dl>`;
  }
}

/** Identity of an object worth printing once; null for anything smaller. */
function keyOf(schema: Schema): string | null {
  return Object.keys(schema.properties ?? {}).length >= LARGE ? JSON.stringify(schema) : null;
}

const alternatives = (schema: Schema): readonly Schema[] => schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
const singular = (name: string) => (name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.replace(/([^s])s$/, "$1"));
const anchorOf = (name: string) => `schema-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;

/** The target of a reference inside its own schema; null where the reference leads back to the whole. */
function resolve(schema: Schema, root: Schema): Schema | null {
  if (schema.$ref === undefined) return schema;
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1];
  return name === undefined ? null : (root.$defs?.[name] ?? null);
}

function plainType(schema: Schema): string {
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum !== undefined) return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(", ");
  const types = schema.type === undefined ? ["any value"] : [schema.type].flat();
  if (types.includes("object") && typeof schema.additionalProperties === "object")
    return `map of names to ${plainType(schema.additionalProperties)}`;
  return escapeHtml(types.join(" or ")) + (schema.format === undefined ? "" : ` (${escapeHtml(schema.format)})`);
}

/** What a value may be, in some words; limits that are only the machine's are left out. */
function limits(schema: Schema): string {
  const { minimum, maximum, maxLength, maxItems, pattern, default: standard } = schema;
  const safe = (value: number | undefined) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  const words = [
    ...(safe(minimum) ? [`at least ${minimum}`] : []),
    ...(safe(maximum) ? [`at most ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} entries`]),
    ...(pattern === undefined || pattern.length > 60 ? [] : [`matches <code>${escapeHtml(pattern)}</code>`]),
    ...(standard === undefined ? [] : [`default <code>${escapeHtml(JSON.stringify(standard))}</code>`]),
  ];
  return words.length === 0 ? "" : `, ${words.join(", ")}`;
}
