// A ticket reduced to its lease (D9, D10, D16): what a runtime does with time, step by step, in milliseconds since creation.
import {
  assertStep,
  deliverLease,
  dueStep,
  extendLease,
  HapError,
  isLate,
  isOpen,
  type LeaseClock,
  LIMITS,
  pauseLease,
  reassignLease,
  remainingMs,
  restartLease,
  resumeLease,
  snoozeLease,
  startLease,
  type TicketState,
  type TimeoutAction,
  timeoutEnd,
} from "@hap/protocol";

export type LeaseInput = { ttl_seconds: number; on_timeout: TimeoutAction; escalate_to: number; steps: LeaseStep[] };
export type LeaseStep = { at: number } & (
  | { do: "look" | "deliver" | "reassign" | "decide" }
  | { do: "ack"; ack_ttl_seconds: number | null }
  | { do: "extend"; by: "person" | "waiter"; seconds: number }
  | { do: "snooze"; seconds: number }
);
export type LeaseRow = {
  state: TicketState;
  deadline: number | null;
  remaining: number;
  lapse: number | null;
  added: number;
  escalations: number;
};

/** The rows after each step; a step that is refused throws. */
export function simulateLease(input: LeaseInput): LeaseRow[] {
  const lease = new Lease(input);
  return input.steps.map((step) => lease.take(step));
}

class Lease {
  readonly #input: LeaseInput;
  #state: TicketState = "PENDING";
  #clock: LeaseClock;
  #depth = 0;
  #renewedAt: number | null = null;

  constructor(input: LeaseInput) {
    this.#input = input;
    this.#clock = startLease(0, input.ttl_seconds * 1000);
  }

  take(step: LeaseStep): LeaseRow {
    const openBefore = isOpen(this.#state);
    this.#applyDue(step.at);
    if (step.do !== "look") {
      if (step.do === "decide" && openBefore && !isOpen(this.#state))
        throw new HapError("deadline_passed", "the lease ended before this arrived");
      if (!isOpen(this.#state)) throw new HapError("already_decided", `it is ${this.#state}`);
      this.#act(step);
    }
    const { deadline, lapseAt, addedMs } = this.#clock;
    const open = isOpen(this.#state);
    return {
      state: this.#state,
      deadline: open ? deadline : null,
      remaining: open ? remainingMs(this.#clock, step.at) : 0,
      lapse: open ? lapseAt : null,
      added: addedMs,
      escalations: this.#depth,
    };
  }

  /** Due steps first, one after the other: a lapse can bring the end of the lease into the past. */
  #applyDue(now: number): void {
    while (isOpen(this.#state)) {
      const due = dueStep(this.#state, this.#clock, now);
      if (due === "nothing") return;
      if (due === "lapse") {
        this.#clock = resumeLease(this.#clock, this.#clock.lapseAt as number);
        this.#state = "DELIVERED";
      } else if (this.#depth < this.#input.escalate_to) {
        this.#depth++;
        this.#clock = restartLease(this.#clock, now);
        this.#state = "PENDING";
      } else this.#state = timeoutEnd(this.#state, this.#input.on_timeout, isLate(this.#clock.deadline as number, now)).state;
    }
  }

  #act(step: Exclude<LeaseStep, { do: "look" }>): void {
    switch (step.do) {
      case "deliver":
        assertStep("tk_9f3", this.#state, "DELIVERED", "ticket.state_change");
        if (this.#state === "ACKED") throw new HapError("wrong_state", "an ack ends by its own lapse only");
        this.#state = "DELIVERED";
        this.#clock = deliverLease(this.#clock, step.at);
        return;
      case "ack":
        if (this.#state !== "ACKED" || this.#clock.lapseAt === null) assertStep("tk_9f3", this.#state, "ACKED", "ticket.ack");
        this.#state = "ACKED";
        this.#clock = pauseLease(this.#clock, step.at, step.ack_ttl_seconds === null ? null : step.ack_ttl_seconds * 1000);
        return;
      case "extend":
        if (step.by === "waiter") this.#renew(step.at);
        this.#clock = this.#within(extendLease(this.#clock, step.seconds * 1000, step.by === "person"));
        return;
      case "snooze":
        this.#clock = this.#within(snoozeLease(this.#clock, step.seconds * 1000));
        return;
      case "reassign":
        this.#clock = this.#within(reassignLease(this.#clock, step.at));
        this.#state = "PENDING";
        return;
      case "decide":
        assertStep("tk_9f3", this.#state, "APPROVED", "ticket.resolve");
        this.#state = "APPROVED";
    }
  }

  #renew(now: number): void {
    if (this.#renewedAt !== null && now - this.#renewedAt < this.#clock.ttlMs / 2)
      throw new HapError("limit_reached", "a waiter renews once per half of its lease");
    this.#renewedAt = now;
  }

  #within(clock: LeaseClock): LeaseClock {
    if (clock.addedMs > LIMITS.addedSecondsMax * 1000) throw new HapError("limit_reached", "seven days in all may be added");
    return clock;
  }
}
