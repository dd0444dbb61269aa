// Comments on lines of a diff: written here, kept with the open ticket, and sent with "Request changes" as a structured list (D44).
import type { LineComment } from "@hap/protocol";
import { LIMITS } from "@hap/protocol";
import { type Signal, useSignal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import { SafeText } from "../ticket/safe-text.tsx";
import { t } from "../words/words.ts";
import type { Line } from "./rows.ts";

/** The comments on the open ticket; null where none can be written. */
export const ReviewContext = createContext<Signal<readonly LineComment[]> | null>(null);

/** A place in a file: a line of the new version, or one that the diff removes. */
export type LinePlace = { line: number; side?: "old" };

/** Where a line of the diff is; null for notes, which are on no line. */
export function placeOf({ oldNumber, newNumber }: Line): LinePlace | null {
  if (newNumber !== null) return { line: newNumber };
  return oldNumber === null ? null : { line: oldNumber, side: "old" };
}

const same = (a: LinePlace, b: LinePlace) => a.line === b.line && a.side === b.side;

/** The comments of one file, and how one is begun, kept and removed. */
export function useLineComments(file: string) {
  const review = useContext(ReviewContext);
  const open = useSignal<LinePlace | null>(null);
  const mine = review?.value.filter((comment) => comment.file === file) ?? [];
  return {
    enabled: review !== null && file !== "",
    open: open.value,
    at: (place: LinePlace) => mine.filter((comment) => same(comment, place)),
    begin: (place: LinePlace) => {
      open.value = place;
    },
    cancel: () => {
      open.value = null;
    },
    keep: (text: string) => {
      if (review === null || open.value === null || text.trim() === "") return;
      review.value = [...review.value, { file, ...open.value, text: text.trim() }];
      open.value = null;
    },
    remove: (comment: LineComment) => {
      if (review !== null) review.value = review.value.filter((other) => other !== comment);
    },
  };
}

export type LineComments = ReturnType<typeof useLineComments>;

/** What was said about a line, and the form for more. */
export function NotesAt({ place, comments }: { place: LinePlace | null; comments: LineComments }) {
  if (place === null || !comments.enabled) return null;
  const said = comments.at(place);
  const writing = comments.open !== null && same(comments.open, place);
  if (said.length === 0 && !writing) return null;
  return (
    <div class="line-notes">
      {said.map((comment, at) => (
        <div class="line-note" key={at}>
          <span>
            <SafeText text={comment.text} />
          </span>
          <button type="button" class="quiet" onClick={() => comments.remove(comment)}>
            {t("diff.comment.remove")}
          </button>
        </div>
      ))}
      {writing && <NoteForm line={place.line} comments={comments} />}
    </div>
  );
}

function NoteForm({ line, comments }: { line: number; comments: LineComments }) {
  const text = useSignal("");
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <form
      class="note-form"
      onSubmit={(event) => {
        event.preventDefault();
        comments.keep(text.value);
      }}
    >
      <label class="field">
        <span>{t("diff.comment.label", { line })}</span>
        <textarea
          ref={box}
          rows={2}
          maxLength={LIMITS.commentChars}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") comments.cancel();
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) comments.keep(text.value);
          }}
        />
      </label>
      <div class="note-actions">
        <button type="button" class="quiet" onClick={comments.cancel}>
          {t("common.back")}
        </button>
        <button type="submit" disabled={text.value.trim() === ""}>
          {t("diff.comment.add")}
        </button>
      </div>
    </form>
  );
}

/** For the keyboard: name a line by its number. Pointers click the number itself. */
export function CommentByNumber({ lines, comments }: { lines: readonly Line[]; comments: LineComments }) {
  const asking = useSignal(false);
  const number = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asking.value) field.current?.focus();
  }, [asking.value]);
  if (!comments.enabled) return null;
  if (!asking.value)
    return (
      <button
        type="button"
        class="quiet"
        onClick={() => {
          asking.value = true;
        }}
      >
        {t("diff.comment.begin")}
      </button>
    );
  const place = lines.map(placeOf).find((found) => found !== null && found.line === Number(number.value)) ?? null;
  return (
    <form
      class="line-number-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (place === null) return;
        asking.value = false;
        comments.begin(place);
      }}
    >
      <label>
        <span>{t("diff.comment.line")}</span>{" "}
        <input
          ref={field}
          type="text"
          inputMode="numeric"
          size={5}
          value={number.value}
          aria-invalid={number.value !== "" && place === null}
          onInput={(event) => {
            number.value = event.currentTarget.value;
          }}
        />
      </label>
    </form>
  );
}
