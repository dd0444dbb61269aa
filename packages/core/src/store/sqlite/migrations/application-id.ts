// What marks a file as a HAP store.

/** "HAP" and a zero, in the header field that SQLite keeps for its users. */
export const APPLICATION_ID = 0x48415000;
