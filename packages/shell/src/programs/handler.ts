// What every program table is made of.
import type { Call } from "../grammar/scan.ts";

/** Notes the effects of one call of one program. */
export type Handler = (call: Call) => void;
