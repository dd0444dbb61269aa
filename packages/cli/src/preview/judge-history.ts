// Past calls and what the gate would have answered to each: counts, and those most worth seeing.
import type { PastCall, Preview } from "@hap/door-hook/preview";
import type { RecordedCall } from "./read-transcripts.ts";

export type Judged = Preview & Pick<RecordedCall, "host" | "tool" | "cwd" | "at">;
export type Counts = { calls: number; run: number; confined: number; ask: number; deny: number };

/** How often a rule answered, and how. */
export type RuleCount = { rule: string; verdict: Preview["verdict"]; why: string; calls: number };

const WORTH_SEEING = 5;
const TIER_RANK = { critical: 2, notable: 1, routine: 0 } as const;
const VERDICT_RANK = { deny: 2, ask: 1, confined: 0, run: 0 } as const;

export class History {
  readonly counts: Counts = { calls: 0, run: 0, confined: 0, ask: 0, deny: 0 };
  readonly #judge: (call: PastCall) => Promise<Preview | null>;
  /** The same call in the same folder has the same answer. */
  readonly #known = new Map<string, Preview | null>();
  readonly #rules = new Map<string, RuleCount>();
  readonly #worth = new Map<string, Judged>();

  constructor(judge: (call: PastCall) => Promise<Preview | null>) {
    this.#judge = judge;
  }

  async add(recorded: RecordedCall): Promise<void> {
    const { host, tool, input, cwd, at } = recorded;
    const key = JSON.stringify([host, tool, input, cwd]);
    let preview = this.#known.get(key);
    if (preview === undefined) {
      preview = await this.#judge({ host, tool, input, cwd });
      this.#known.set(key, preview);
    }
    if (preview === null) return;
    this.counts.calls++;
    this.counts[preview.verdict]++;
    this.#count(preview);
    if (VERDICT_RANK[preview.verdict] > 0) this.#worth.set(preview.about, { ...preview, host, tool, cwd, at });
  }

  #count({ rule, verdict, why }: Preview): void {
    const known = this.#rules.get(`${verdict} ${rule}`) ?? { rule, verdict, why, calls: 0 };
    this.#rules.set(`${verdict} ${rule}`, { ...known, calls: known.calls + 1 });
  }

  /** Which rules answered, the busiest first. */
  byRule(): RuleCount[] {
    return [...this.#rules.values()].sort((a, b) => b.calls - a.calls || a.rule.localeCompare(b.rule));
  }

  /** The most dangerous of what would have been asked about or denied, each once. */
  worthSeeing(): Judged[] {
    return [...this.#worth.values()].sort(byWorth).slice(0, WORTH_SEEING);
  }
}

function byWorth(a: Judged, b: Judged): number {
  return (
    TIER_RANK[b.tier] - TIER_RANK[a.tier] ||
    VERDICT_RANK[b.verdict] - VERDICT_RANK[a.verdict] ||
    b.risk - a.risk ||
    b.at.localeCompare(a.at)
  );
}
