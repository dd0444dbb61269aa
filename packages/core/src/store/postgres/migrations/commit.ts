// hap.commit: one call writes a batch. It locks the space's row, compares (version, last batch), writes the rows and journals their keys.
import { TABLES, type TableShape } from "../tables.ts";
import { sqlType } from "./wire-sql.ts";

const record = (table: TableShape, names?: readonly string[]) =>
  table.columns
    .filter(({ name }) => names === undefined || names.includes(name))
    .map(({ name, type }) => `"${name}" ${sqlType(type)}`)
    .join(", ");

function deleteRows(table: TableShape): string {
  const source = `p_changes->'del'->'${table.name}'`;
  if (table.name === "events") return "";
  if (table.name === "contents") return `\n  IF ${source} IS NOT NULL THEN PERFORM hap.erase(${source}); END IF;`;
  const on = table.key.map((name) => {
    const type = table.columns.find((column) => column.name === name)?.type;
    return `t."${name}"=${type === "bytes" ? `decode(k."${name}", 'hex')` : `k."${name}"`}`;
  });
  return `
  IF ${source} IS NOT NULL THEN
    DELETE FROM hap."${table.name}" t USING json_to_recordset(${source}) AS k(${record(table, table.key)})
      WHERE t.space=p_space AND ${on.join(" AND ")};
  END IF;`;
}

function putRows(table: TableShape): string {
  const source = `p_changes->'put'->'${table.name}'`;
  const names = table.columns.map(({ name }) => `"${name}"`);
  const values = table.columns.map(({ name, type }) => (type === "bytes" ? `decode(r."${name}", 'hex')` : `r."${name}"`));
  const rest = table.columns.filter(({ name }) => !table.key.includes(name)).map(({ name }) => `"${name}"=excluded."${name}"`);
  const key = table.key.map((name) => `"${name}"`).join(", ");
  const appended = table.name === "events" || table.name === "contents";
  const conflict = appended
    ? ""
    : ` ON CONFLICT (space, ${key}) DO ${rest.length === 0 ? "NOTHING" : `UPDATE SET ${rest.join(", ")}`}`;
  return `
  IF ${source} IS NOT NULL THEN
    INSERT INTO hap."${table.name}" (space, ${names.join(", ")}) SELECT p_space, ${values.join(", ")}
      FROM json_to_recordset(${source}) AS r(${record(table)})${conflict};
  END IF;`;
}

/** Tables that a rebuild clears. */
const CLEARED = ["tickets", "agents", "messages", "api_keys"];
const clears = CLEARED.map(
  (name) => `
  IF EXISTS (SELECT 1 FROM json_array_elements_text(p_changes->'clear') c WHERE c='${name}') THEN
    DELETE FROM hap."${name}" WHERE space=p_space;
  END IF;`,
).join("");

/** The function that writes. */
export const COMMIT = `
CREATE FUNCTION hap.commit(p_space text, p_version bigint, p_before text, p_batch text, p_now bigint, p_keys json, p_changes json)
RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET lock_timeout = '5s' AS $$
DECLARE s hap.spaces; t bigint; applied bigint; head record; due bigint;
BEGIN
  PERFORM set_config('hap.space', p_space, true);
  SELECT * INTO s FROM hap.spaces WHERE space=p_space FOR UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('missing', true); END IF;
  t := floor(extract(epoch FROM clock_timestamp()) * 1000);
  SELECT version INTO applied FROM hap.batches WHERE space=p_space AND batch=p_batch;
  IF FOUND THEN RETURN json_build_object('applied', applied, 'now', t); END IF;
  IF s.version <> p_version OR s.batch <> p_before THEN
    RETURN json_build_object('delta', hap.delta(p_space, p_version, p_before), 'now', t);
  END IF;
  -- A space that is being imported is archived until all of it is there.
  IF s.archived_at IS NOT NULL AND p_batch NOT LIKE 'import:%' THEN RETURN json_build_object('archived', true, 'now', t); END IF;
  -- The database's time rules. A time that equals the last event's is that of a clock which waits for it.
  IF p_now IS NOT NULL AND p_now <> s.head_at AND abs(t - p_now) > 1000 THEN RETURN json_build_object('clock', true, 'now', t); END IF;
  ${clears}
  IF p_changes->>'forget_requests' IS NOT NULL THEN
    DELETE FROM hap.idempotency WHERE space=p_space AND created_at < (p_changes->>'forget_requests')::bigint;
  END IF;
  ${TABLES.map(deleteRows).join("")}
  ${TABLES.map(putRows).join("")}
  IF p_changes->'put'->'events' IS NOT NULL THEN
    SELECT seq, hash INTO head FROM hap.events WHERE space=p_space ORDER BY seq DESC LIMIT 1;
    s.head_seq := head.seq; s.head_hash := head.hash; s.head_at := greatest(s.head_at, coalesce(p_now, 0));
  END IF;
  IF p_changes->'put'->'tickets' IS NOT NULL OR p_changes->'clear' IS NOT NULL THEN
    SELECT min(next_deadline) INTO due FROM hap.tickets WHERE space=p_space AND next_deadline IS NOT NULL;
    IF due IS NULL THEN DELETE FROM hap.dues WHERE space=p_space;
    ELSE INSERT INTO hap.dues (space, at) VALUES (p_space, due) ON CONFLICT (space) DO UPDATE SET at=excluded.at WHERE dues.at<>excluded.at;
    END IF;
  END IF;
  UPDATE hap.spaces SET version=version+1, batch=p_batch, head_seq=s.head_seq, head_hash=s.head_hash, head_at=s.head_at WHERE space=p_space;
  INSERT INTO hap.changes (space, version, batch, keys) VALUES (p_space, p_version+1, p_batch, p_keys);
  INSERT INTO hap.batches (space, batch, version) VALUES (p_space, p_batch, p_version+1);
  IF p_version % 64 = 0 THEN DELETE FROM hap.changes WHERE space=p_space AND version < p_version-500; END IF;
  IF p_version % 256 = 0 THEN DELETE FROM hap.batches WHERE space=p_space AND at < now() - interval '24 hours'; END IF;
  RETURN json_build_object('version', p_version+1, 'head_at', s.head_at, 'now', t);
END $$;
REVOKE ALL ON FUNCTION hap.commit, hap.fetch, hap.load, hap.delta, hap.list, hap.needed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hap.commit, hap.fetch, hap.load, hap.delta, hap.list, hap.needed TO hap_app;`;
