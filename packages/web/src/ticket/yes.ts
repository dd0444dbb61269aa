// A yes on its way: what is said, before it is known how well it must be proven.
export type Yes = { comment?: string; edits?: Record<string, unknown>; answer?: unknown };
