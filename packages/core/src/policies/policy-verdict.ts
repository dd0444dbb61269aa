// What the rules answer (D5): the confirmed policy in full, everything else only where it tightens, and the strictest of them.
import { loosens, type MatchableCall, matchesRule, type PolicyRule, type Verdict } from "@hap/protocol";
import type { Policies, Policy } from "./policy.ts";

const strictness = { allow: 0, ask: 1, deny: 2 };

const nobodySays: Verdict = {
  verdict: "ask",
  rule: null,
  file: null,
  file_hash: null,
  why: "No rule answers this, so a person does.",
  to: null,
  lease: {},
  record: false,
  timer_yes: false,
  quorum: null,
};

/** The strictest of what the files say; `ask` when none says anything. */
export function evaluate(policies: Policies, call: MatchableCall): Verdict {
  const own = confirmedVerdict(policies.confirmed, call);
  const hint = own === null ? unconfirmedHint(policies.changed, call) : null;
  const tight = stricter(tightening(policies.changed, call), tightening(policies.project, call));
  if (tight === null) return own ?? hint ?? nobodySays;
  if (hint !== null && tight.verdict === "ask") return { ...hint, lease: tight.lease };
  if (own !== null && strictness[own.verdict] > strictness[tight.verdict]) return own;
  // Who is asked, and how many, stays the confirmed policy's business.
  const quorum = tight.verdict === "ask" ? (own?.quorum ?? null) : null;
  return { ...tight, to: own?.to ?? null, quorum, lease: shorterLease(own?.lease ?? {}, tight.lease) };
}

function stricter(a: Verdict | null, b: Verdict | null): Verdict | null {
  if (a === null || b === null) return a ?? b;
  return strictness[b.verdict] > strictness[a.verdict] ? b : a;
}

function firstMatch(
  policy: Policy | null,
  call: MatchableCall,
  also: (rule: PolicyRule) => boolean = () => true,
): PolicyRule | null {
  return policy?.rules.find((rule) => also(rule) && matchesRule(rule, call)) ?? null;
}

function named(policy: Policy, rule: PolicyRule): Pick<Verdict, "rule" | "file" | "file_hash"> {
  return { rule: rule.id, file: policy.path, file_hash: policy.hash };
}

/** What the confirmed policy says, in full. */
function confirmedVerdict(policy: Policy | null, call: MatchableCall): Verdict | null {
  const rule = firstMatch(policy, call);
  if (policy === null || rule === null) return null;
  return {
    ...named(policy, rule),
    verdict: rule.verdict,
    why: rule.why,
    to: rule.to ?? null,
    lease: rule.lease ?? {},
    record: rule.verdict !== "allow" || rule.record === true,
    timer_yes: rule.timer_yes ?? false,
    quorum: rule.quorum ?? null,
  };
}

/** A rule that would loosen, or send the matter to somebody, in a file that nobody confirmed: it asks, and says why. */
function unconfirmedHint(policy: Policy | null, call: MatchableCall): Verdict | null {
  const rule = firstMatch(policy, call);
  if (policy === null || rule === null || !(loosens(rule) || (rule.verdict === "ask" && rule.to !== undefined))) return null;
  const would = rule.verdict === "allow" ? "allow this" : loosens(rule) ? "loosen this" : `send this to ${rule.to}`;
  const why = `Rule ${rule.id} would ${would}, but nobody has confirmed its file as it is now. Run \`hap policy trust\`.`;
  return { ...nobodySays, ...named(policy, rule), why, record: true };
}

/** What a file says that may only tighten: ask, deny and shorten; who decides and what a timer may do is not its business. */
function tightening(policy: Policy | null, call: MatchableCall): Verdict | null {
  const rule = firstMatch(policy, call, (candidate) => candidate.verdict !== "allow");
  if (policy === null || rule === null) return null;
  const { ttl_seconds, on_timeout } = rule.lease ?? {};
  const lease = {
    ...(ttl_seconds === undefined ? {} : { ttl_seconds }),
    ...(on_timeout === undefined || on_timeout === "auto_approve" ? {} : { on_timeout }),
  };
  const unheard = rule.quorum === undefined ? "" : " Its quorum counts once the file is confirmed: `hap policy trust`.";
  return { ...nobodySays, ...named(policy, rule), verdict: rule.verdict, why: rule.why + unheard, lease, record: true };
}

/** Of two leases the shorter time, and the project's action where it has one; a timer's yes is never kept. */
function shorterLease(own: Verdict["lease"], tight: Verdict["lease"]): Verdict["lease"] {
  const times = [own.ttl_seconds, tight.ttl_seconds].filter((seconds) => seconds !== undefined);
  const action = tight.on_timeout ?? (own.on_timeout === "auto_approve" ? undefined : own.on_timeout);
  return {
    ...(times.length === 0 ? {} : { ttl_seconds: Math.min(...times) }),
    ...(action === undefined ? {} : { on_timeout: action }),
  };
}
