// Where chance in tests comes from: one seed, so that a run fails because something changed and not by chance.

/** The seed; `HAP_TEST_SEED` takes another. */
export const SEED = Number(process.env.HAP_TEST_SEED ?? 4747);
