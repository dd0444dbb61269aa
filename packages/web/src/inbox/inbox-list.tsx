// The list of tickets with its keys.
import { useCallback, useLayoutEffect, useMemo } from "preact/hooks";
import { FirstSteps } from "../connect/first-steps.tsx";
import { go, ticketPath } from "../router.ts";
import { preferences } from "../state/preferences.ts";
import { me } from "../state/session.ts";
import { useKeys } from "../ui/keys.ts";
import { number, t } from "../words/words.ts";
import { BatchBar } from "./batch-bar.tsx";
import { clearPicked, cursor, move, picked, toggle } from "./cursor.ts";
import { FilterBar } from "./filter-bar.tsx";
import { isNarrowed } from "./filters.ts";
import { groupRows } from "./grouping.ts";
import { Row } from "./row.tsx";
import { choose, failure, filters, loading, more, reload, rows, view } from "./tickets.ts";
import { listTotals, othersWaiting } from "./totals.ts";
import { type Item, VirtualList } from "./virtual-list.tsx";

const ROW = { comfortable: 88, compact: 56 };
const HEADING = 36;

export function InboxList({ openId }: { openId: string | null }) {
  const person = me().person;
  const { grouping, density } = preferences.value;
  const { value: shown } = rows;
  const at = cursor.value ?? openId;
  const { value: totals } = listTotals;
  const items = useMemo<Item[]>(
    () =>
      groups(shown, grouping).flatMap(({ name, rows: members }) => [
        ...(name === null ? [] : [heading(name, totals?.groups.get(name) ?? members.length)]),
        ...members.map((held) => ({
          key: held.ticket.id,
          height: ROW[density],
          draw: () => (
            <Row
              held={held}
              person={person}
              focused={cursor.value === held.ticket.id}
              open={openId === held.ticket.id}
              picked={picked.value.has(held.ticket.id)}
              onPick={() => toggle(held.ticket.id)}
              onFocus={() => {
                cursor.value = held.ticket.id;
              }}
            />
          ),
        })),
      ]),
    [shown, grouping, density, openId, totals],
  );
  const focusRow = (id: string | null) => {
    // At once where the row is drawn, else with the next frame; but not when the person has moved on by then: Enter opens
    // what has the focus.
    const focus = () => {
      if (cursor.value === id) document.querySelector<HTMLElement>(`[data-ticket="${id}"] .row-link`)?.focus();
    };
    focus();
    requestAnimationFrame(focus);
  };
  // What is open is what is highlighted: with room for both, moving opens; the list alone only moves.
  useLayoutEffect(() => {
    if (openId !== null) cursor.value = openId;
  }, [openId]);
  const step = (by: 1 | -1) => {
    const id = move(by);
    if (id === null) return;
    if (openId !== null) go(ticketPath(id), { replace: true });
    else if (matchMedia("(min-width: 900px)").matches) go(ticketPath(id));
    else focusRow(id);
  };
  const openHere = () => {
    if (at !== null) go(ticketPath(at));
  };
  useKeys({
    next: () => step(1),
    previous: () => step(-1),
    select: () => at !== null && toggle(at),
    search: () => document.getElementById("search")?.focus(),
    ...(openId === null
      ? {
          open: openHere,
          back: () => (picked.value.size > 0 ? clearPicked() : choose({ filters: { ...filters.value, text: "" } })),
        }
      : {}),
  });
  const atEnd = useCallback(() => void more(), []);
  return (
    <div class={`list-pane ${density}`}>
      {openId === null && <h1 class="unseen">{t("common.inbox")}</h1>}
      <FilterBar />
      <p class="list-total" role="status">
        {totals === null ? t("inbox.list.found", { count: shown.length }) : t("inbox.list.total", { count: totals.total })}
      </p>
      <VirtualList items={items} label={t("inbox.list.label")} focus={at} onEnd={atEnd}>
        <ListEnd count={shown.length} />
      </VirtualList>
      <BatchBar />
    </div>
  );
}

function groups(shown: typeof rows.value, grouping: typeof preferences.value.grouping) {
  return view.value === "decided" ? [{ name: null, rows: [...shown] }] : groupRows(shown, grouping);
}

function heading(name: string, count: number): Item {
  return {
    key: t("inbox.list.group", { name }),
    height: HEADING,
    draw: () => (
      <h2 class="group">
        {name} <span class="count">{number(count)}</span>
      </h2>
    ),
  };
}

function ListEnd({ count }: { count: number }) {
  if (failure.value !== null)
    return (
      <div class="empty" role="alert">
        <p>{failure.value}</p>
        <button type="button" onClick={() => void reload()}>
          {t("common.tryAgain")}
        </button>
      </div>
    );
  if (loading.value) return <p class="empty quiet-words">{t("common.loading")}</p>;
  if (count > 0) return null;
  if (isNarrowed(filters.value)) return <p class="empty quiet-words">{t("inbox.empty.noResults")}</p>;
  if (view.value === "mine" && othersWaiting.value > 0) return <OthersWait count={othersWaiting.value} />;
  return (
    <div class="empty">
      <p class="empty-title">{view.value === "decided" ? t("inbox.empty.decidedTitle") : t("inbox.empty.title")}</p>
      <p class="quiet-words">{view.value === "decided" ? t("inbox.empty.decidedAbout") : t("inbox.empty.about")}</p>
      {view.value === "mine" && <FirstSteps />}
    </div>
  );
}

/** Tickets that one could see but that are addressed to others: said, so that an empty inbox does not look like an empty desk. */
function OthersWait({ count }: { count: number }) {
  return (
    <div class="empty">
      <p class="empty-title">{t("inbox.empty.noneForYou")}</p>
      <p class="others-wait">
        {t("inbox.empty.others", { count })}{" "}
        <button type="button" class="quiet" onClick={() => choose({ view: "all" })}>
          {t("inbox.empty.showOthers")}
        </button>
      </p>
    </div>
  );
}
