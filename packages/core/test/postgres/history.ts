// Judges a history of calls on tickets: is there an order of them, one per ticket, in which each had the effect that its caller saw?
// A ticket is a register that is open until it is decided once, so the order exists if no rule below is broken.

/** A call and what its caller saw. Without `end` it is not known whether it had its effect. Times are of one clock. */
export type Answer = {
  op: string;
  /** What a call of unknown or refused end was. */
  of?: string;
  id: string;
  state?: string;
  start: number;
  end?: number;
  code?: string;
};

const OPEN = new Set(["PENDING", "DELIVERED", "ACKED"]);

/** What is wrong with the calls on each ticket; `final` says how a ticket stands in the end. */
export function findViolations(answers: readonly Answer[], final: (id: string) => string): string[] {
  const byTicket = Map.groupBy(
    answers.filter(({ id }) => id !== ""),
    ({ id }) => id,
  );
  return [...byTicket].flatMap(([id, calls]) => judge(id, calls, final(id)));
}

function judge(id: string, calls: readonly Answer[], end: string): string[] {
  const wrong: string[] = [];
  const decided = calls.filter(({ op }) => op === "decide");
  const maybe = calls.filter(({ op, of }) => op === "unknown" && of === "decide");
  if (decided.length > 1) wrong.push(`${id}: two decisions were acknowledged`);
  for (const { state } of decided) if (state !== end) wrong.push(`${id}: ${state} was acknowledged, and it is ${end}`);
  const seen = calls.filter(
    ({ op, of, state, code }) =>
      (op === "read" && !OPEN.has(state as string)) || (op === "refused" && of === "decide" && code === "already_decided"),
  );
  const earliest = Math.min(...[...decided, ...maybe].map(({ start }) => start));
  for (const call of seen) {
    if (call.op === "read" && call.state !== end) wrong.push(`${id}: a read saw ${call.state}, and it is ${end}`);
    if ((call.end as number) < earliest) wrong.push(`${id}: a decision was seen before anybody had asked for one`);
  }
  // From the first moment at which somebody knew of the decision, every later call sees it.
  const known = Math.min(...[...decided, ...seen].map((call) => call.end as number));
  for (const { op, state, start } of calls)
    if (op === "read" && OPEN.has(state as string) && start > known)
      wrong.push(`${id}: a read saw ${state} after the decision was known`);
  for (const { start, state } of decided)
    if (seen.some((call) => (call.end as number) < start))
      wrong.push(`${id}: ${state} was acknowledged after another decision was known`);
  return wrong;
}
