// Small charts, drawn by hand: shares of a whole, columns, and bars.
type Part = { name: string; value: number; tone: "good" | "bad" | "calm" };

export function ShareBar({ label, parts }: { label: string; parts: readonly Part[] }) {
  const all = parts.reduce((sum, { value }) => sum + value, 0);
  const share = (value: number) => Math.round((value / all) * 1000) / 10;
  return (
    <figure class="share" aria-label={label}>
      <div class="share-bar" aria-hidden="true">
        {parts.map(({ name, value, tone }) => (
          <span class={`share-part share-${tone}`} key={name} style={{ width: `${share(value)}%` }} />
        ))}
      </div>
      <ul class="share-legend">
        {parts.map(({ name, value, tone }) => (
          <li key={name}>
            <span class={`share-dot share-${tone}`} /> {name} <span class="digits">{value}</span>{" "}
            <span class="quiet-words digits">{share(value)} %</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

type ColumnsProps = { label: string; values: readonly number[]; name: (at: number) => string; tone: (at: number) => string };

export function Columns({ label, values, name, tone }: ColumnsProps) {
  const most = Math.max(1, ...values);
  return (
    <ol class="columns" aria-label={label}>
      {values.map((value, at) => (
        <li class="column" key={name(at)}>
          <span class="column-value digits">{value === 0 ? "" : value}</span>
          <span class={`column-bar column-${tone(at)}`} style={{ height: `${Math.round((value / most) * 120)}px` }} />
          <span class="column-name digits">
            {(at / 10).toFixed(1)}
            <span class="unseen">
              {" "}
              {name(at)}: {value}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

type BarsProps = { label: string; rows: readonly { name: string; value: number; note?: string }[] };

/** Horizontal bars as SVG, each with its name and value in words beside it. */
export function Bars({ label, rows }: BarsProps) {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <ul class="things" aria-label={label}>
      {rows.map(({ name, value, note }) => (
        <li class="thing" key={name}>
          <span class="thing-words">
            <strong translate={false}>{name}</strong>
            {note !== undefined && <span class="quiet-words">{note}</span>}
          </span>
          <svg class="bar-plot" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(value / most) * 100} height="8" rx="1" />
          </svg>
          <span class="digits">{value}</span>
        </li>
      ))}
    </ul>
  );
}
