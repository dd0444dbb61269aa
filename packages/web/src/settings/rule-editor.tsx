// The rules of a policy as fields. It edits the parsed JSON in place, so that what it does not show stays as it was.
import { useSignal } from "@preact/signals";
import { t } from "../words/words.ts";

type Rule = { id?: string; verdict?: string; why?: string; match?: Record<string, unknown>; [other: string]: unknown };
type Policy = { version: 1; rules: Rule[]; [other: string]: unknown };

/** A policy that the fields can show, or null: then there is only its JSON. */
export function readRules(text: string): Policy | null {
  try {
    const policy = JSON.parse(text) as Policy | null;
    const plain = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
    return plain(policy) && Array.isArray(policy?.rules) && policy.rules.every(plain) ? (policy as Policy) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const VERDICTS = ["allow", "ask", "deny"] as const;
const write = (policy: Policy) => `${JSON.stringify(policy, null, 2)}\n`;
const lines = (value: unknown): string => [value ?? []].flat().join("\n");
/** One per line; one alone is written without a list, none at all is left out. */
const fromLines = (text: string): unknown => {
  const all = text.split("\n").filter((line) => line.trim() !== "");
  return all.length === 0 ? undefined : all.length === 1 ? all[0] : all;
};

export function RuleEditor({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const policy = readRules(text);
  const removing = useSignal<number | null>(null);
  if (policy === null) return <p class="warning">{t("settings.rules.onlyJson")}</p>;
  const put = (rules: Rule[]) => onChange(write({ ...policy, rules }));
  const change = (at: number, changes: Partial<Rule>) =>
    put(policy.rules.map((rule, index) => (index === at ? clean({ ...rule, ...changes }) : rule)));
  const add = () =>
    put([...policy.rules, { id: `rule-${policy.rules.length + 1}`, match: { kind: "run_command" }, verdict: "ask", why: "" }]);
  return (
    <div class="rule-list">
      {policy.rules.map((rule, at) => (
        <fieldset class="rule" key={at}>
          <legend translate={false}>{rule.id ?? at + 1}</legend>
          <label class="field">
            <span>{t("settings.rules.verdict")}</span>
            <select value={rule.verdict ?? "ask"} onChange={(event) => change(at, { verdict: event.currentTarget.value })}>
              {VERDICTS.map((verdict) => (
                <option value={verdict} key={verdict}>
                  {t(`settings.rules.${verdict}`)}
                </option>
              ))}
            </select>
          </label>
          <Text label={t("settings.rules.name")} value={rule.id ?? ""} onInput={(id) => change(at, { id })} />
          {(["kind", "command", "project"] as const).map((field) => (
            <label class="field" key={field}>
              <span>{t(`settings.rules.${field}`)}</span>
              <textarea
                class="code-input"
                rows={field === "command" ? 3 : 1}
                spellcheck={false}
                value={lines(rule.match?.[field])}
                onInput={(event) =>
                  change(at, { match: clean({ ...rule.match, [field]: fromLines(event.currentTarget.value) }) })
                }
              />
            </label>
          ))}
          <Text label={t("settings.rules.why")} value={rule.why ?? ""} onInput={(why) => change(at, { why })} />
          <button
            type="button"
            class="quiet"
            onClick={() => {
              if (removing.value !== at) {
                removing.value = at;
                return;
              }
              removing.value = null;
              put(policy.rules.filter((_, index) => index !== at));
            }}
          >
            {removing.value === at ? t("settings.rules.reallyRemove") : t("settings.rules.remove")}
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={add}>
        {t("settings.rules.add")}
      </button>
    </div>
  );
}

function Text({ label, value, onInput }: { label: string; value: string; onInput: (text: string) => void }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="text" value={value} onInput={(event) => onInput(event.currentTarget.value)} />
    </label>
  );
}

/** Without what is not there. */
function clean<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
