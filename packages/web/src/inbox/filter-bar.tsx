// Which list, and what in it.
import { TICKET_STATES } from "@hap/protocol";
import { useSignal } from "@preact/signals";
import { agentName } from "../state/agents.ts";
import { type Grouping, prefer, preferences } from "../state/preferences.ts";
import { baseName, plainKind, shortName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { t } from "../words/words.ts";
import { ENDED_STATES, type Filters, isNarrowed, NO_FILTERS, type View } from "./filters.ts";
import { choose, everything, filters, view } from "./tickets.ts";

const views: readonly { name: View; label: string }[] = [
  { name: "mine", label: t("inbox.tab.mine") },
  { name: "all", label: t("inbox.tab.all") },
  { name: "decided", label: t("common.decided") },
];

type Option = { value: string; label: string };

export function FilterBar() {
  const opened = useSignal(false);
  const current = filters.value;
  const change = (changes: Partial<Filters>) => choose({ filters: { ...current, ...changes } });
  return (
    <div class="filter-bar">
      <fieldset class="views" aria-label={t("inbox.tab.label")}>
        {views.map(({ name, label }) => (
          <button
            type="button"
            key={name}
            class="view-button"
            aria-pressed={view.value === name}
            onClick={() => choose({ view: name, filters: { ...current, state: "" } })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <div class="search">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          placeholder={t("inbox.search.placeholder")}
          aria-label={t("inbox.search.label")}
          value={current.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
      </div>
      <button
        type="button"
        class="icon-button"
        aria-expanded={opened.value}
        aria-controls="filters"
        title={t("inbox.filter.open")}
        onClick={() => {
          opened.value = !opened.value;
        }}
      >
        <Icon name="filter" />
        <span class="unseen">{t("inbox.filter.open")}</span>
        {isNarrowed({ ...current, text: "" }) && <span class="dot" />}
      </button>
      {opened.value && <Narrow current={current} change={change} />}
    </div>
  );
}

function Narrow({ current, change }: { current: Filters; change: (changes: Partial<Filters>) => void }) {
  const tickets = everything.value.map(({ ticket }) => ticket);
  const select = (field: keyof Filters, label: string, options: Option[]) => (
    <label class="field" key={field}>
      <span>{label}</span>
      <select value={current[field]} onChange={(event) => change({ [field]: event.currentTarget.value })}>
        <option value="">{t("inbox.filter.any")}</option>
        {options.map(({ value, label: words }) => (
          <option value={value} key={value} translate={false}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
  const seen = (values: (string | null)[], words: (value: string) => string, chosen: string): Option[] =>
    [...new Set([...values, chosen || null])]
      .filter((value) => value !== null)
      .sort()
      .map((value) => ({ value, label: words(value) }));
  const states = view.value === "decided" ? ENDED_STATES : TICKET_STATES.slice(0, 3);
  return (
    <div class="narrow" id="filters">
      {select(
        "from",
        t("common.agent"),
        seen(
          tickets.map(({ from }) => from),
          agentName,
          current.from,
        ),
      )}
      {view.value !== "mine" &&
        select(
          "to",
          t("common.person"),
          seen(
            tickets.map(({ to }) => to),
            shortName,
            current.to,
          ),
        )}
      {select(
        "project",
        t("inbox.filter.project"),
        seen(
          tickets.map(({ project }) => project),
          baseName,
          current.project,
        ),
      )}
      {select(
        "session",
        t("inbox.filter.session"),
        seen(
          tickets.map(({ session }) => session),
          (name) => name,
          current.session,
        ),
      )}
      {select(
        "kind",
        t("inbox.filter.kind"),
        seen(
          tickets.map(({ intent }) => intent.kind),
          plainKind,
          current.kind,
        ),
      )}
      {select(
        "risk",
        t("common.risk"),
        (["low", "medium", "high"] as const).map((value) => ({ value, label: t(`inbox.filter.${value}Risk`) })),
      )}
      {select(
        "state",
        t("inbox.filter.state"),
        states.map((value) => ({ value, label: value.toLowerCase().replaceAll("_", " ") })),
      )}
      <label class="field">
        <span>{t("inbox.filter.groupBy")}</span>
        <select
          value={preferences.value.grouping}
          onChange={(event) => prefer({ grouping: event.currentTarget.value as Grouping })}
        >
          <option value="priority">{t("common.priority")}</option>
          <option value="agent">{t("common.agent")}</option>
          <option value="project">{t("inbox.filter.project")}</option>
          <option value="session">{t("inbox.filter.session")}</option>
        </select>
      </label>
      <label class="field">
        <span>{t("inbox.density.label")}</span>
        <select
          value={preferences.value.density}
          onChange={(event) => prefer({ density: event.currentTarget.value === "compact" ? "compact" : "comfortable" })}
        >
          <option value="comfortable">{t("inbox.density.comfortable")}</option>
          <option value="compact">{t("inbox.density.compact")}</option>
        </select>
      </label>
      {isNarrowed(current) && (
        <button type="button" class="quiet" onClick={() => change(NO_FILTERS)}>
          {t("inbox.filter.clear")}
        </button>
      )}
    </div>
  );
}
