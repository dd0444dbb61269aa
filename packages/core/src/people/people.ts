// The directory outside the log (D19): people and projects appear in events by random handles only.
import { HapError, ID_PATTERNS, type Json, mapStrings, parseHumanId, personWords } from "@hap/protocol";
import { ContentWriter } from "../log/contents.ts";
import type { ViewSource } from "../store/store.ts";
import { toIso } from "../tickets/record.ts";
import type { Session } from "../transaction/session.ts";

/** The handle of a name, made when it is new: `human:alex` -> `human:<26>`, a folder -> `prj_<26>`. The log says whose it is (D35). */
export function enlist(session: Session, name: string): string {
  const known = session.tx.handleOf(name);
  if (known !== undefined) return known;
  // A name of that shape would be taken for the handle of somebody else.
  if (ID_PATTERNS.handle.test(name)) {
    if (session.tx.nameOf(name) !== undefined) return name;
    throw new HapError("invalid_id", `${name} has the shape of a handle, which stands for a person in the log. Use a name.`, {
      id: name,
    });
  }
  const handle = session.names.id(name.startsWith("human:") ? "human:" : "prj_");
  const since = toIso(session.now);
  const contents = new ContentWriter(session.names);
  const event = { type: "directory.add", handle, name: contents.text("name", name), since } as const;
  const [{ seq }] = session.commitApart([event], contents.made);
  session.tx.putName({ handle, name, created_at: since, seq });
  return handle;
}

/** The handle of whoever acts. */
export function enlistPerson(session: Session, person: string): string {
  return enlist(session, parseHumanId(person, "by"));
}

/** The name behind a handle; of what was erased the handle itself, which faces show in words (`personWords`). */
export function nameOf(store: ViewSource, handle: string): string {
  return store.nameOf(handle) ?? handle;
}

/** Turn a handle into a name wherever a whole string is one. */
export function resolveHandle(store: ViewSource, text: string): string {
  return ID_PATTERNS.handle.test(text) || ID_PATTERNS.project.test(text) ? nameOf(store, text) : text;
}

const handles = /\b(?:human:|prj_)[0-9a-hjkmnp-tv-z]{26}\b/g;

/** An error as its reader should see it: names in place of handles, in words and fields. */
export function nameError(store: ViewSource, error: HapError): HapError {
  const named = (text: string) => text.replace(handles, (handle) => personWords(nameOf(store, handle)));
  const fields = mapStrings(error.fields as Json, named) as Record<string, unknown>;
  return new HapError(error.code, named(error.message), fields, error.cause);
}
