// What becomes of an acknowledged write, by the database's settings. Promised is only what they say (D57).
import type pg from "pg";

/** Whom an acknowledged write survives: nobody's crash, the database's crash, or the loss of its machine. */
export type Durability = { survives: "nothing" | "crash" | "machine"; words: string };

type Settings = { fsync: string; full_page_writes: string; synchronous_commit: string; standbys: string };

/** Read the settings, and say what they promise. */
export async function readDurability(pool: Pick<pg.Pool, "query">): Promise<Durability> {
  const { rows } = await pool.query(
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit, current_setting('synchronous_standby_names') AS standbys`,
  );
  return durabilityOf(rows[0] as Settings);
}

/** What these settings promise. */
export function durabilityOf({ fsync, full_page_writes, synchronous_commit, standbys }: Settings): Durability {
  const off = [
    ...(fsync === "off" ? ["fsync"] : []),
    ...(full_page_writes === "off" ? ["full_page_writes"] : []),
    ...(synchronous_commit === "off" ? ["synchronous_commit"] : []),
  ];
  if (off.length > 0)
    return {
      survives: "nothing",
      words: `Acknowledged writes can be lost when PostgreSQL crashes: ${off.join(" and ")} ${off.length > 1 ? "are" : "is"} off. Turn ${off.length > 1 ? "them" : "it"} on.`,
    };
  if (standbys === "" || synchronous_commit === "local")
    return {
      survives: "crash",
      words:
        "No acknowledged write is lost when a server or PostgreSQL crashes. If the database's machine is lost, the last writes can be: there is no synchronous standby.",
    };
  return {
    survives: "machine",
    words: `No acknowledged write is lost, also when the database's machine is: a standby has each one first (synchronous_standby_names = ${standbys}).`,
  };
}
