// What a yes withstands, in words, with the one step up; on every ticket, in `hap doctor` and in `hap start`.
import { type AssuranceLevel, type TrustClass, yesWithstands } from "@hap/protocol";

const STEP_UP = {
  apart: "Step up: `sudo hap serve --apart` keeps the store under a user of its own, or use a server on another machine.",
  passkey: "Step up: add a passkey on the page (Settings), with the code of `hap login --code --enrol`.",
} as const;

/** One short clause, and the whole sentence with the step up. */
export function withstands(trust: TrustClass, evidence: AssuranceLevel): { short: string; long: string } {
  const { same_user: sameUser, stolen_token: stolenToken, step_up: stepUp } = yesWithstands(trust, evidence);
  const short = stolenToken
    ? "withstands mistakes, programs that run as you, and a stolen sign-in"
    : sameUser
      ? "withstands mistakes and programs that run as you, not a stolen sign-in"
      : "withstands mistakes, not a program that runs as you";
  return { short, long: `A yes here ${short}.${stepUp === null ? "" : ` ${STEP_UP[stepUp]}`}` };
}
