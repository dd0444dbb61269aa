// How rows are spelled in the SQL of the functions.
import type { ColumnType, TableShape } from "../tables.ts";

/** The columns of `t` as they travel: bytes as hex. */
export function wireColumns(table: TableShape): string {
  return table.columns
    .map(({ name, type }) => (type === "bytes" ? `encode(t."${name}", 'hex') AS "${name}"` : `t."${name}"`))
    .join(", ");
}

/** The type of a column as it travels. */
export function sqlType(type: ColumnType): string {
  return { text: "text", int: "bigint", real: "double precision", bytes: "text" }[type];
}
