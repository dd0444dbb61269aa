// The list in groups: by priority, or by who asks and where.

import { agentName } from "../state/agents.ts";
import type { Held } from "../state/held.ts";
import type { Grouping } from "../state/preferences.ts";
import { baseName } from "../ui/format.ts";
import { t } from "../words/words.ts";

export type Group = { name: string; rows: Held[] };

const priorityNames = {
  critical: t("inbox.group.critical"),
  high: t("inbox.group.high"),
  normal: t("inbox.group.normal"),
  low: t("inbox.group.low"),
};

/** Groups in the order of their first ticket; what has no name of that kind comes under words that say so. */
export function groupRows(rows: readonly Held[], by: Grouping): Group[] {
  const groups = new Map<string, Group>();
  for (const held of rows) {
    const name = nameOf(held, by);
    const group = groups.get(name) ?? { name, rows: [] };
    group.rows.push(held);
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** What a group is called, from the server's key of it. */
export function groupNameOf(key: string | null, by: Grouping): string {
  switch (by) {
    case "priority":
      return priorityNames[key as keyof typeof priorityNames];
    case "agent":
      return agentName(key ?? "");
    case "project":
      return key === null ? t("inbox.group.noProject") : baseName(key);
    case "session":
      return key ?? t("inbox.group.noSession");
  }
}

const KEYS = { priority: "priority", agent: "from", project: "project", session: "session" } as const;

function nameOf({ ticket }: Held, by: Grouping): string {
  return groupNameOf(ticket[KEYS[by]], by);
}
