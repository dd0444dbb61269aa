// Agents that joined, or the conversation with one of them.
import { oneLine } from "../../show/agent-text.ts";
import { secondsSince, shortAge } from "../../show/time-words.ts";
import { listRows, type Model, type Talks } from "../model/model.ts";
import { column, fill, line, spread } from "./spread.ts";

export function talksView(model: Model, talks: Talks): string[] {
  const height = listRows(model);
  if (talks.open !== null) return fill(talks.open.rows.slice(talks.open.top, talks.open.top + height), height);
  if (talks.cards.length === 0)
    return fill(["", line([{ text: "  No agent has joined. `cueme join` begins a conversation." }], model.columns)], height);
  const first = Math.max(0, Math.min(talks.at - Math.floor(height / 2), talks.cards.length - height));
  return fill(talks.cards.map((_, at) => agentRow(model, talks, at)).slice(first, first + height), height);
}

function agentRow({ paint, columns, nowMs }: Model, talks: Talks, at: number): string {
  const card = talks.cards[at];
  if (card === undefined) return "";
  const here = at === talks.at;
  const waits = card.waiting > 0 ? `asks ${card.waiting}${card.listening === null ? "" : " *"}` : "";
  const queued = card.queued > 0 ? `queued ${card.queued}` : "";
  const place = oneLine([card.name, card.group, card.project_dir, card.label].filter((text) => text !== null).join("  "));
  return spread(
    [
      { text: here ? " > " : "   ", paint: (text) => paint.bold(paint.cyan(text)) },
      { text: column(oneLine(card.agent), 22), paint: here ? paint.bold : String },
      { text: ` ${column(oneLine(card.agent_runtime), 14)} ${place}`, paint: paint.dim },
    ],
    [
      { text: `  ${column(waits, 8)}`, paint: paint.yellow },
      { text: ` ${column(queued, 9)} ${column(shortAge(secondsSince(card.seen_at, nowMs)), 4)}`, paint: paint.dim },
    ],
    columns,
  );
}
