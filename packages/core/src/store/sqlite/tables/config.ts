// Settings of the store, and its schema.
import { schemaProblem } from "../schema.ts";
import { Table } from "./table.ts";

/** Reads of settings. */
export class ConfigReads extends Table {
  config(key: string): string | undefined {
    const { config } = this.mirror.fresh();
    if (!config.has(key))
      config.set(key, this.sql.get("SELECT value FROM config WHERE key=?").get(key)?.value as string | undefined);
    return config.get(key);
  }

  schemaProblem(): string | null {
    return schemaProblem(this.sql);
  }
}

/** Writes of settings. */
export class ConfigWrites extends Table {
  setConfig(key: string, value: string | null): void {
    if (value === null) this.sql.get("DELETE FROM config WHERE key=?").run(key);
    else
      this.sql
        .get("INSERT INTO config (key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value=excluded.value")
        .run(key, value);
    this.mirror.config.set(key, value ?? undefined);
  }
}
