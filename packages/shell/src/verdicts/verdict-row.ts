// The shape of the verdict tables: what a security reviewer reads, and what verdicts.test.ts runs.
// Every row stands in /home/u/p, which is the project's root; the home folder is /home/u.

/** The command, its verdict, its effects (sorted, by spaces), and why. */
export type VerdictRow = readonly [command: string, verdict: "harmless" | "ask", effects: string, why: string];
