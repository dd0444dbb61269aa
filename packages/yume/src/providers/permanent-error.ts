// An error that another try would only meet again.
import { ModelError } from "../model/types.ts";

/** Never tried again, whatever its kind. */
export class PermanentModelError extends ModelError {}
