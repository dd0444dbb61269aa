// Keys in an open ticket.
import { actionOfKey, type Ticket } from "@hap/protocol";
import type { Key } from "../terminal/key-reader.ts";
import { beginEdit, beginNo, beginYes } from "./decide.ts";
import { scrollDetail } from "./detail.ts";
import { type Detail, detailHeight, type Model, type Step, still } from "./model.ts";
import { beginSnooze, extend } from "./update-list.ts";

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
