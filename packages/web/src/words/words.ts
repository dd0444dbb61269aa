// The page's words: by a key that the compiler knows, with names filled in and numbers written as the reader writes them.
import type { ComponentChildren } from "preact";
import { en } from "./en.ts";
import { language, languageTag, locale } from "./language.ts";
import { disguise } from "./pseudo.ts";

type Catalogue = typeof en;
/** A message of the catalogue. */
export type Key = keyof Catalogue;
type TextOf<M> = M extends string ? M : M[keyof M];
type NamesIn<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type NamesOf<K extends Key> = NamesIn<TextOf<Catalogue[K]>>;
type Given<K extends Key, V> = [NamesOf<K>] extends [never] ? [] : [values: Record<NamesOf<K>, V>];

const plurals = new Intl.PluralRules(languageTag);
const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });

/** A number as this person's browser writes it. */
export const number = (value: number): string => numbers.format(value);

/** A message as text. A message with forms chooses by its value `count`. */
export function t<K extends Key>(key: K, ...[values]: Given<K, string | number>): string {
  return fill(key, values as Record<string, string | number> | undefined).join("");
}

/** Words that the page shares with the terminal, such as those of the keymap. */
export function shared(words: string): string {
  return language === "pseudo" ? disguise(words) : words;
}

/** A message with elements in it. */
export function rich<K extends Key>(key: K, ...[values]: Given<K, ComponentChildren>): ComponentChildren[] {
  return fill(key, values as Record<string, ComponentChildren> | undefined);
}

function fill<V>(key: Key, values: Record<string, V> | undefined): (V | string)[] {
  const message = messageFor(key, values?.count);
  const whole = language === "pseudo" ? disguise(message) : message;
  return whole.split(/\{(\w+)\}/).map((part, at) => {
    if (at % 2 === 0) return part;
    const value = values?.[part] as V;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

function messageFor(key: Key, count: unknown): string {
  const message: string | { one: string; other: string } = en[key];
  if (typeof message === "string") return message;
  return message[plurals.select(Number(count)) === "one" ? "one" : "other"];
}
