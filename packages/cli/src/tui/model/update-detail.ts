// Keys in an open ticket.
import { actionOfKey, type Ticket } from "@hap/protocol";
import type { Key } from "../terminal/key-reader.ts";
import { beginEdit, beginNo, beginYes } from "./decide.ts";
import { scrollDetail } from "./detail.ts";
import { fileFrom } from "./file-rows.ts";
import { type Detail, detailHeight, type Model, type Step, still } from "./model.ts";
import { beginSnooze, extend } from "./update-list.ts";

/** Scroll to the next file of the diff, or the one before. */
function jump(model: Model, detail: Detail, by: 1 | -1): Step {
  const to = fileFrom(detail.rows, detail.top, by);
  return to === null ? still(model) : still({ ...model, detail: scrollDetail(model, detail, to - detail.top) });
}

export function detailKey(model: Model, detail: Detail, { name }: Key): Step {
  const [first] = detail.tickets as [Ticket];
  const scroll = (by: number) => still({ ...model, detail: scrollDetail(model, detail, by) });
  const page = Math.max(1, detailHeight(model) - 1);
  switch (actionOfKey(name)) {
    case "next":
      return scroll(1);
    case "previous":
      return scroll(-1);
    case "pageDown":
      return scroll(page);
    case "pageUp":
      return scroll(-page);
    case "first":
      return scroll(-detail.rows.length);
    case "last":
      return scroll(detail.rows.length);
    case "nextFile":
      return jump(model, detail, 1);
    case "previousFile":
      return jump(model, detail, -1);
    case "approve":
      return beginYes(model);
    case "open":
      return first.ask.type === "approval" ? scroll(page) : beginYes(model);
    case "reject":
      return beginNo(model, "reject", detail.tickets);
    case "changes":
      return beginNo(model, "changes", detail.tickets);
    case "snooze":
      return beginSnooze(model, detail.tickets);
    case "edit":
      return beginEdit(model);
    case "moreTime":
      return extend(model, first);
    case "back":
    case "close":
      return still({ ...model, detail: null });
    default:
      return still(model);
  }
}
