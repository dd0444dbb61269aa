import { expect, test } from "vitest";
import { yesWithstands } from "./withstands.ts";

test("[WITHSTAND-YES-1] in a store of the agent's own user a yes withstands mistakes alone, whatever signed it", () => {
  for (const level of ["local", "session", "key", "present", "passkey"] as const)
    expect(yesWithstands("open", level)).toEqual({ mistakes: true, same_user: false, stolen_token: false, step_up: "apart" });
});

test("[WITHSTAND-YES-1] in a store apart it withstands the same user too, and a stolen sign-in once hardware was touched", () => {
  for (const trust of ["apart", "remote"] as const) {
    for (const level of ["local", "session", "key"] as const)
      expect(yesWithstands(trust, level)).toEqual({ mistakes: true, same_user: true, stolen_token: false, step_up: "passkey" });
    for (const level of ["present", "passkey"] as const)
      expect(yesWithstands(trust, level)).toEqual({ mistakes: true, same_user: true, stolen_token: true, step_up: null });
  }
});
