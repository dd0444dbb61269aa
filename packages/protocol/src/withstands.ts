// What a yes withstands, from where the store is (D1) and what evidence the yes carries (D3). Shown on every ticket.
import type { AssuranceLevel, TrustClass } from "./constants.ts";

export type Withstands = {
  /** An agent that errs, a hasty click. Always. */
  mistakes: true;
  /** A program that runs as the person's own user, and would write the store, the policy or the gate. */
  same_user: boolean;
  /** Whoever got hold of the person's sign-in. */
  stolen_token: boolean;
  /** The one thing to do next to withstand more; null where there is nothing more. */
  step_up: "apart" | "passkey" | null;
};

/** What a yes with this evidence withstands in a store of this class. */
export function yesWithstands(trust: TrustClass, evidence: AssuranceLevel): Withstands {
  const apart = trust !== "open";
  // In class open the same user can replace the list of keys, and so the meaning of a signature.
  const touched = apart && (evidence === "passkey" || evidence === "present");
  return {
    mistakes: true,
    same_user: apart,
    stolen_token: touched,
    step_up: apart ? (touched ? null : "passkey") : "apart",
  };
}
