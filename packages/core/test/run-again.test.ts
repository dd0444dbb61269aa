// Commands can run again (D39): suspended at any read, once or twice, alone or while somebody else commits, a command leaves what a
// serial order leaves, byte for byte, with ids, salts and time replayed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { HapEngine } from "../src/index.ts";
import { OTHER_CASES } from "./run-again/other-cases.ts";
import { RunAgain } from "./run-again/run-again.ts";
import { replayedWorld, SuspendingStore } from "./run-again/suspending-store.ts";
import { TICKET_CASES } from "./run-again/ticket-cases.ts";

const CASES = { ...TICKET_CASES, ...OTHER_CASES };

/** Methods that write nothing, or are no commands of their own. */
const NOT_COMMANDS = new Set(
  `constructor later waitFor endWaits follow watchEvents dispose prepare prepareTicket classifyWith getTicket assertAsker resolveId
  list inbox listPending listAll parties insights ticketFacts openTickets getEvents getResolvedEvents resolve resolveWords history
  cursor head eventsAfterSeq violation verifyEventLog verifyInBackground verifySince lastVerification backup importDraft neededFor
  testPolicy grants grant previewGrant proposeGrant grantWords policies erasurePending policyVersions policyVersion spaceLimits callHash checkPolicy previewPolicy userPolicyStatus savePolicy getAgent listAgents recallAgents queuedMessages attachment
  conversation credentials enrolmentChallenge enrolmentBegun finishLogin people roleOf personOf assertMessageFor assertMessageFrom
  madeBefore waiting unheard rememberPerson signedIn isSignedIn listKeys checkKey isKeyValid agentOwner listWebhooks deadDeliveries violationNotices countDeliveries delivered probeWrite
  countPushSubscriptions pushSubscriptionGone exportPerson reject countTickets listSignIns namePairing pairedAs sealingKey applyHeldDecisions wakeForHeld stopHeldTimer deliverTicket ackTicket approveTicket rejectTicket cancelTicket`.split(
    /\s+/,
  ),
);

describe("[ENGINE-AGAIN-1] a command that is suspended and run again leaves what a serial order leaves", () => {
  let open: RunAgain | null = null;
  afterEach(() => {
    open?.remove();
    open = null;
  });

  for (const [name, given] of Object.entries(CASES)) {
    it(name, { timeout: 60_000 }, () => {
      open = new RunAgain(given);
      expect(open.tryAll()).toBeGreaterThan(0);
    });
  }

  it("covers every command", () => {
    const covered = new Set(Object.keys(CASES).map((name) => name.split(" ")[0]));
    const missing = methodsOf(HapEngine.prototype).filter((name) => !NOT_COMMANDS.has(name) && !covered.has(name));
    expect(missing).toEqual([]);
  });
});

function methodsOf(prototype: object): string[] {
  return prototype === Object.prototype
    ? []
    : [...Object.getOwnPropertyNames(prototype), ...methodsOf(Object.getPrototypeOf(prototype))];
}

it("[ENGINE-AGAIN-1] a batch of commands is run again as a whole, and each gets its own answer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hap-again-"));
  const world = replayedWorld(5, Date.parse("2026-01-31T10:00:00Z"));
  const store = new SuspendingStore(join(folder, "hap.db"), world);
  const engine = new HapEngine({ store: store.opened(), home: folder, world, humanId: "human:alex" });
  try {
    const ids = ["a", "b", "c"].map((summary) => engine.createTicket({ to: "human:alex", summary }).id) as [
      string,
      string,
      string,
    ];
    store.suspensions = { at: [5, 12, 3] };
    const settled = await Promise.allSettled([
      engine.later(() => engine.approve(ids[0])),
      engine.later(() => engine.approve(ids[1], undefined, { by: "human:sam" })),
      engine.later(() => engine.reject(ids[2])),
    ]);
    expect(store.suspended).toBe(3);
    expect(settled.map((one) => (one.status === "fulfilled" ? one.value.state : one.reason.code))).toEqual([
      "APPROVED",
      "not_addressee",
      "REJECTED",
    ]);
    expect(engine.verifyEventLog()).toMatchObject({ ok: true });
  } finally {
    engine.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});
