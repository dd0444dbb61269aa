// A grant that is made, used up and ended, and a denial that is ended before its time: as a runtime writes them (D43).
import { makeId, makeNonce, type NewEvent } from "@hap/protocol";
import { act, agent, alex, fixed, hash, json, local, runtime, text, time } from "./sample-parts.ts";

/** The events in order, each with the second at which it is written. */
export function storyOfGrants(): [number, () => NewEvent][] {
  const project = makeId("prj_", fixed(9));
  const grant_id = makeId("gr_", fixed(14));
  const denial = makeId("gr_", fixed(15));
  const none = { session: null, kinds: null, environments: null, effects: null, rate: null, ticket: null };
  const patterns = json({ commands: ["npm install *"], paths: null, hosts: null });
  const call = json({ commands: [["npm", "install", "left-pad"]], hosts: [], paths: [], readable: true });
  const confirmed = { ...local, confirmed: true, assertion: null };
  const made = { from: alex, agent, project, patterns, ends_at: time(7200), uses: 1 };
  const denies = { from: alex, agent: null, project: null, patterns, ends_at: null, uses: null, assertion: null };
  const used = { call_hash: hash("call"), use: 1, kind: "run_command", session: null, project, environment: null, call };
  return [
    [0, () => ({ type: "log.genesis", runtime, format: 1, protocol_version: "0.2", epoch: 1 })],
    [1, () => ({ type: "directory.add", handle: alex, name: text("human:alex"), since: time(1) })],
    [1, () => ({ type: "directory.add", handle: project, name: text("/srv/app"), since: time(1) })],
    [2, () => ({ type: "grant.create", grant_id, verdict: "allow", ...none, ...made, ...act(2), ...confirmed })],
    [
      9,
      () => ({
        type: "grant.use",
        grant_id,
        by: agent,
        ...used,
        tier: "notable",
        effects: ["unknown"],
        authority: "addressee",
        trust: "open",
      }),
    ],
    [9, () => ({ type: "grant.end", grant_id, from: null, because: "spent", signed: null, confirmed: false, trust: "open" })],
    [
      10,
      () => ({
        type: "grant.create",
        grant_id: denial,
        verdict: "deny",
        ...none,
        ...denies,
        ...act(10),
        nonce: makeNonce(fixed(13)),
        ...local,
      }),
    ],
    [
      60,
      () => ({
        type: "grant.end",
        grant_id: denial,
        from: alex,
        because: "person",
        signed: null,
        confirmed: true,
        trust: "open",
      }),
    ],
  ];
}
