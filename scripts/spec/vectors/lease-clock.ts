// Leases (D9, D10, D16) as sequences of steps, each at a moment in milliseconds after the ticket's creation.
import type { Json } from "@hap/protocol";
import { type LeaseInput, type LeaseStep, simulateLease } from "../lease-simulation.ts";
import type { Case, Suite } from "../vector.ts";

const week = 604_800;
const make =
  (result: "valid" | "invalid") =>
  (comment: string, flags: string[], steps: LeaseStep[], change: Partial<Omit<LeaseInput, "steps">> = {}): Case => ({
    comment,
    flags,
    input: { ttl_seconds: 60, on_timeout: "auto_reject", escalate_to: 0, ...change, steps } as unknown as Json,
    result,
  });
const valid = make("valid");
const invalid = make("invalid");

const look = (at: number): LeaseStep => ({ at, do: "look" });
const deliver = (at: number): LeaseStep => ({ at, do: "deliver" });
const decide = (at: number): LeaseStep => ({ at, do: "decide" });
const reassign = (at: number): LeaseStep => ({ at, do: "reassign" });
const ack = (at: number, ack_ttl_seconds: number | null = null): LeaseStep => ({ at, do: "ack", ack_ttl_seconds });
const extend = (at: number, seconds: number): LeaseStep => ({ at, do: "extend", by: "person", seconds });
const renew = (at: number, seconds: number): LeaseStep => ({ at, do: "extend", by: "waiter", seconds });
const snooze = (at: number, seconds: number): LeaseStep => ({ at, do: "snooze", seconds });

export const leaseClock: Suite = {
  name: "lease-clock",
  description:
    "A ticket is created at 0 with a lease. Each step happens at its moment, after what is due then was applied; the output has a row for each step: state, deadline and lapse of a temporary ack as moments, remaining and added in milliseconds. A refused step makes the whole sequence invalid. (`decide` is bare here; a runtime delivers a pending ticket to its addressee first.)",
  flags: {
    Pending: "the lease has not started",
    Pause: "an ack stops it",
    Lapse: "a temporary ack ends by itself",
    Timeout: "the lease ends",
    Late: "a deadline applied more than 60 s late",
    Added: "more time, seven days in all",
    Waiter: "a live waiter renews",
    Escalate: "the next person gets it",
    State: "the state does not allow it",
    Deadline: "a decision that comes too late",
  },
  cases: [
    valid("delivery starts the full time", ["Pending"], [look(10_000), deliver(50_000), look(80_000)]),
    valid("nobody was given it in time", ["Pending", "Timeout"], [look(59_999), look(60_000)]),
    valid("the last millisecond still counts", ["Timeout"], [deliver(0), look(59_999), decide(59_999)]),
    valid("auto_reject", ["Timeout"], [deliver(0), look(60_000)]),
    valid("cancel", ["Timeout"], [deliver(0), look(60_000)], { on_timeout: "cancel" }),
    valid("auto_approve", ["Timeout"], [deliver(0), look(60_000)], { on_timeout: "auto_approve" }),
    valid("auto_approve, 60 s late", ["Timeout", "Late"], [deliver(0), look(120_000)], { on_timeout: "auto_approve" }),
    valid("auto_approve, later", ["Timeout", "Late"], [deliver(0), look(120_001)], { on_timeout: "auto_approve" }),
    valid("auto_approve of a ticket that nobody was given", ["Timeout", "Pending"], [look(60_000)], {
      on_timeout: "auto_approve",
    }),
    valid("an ack stops it for good", ["Pause"], [deliver(0), ack(30_000), look(week * 1000), decide(week * 2000)]),
    valid(
      "a temporary ack lapses at its own time",
      ["Pause", "Lapse"],
      [deliver(0), ack(20_000, 600), look(619_999), look(640_000), decide(659_999)],
    ),
    valid("a lapse noticed after the lease ended too", ["Lapse", "Timeout"], [deliver(0), ack(20_000, 600), look(700_000)]),
    valid("auto_approve after a lapse, in time", ["Lapse", "Timeout"], [deliver(0), ack(20_000, 600), look(660_000)], {
      on_timeout: "auto_approve",
    }),
    valid("auto_approve after a lapse, too late", ["Lapse", "Late"], [deliver(0), ack(20_000, 600), look(720_001)], {
      on_timeout: "auto_approve",
    }),
    valid(
      "a temporary ack renewed",
      ["Pause", "Lapse"],
      [deliver(0), ack(20_000, 600), ack(300_000, 600), look(899_999), look(900_000)],
    ),
    valid("a temporary ack made lasting", ["Pause"], [deliver(0), ack(20_000, 600), ack(300_000), look(9_000_000)]),
    valid("more time while it runs", ["Added"], [deliver(0), extend(30_000, 60), look(119_999)]),
    valid("more time while it is paused", ["Added", "Pause"], [deliver(0), ack(30_000), extend(40_000, 60), look(50_000)]),
    valid(
      "more time before delivery helps against nobody being there",
      ["Added", "Pending"],
      [extend(0, 60), look(60_000), deliver(100_000), look(100_000)],
    ),
    valid("more time before delivery is not lost by it", ["Added", "Pending"], [extend(0, 600), deliver(1000), look(60_000)]),
    valid("seven days, to the second", ["Added"], [deliver(0), extend(1000, week - 1), snooze(2000, 1)]),
    valid("a snooze", ["Added"], [deliver(0), snooze(10_000, 3600), look(60_000)]),
    valid(
      "a snooze lengthens a temporary ack",
      ["Added", "Lapse"],
      [deliver(0), ack(0, 600), snooze(10_000, 3600), look(4_199_999), look(4_200_000)],
    ),
    valid("a waiter renews and nothing counts", ["Waiter"], [deliver(0), renew(30_000, 30), renew(60_000, 30), look(119_999)]),
    valid("a new person, a fresh lease", ["Added"], [deliver(0), reassign(40_000), look(99_999), deliver(99_999)]),
    valid("a new person while it is paused", ["Added", "Pause"], [deliver(0), ack(10_000), reassign(500_000), look(500_000)]),
    valid("escalated once", ["Escalate"], [deliver(0), look(60_000), deliver(70_000), look(129_999), look(130_000)], {
      escalate_to: 1,
    }),
    valid("escalated late starts afresh when it is noticed", ["Escalate"], [deliver(0), look(500_000), look(559_999)], {
      escalate_to: 1,
    }),
    valid("escalated twice, nobody there", ["Escalate", "Pending"], [look(60_000), look(120_000), look(180_000)], {
      escalate_to: 2,
    }),
    invalid("a decision at the deadline", ["Deadline"], [deliver(0), decide(60_000)]),
    invalid("a decision after the deadline", ["Deadline"], [deliver(0), decide(60_001)]),
    invalid("a decision after a lapse used up the rest", ["Deadline", "Lapse"], [deliver(0), ack(20_000, 600), decide(660_000)]),
    invalid("a decision after auto_approve", ["Deadline"], [deliver(0), decide(60_000)], { on_timeout: "auto_approve" }),
    invalid("a decision after the end was applied", ["State"], [deliver(0), look(60_000), decide(60_000)]),
    invalid("a decision before delivery", ["State", "Pending"], [decide(1000)]),
    invalid("a decision right after an escalation", ["State", "Escalate"], [deliver(0), decide(60_000)], { escalate_to: 1 }),
    invalid("two decisions", ["State"], [deliver(0), decide(1000), decide(1001)]),
    invalid("an ack before delivery", ["State", "Pending"], [ack(1000)]),
    invalid("an ack after the deadline", ["State", "Timeout"], [deliver(0), ack(60_000)]),
    invalid("an ack of what is paused for good", ["State", "Pause"], [deliver(0), ack(1000), ack(2000)]),
    invalid("a temporary ack of what is paused for good", ["State", "Pause"], [deliver(0), ack(1000), ack(2000, 600)]),
    invalid("delivered twice", ["State"], [deliver(0), deliver(1000)]),
    invalid("delivered while it is paused", ["State", "Pause"], [deliver(0), ack(1000), deliver(2000)]),
    invalid("delivered after its end", ["State", "Pending"], [deliver(60_000)]),
    invalid("more time after its end", ["State", "Added"], [deliver(0), extend(60_000, 60)]),
    invalid("a snooze after its end", ["State", "Added"], [deliver(0), snooze(60_000, 60)]),
    invalid("reassigned after its end", ["State"], [deliver(0), reassign(60_000)]),
    invalid("a waiter after the end", ["State", "Waiter"], [deliver(0), renew(60_000, 60)]),
    invalid("a second more than seven days", ["Added"], [deliver(0), extend(1000, week + 1)]),
    invalid("seven days and a second, in parts", ["Added"], [deliver(0), extend(1000, week - 1), snooze(2000, 2)]),
    invalid(
      "seven days and a second while paused",
      ["Added", "Pause"],
      [deliver(0), ack(0), extend(1000, week), extend(2000, 1)],
    ),
    invalid(
      "a new person after seven days were added",
      ["Added"],
      [extend(0, week), deliver(1000), reassign(2000), deliver(2000), reassign(3000)],
    ),
    invalid("a waiter that renews too soon", ["Waiter"], [deliver(0), renew(30_000, 30), renew(59_999, 30)]),
  ],
  run: (input) => ({ rows: simulateLease(input as unknown as LeaseInput) }) as unknown as Json,
};
