// Keys in an open ticket.
import type { Ticket } from "@hap/protocol";
import type { Key } from "../terminal/key-reader.ts";
import { beginEdit, beginNo, beginYes } from "./decide.ts";
import { scrollDetail } from "./detail.ts";
import { type Detail, detailHeight, type Model, type Step, still } from "./model.ts";
import { beginSnooze, extend } from "./update-list.ts";

export function detailKey(model: Model, detail: Detail, { name }: Key): Step {
  const [first] = detail.tickets as [Ticket];
  const scroll = (by: number) => still({ ...model, detail: scrollDetail(model, detail, by) });
  const page = Math.max(1, detailHeight(model) - 1);
  switch (name) {
    case "j":
    case "down":
      return scroll(1);
    case "k":
    case "up":
      return scroll(-1);
    case "space":
    case "pagedown":
      return scroll(page);
    case "b":
    case "pageup":
      return scroll(-page);
    case "g":
    case "home":
      return scroll(-detail.rows.length);
    case "G":
    case "end":
      return scroll(detail.rows.length);
    case "a":
      return beginYes(model);
    case "enter":
      return first.ask.type === "approval" ? scroll(page) : beginYes(model);
    case "r":
      return beginNo(model, "reject", detail.tickets);
    case "c":
      return beginNo(model, "changes", detail.tickets);
    case "s":
      return beginSnooze(model, detail.tickets);
    case "e":
      return beginEdit(model);
    case "+":
      return extend(model, first);
    case "escape":
    case "left":
    case "h":
      return still({ ...model, detail: null });
    default:
      return still(model);
  }
}
