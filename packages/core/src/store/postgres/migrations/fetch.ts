// hap.fetch: the rows that a node needs, what changed since it looked last, and the space's version, all from one snapshot: a STABLE
// function sees the snapshot of the statement that calls it.
import { columnOf, TABLES, type TableShape } from "../tables.ts";
import { sqlType, wireColumns } from "./wire-sql.ts";

const whole = TABLES.filter((table) => table.whole);
const list = (table: TableShape, from: string) =>
  `(SELECT coalesce(json_agg(r), '[]'::json) FROM (SELECT ${wireColumns(table)} ${from}) r)`;
const table = (name: string) => TABLES.find((one) => one.name === name) as TableShape;

/** All that a node keeps of a space: whole tables, open tickets with their anchors, and the last event. */
const LOAD = `
CREATE FUNCTION hap.load(p_space text) RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN (SELECT json_object_agg(name, rows) FROM (VALUES
    ${[
      ...whole.map((one) => `('${one.name}', ${list(one, `FROM hap."${one.name}" t WHERE t.space=p_space`)})`),
      `('tickets', ${list(table("tickets"), "FROM hap.tickets t WHERE t.space=p_space AND t.open=1")})`,
      `('anchors', ${list(table("anchors"), "FROM hap.anchors t JOIN hap.tickets o ON o.space=t.space AND o.seq=t.ticket_seq AND o.open=1 WHERE t.space=p_space")})`,
      `('events', ${list(table("events"), "FROM hap.events t WHERE t.space=p_space ORDER BY t.seq DESC LIMIT 1")})`,
    ].join(",\n    ")}) AS all_rows(name, rows));
END $$;`;

/** The rows behind changed keys, one query for each table that has some. */
const changedRows = TABLES.map((one) => {
  const keys = one.key.map((name, at) => {
    const value = `(k->>${at + 1})`;
    return columnOf(one, name).type === "bytes" ? `decode(${value}, 'hex')` : `${value}::${sqlType(columnOf(one, name).type)}`;
  });
  const on = one.key.map((name, at) => `t."${name}"=${keys[at]}`).join(" AND ");
  return `
  IF '${one.name}' = ANY(named) THEN
    SELECT coalesce(json_agg(r), '[]'::json) INTO part FROM unnest(changed) AS k
      JOIN LATERAL (SELECT ${wireColumns(one)} FROM hap."${one.name}" t WHERE t.space=p_space AND ${on} OFFSET 0) r ON true
      WHERE k->>0='${one.name}' AND k->>1<>'*';
    found := found || jsonb_build_object('${one.name}', part);
  END IF;`;
}).join("");

/** What changed since a version, or everything if that cannot be said. */
const DELTA = `
CREATE FUNCTION hap.delta(p_space text, p_version bigint, p_before text) RETURNS json LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  s hap.spaces; entries bigint; unknown boolean; origin text; changed jsonb[]; named text[]; found jsonb := '{}'; part json;
BEGIN
  SELECT * INTO s FROM hap.spaces WHERE space=p_space;
  IF p_version < s.version AND p_version >= 0 THEN
    SELECT count(*), coalesce(bool_or(keys IS NULL), false) INTO entries, unknown
      FROM hap.changes WHERE space=p_space AND version>p_version AND version<=s.version;
    IF p_version = 0 THEN origin := ''; ELSE SELECT batch INTO origin FROM hap.changes WHERE space=p_space AND version=p_version; END IF;
    IF entries = s.version - p_version AND NOT unknown AND origin IS NOT DISTINCT FROM p_before AND entries <= 200 THEN
      SELECT array_agg(DISTINCT k), array_agg(DISTINCT k->>0) INTO changed, named
        FROM hap.changes c, jsonb_array_elements(c.keys::jsonb) k WHERE c.space=p_space AND c.version>p_version;
      ${changedRows}
      RETURN json_build_object('version', s.version, 'batch', s.batch, 'head_at', s.head_at, 'archived', s.archived_at IS NOT NULL,
        'keys', coalesce(to_json(changed), '[]'::json), 'rows', found);
    END IF;
  END IF;
  RETURN json_build_object('version', s.version, 'batch', s.batch, 'head_at', s.head_at, 'archived', s.archived_at IS NOT NULL,
    'load', hap.load(p_space));
END $$;`;

/** Lists of tickets, as far as they may hold ended ones: rows are found here, and listed by the node's copy. */
const LIST = `
CREATE FUNCTION hap.list(p_space text, f json) RETURNS SETOF bigint LANGUAGE plpgsql STABLE AS $$
DECLARE q text := 'SELECT seq FROM hap.tickets WHERE space=$1';
BEGIN
  IF f->>'to' IS NOT NULL THEN q := q || ' AND "to"=$2->>''to'''; END IF;
  IF f->>'from' IS NOT NULL THEN q := q || ' AND "from"=$2->>''from'''; END IF;
  IF f->>'kind' IS NOT NULL THEN q := q || ' AND kind=$2->>''kind'''; END IF;
  IF f->>'project' IS NOT NULL THEN q := q || ' AND project=$2->>''project'''; END IF;
  IF f->>'session' IS NOT NULL THEN q := q || ' AND session=$2->>''session'''; END IF;
  IF f->>'tier' IS NOT NULL THEN q := q || ' AND tier=$2->>''tier'''; END IF;
  IF f->>'createdAfter' IS NOT NULL THEN q := q || ' AND created_at>=$2->>''createdAfter'''; END IF;
  IF f->>'createdBefore' IS NOT NULL THEN q := q || ' AND created_at<=$2->>''createdBefore'''; END IF;
  IF f->>'beforeSeq' IS NOT NULL THEN q := q || ' AND seq<($2->>''beforeSeq'')::bigint'; END IF;
  IF f->'states' IS NOT NULL THEN q := q || ' AND state IN (SELECT json_array_elements_text($2->''states''))'; END IF;
  IF f->>'ended' IS NOT NULL THEN q := q || ' AND open=0'; END IF;
  IF f->>'conversation' IS NOT NULL THEN q := q || ' AND kind IN (''cue'', ''pause'', ''question'')'; END IF;
  IF f->>'first' IS NOT NULL THEN
    q := q || ' AND ((id >= $2->>''first'' AND id < $2->>''last'') OR (' ||
      CASE WHEN length(f->>'part') >= 6 THEN 'code = right($2->>''part'', 6) AND ' ELSE 'delivered_at IS NOT NULL AND ' END ||
      'right(id, length($2->>''part'')) = $2->>''part''))';
  END IF;
  q := q || ' ORDER BY seq DESC LIMIT ($2->>''limit'')::bigint';
  RETURN QUERY EXECUTE q USING p_space, f;
END $$;`;

const part = (name: string, need: string, join: string) => `
  IF p_needs->'${need}' IS NOT NULL THEN
    SELECT coalesce(json_agg(r), '[]'::json) INTO part FROM (SELECT ${wireColumns(table(name))} FROM ${join}) r;
    found := array_append(found, json_build_object('${name}', part));
  END IF;`;
const byNumber = (name: string, need: string, column: string) =>
  part(
    name,
    need,
    `(SELECT DISTINCT v::bigint AS n FROM json_array_elements_text(p_needs->'${need}') v) k
     JOIN LATERAL (SELECT * FROM hap."${name}" x WHERE x.space=p_space AND x."${column}"=k.n OFFSET 0) t ON true`,
  );
const byText = (name: string, need: string, column: string) =>
  part(
    name,
    need,
    `(SELECT DISTINCT v FROM json_array_elements_text(p_needs->'${need}') v) k
     JOIN LATERAL (SELECT * FROM hap."${name}" x WHERE x.space=p_space AND x."${column}"=k.v OFFSET 0) t ON true`,
  );

const NEEDS = `
CREATE FUNCTION hap.needed(p_space text, p_needs json) RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE found json[] := '{}'; part json; seqs bigint[] := '{}'; more bigint[];
BEGIN
  IF p_needs->'ids' IS NOT NULL THEN
    SELECT coalesce(array_agg(t.seq), '{}') INTO more FROM json_array_elements_text(p_needs->'ids') v
      JOIN LATERAL (SELECT seq FROM hap.tickets x WHERE x.space=p_space AND x.id=v OFFSET 0) t ON true;
    seqs := seqs || more;
  END IF;
  IF p_needs->'seqs' IS NOT NULL THEN
    seqs := seqs || (SELECT coalesce(array_agg(v::bigint), '{}') FROM json_array_elements_text(p_needs->'seqs') v);
  END IF;
  IF p_needs->'lists' IS NOT NULL THEN
    SELECT coalesce(array_agg(n), '{}') INTO more FROM json_array_elements(p_needs->'lists') f, hap.list(p_space, f) n;
    seqs := seqs || more;
  END IF;
  IF cardinality(seqs) > 0 THEN
    -- A ticket comes with its texts, and with the event at its end.
    SELECT coalesce(json_agg(r), '[]'::json) INTO part FROM (SELECT ${wireColumns(table("tickets"))} FROM (SELECT DISTINCT unnest(seqs) AS n) k
      JOIN LATERAL (SELECT * FROM hap.tickets x WHERE x.space=p_space AND x.seq=k.n OFFSET 0) t ON true) r;
    found := array_append(found, json_build_object('tickets', part));
  END IF;
  IF p_needs->'contents' IS NOT NULL THEN
    seqs := seqs || (SELECT coalesce(array_agg(v::bigint), '{}') FROM json_array_elements_text(p_needs->'contents') v);
  END IF;
  IF cardinality(seqs) > 0 THEN
    SELECT coalesce(json_agg(r), '[]'::json) INTO part FROM (SELECT ${wireColumns(table("contents"))} FROM (SELECT DISTINCT unnest(seqs) AS n) k
      JOIN LATERAL (SELECT * FROM hap.contents x WHERE x.space=p_space AND x.ticket_seq=k.n OFFSET 0) t ON true) r;
    found := array_append(found, json_build_object('contents', part));
  END IF;
  ${byNumber("events", "events", "seq")}
  ${byNumber("anchors", "anchors", "ticket_seq")}
  ${byText("used_nonces", "nonces", "nonce")}
  ${byText("messages", "agents", "agent")}
  ${byText("messages", "messages", "id")}
  ${part("idempotency", "requests", `json_array_elements(p_needs->'requests') v JOIN LATERAL (SELECT * FROM hap.idempotency x WHERE x.space=p_space AND x.owner=v->>0 AND x.key=v->>1 OFFSET 0) t ON true`)}
  ${part("events", "after", `json_array_elements(p_needs->'after') v JOIN LATERAL (SELECT * FROM hap.events x WHERE x.space=p_space AND x.seq>(v->>0)::bigint ORDER BY x.seq LIMIT (v->>1)::bigint) t ON true`)}
  IF p_needs->'chains' IS NOT NULL THEN
    WITH RECURSIVE walk AS (
      SELECT x.* FROM json_array_elements_text(p_needs->'chains') v
        JOIN LATERAL (SELECT * FROM hap.events e WHERE e.space=p_space AND e.seq=v::bigint OFFSET 0) x ON true
      UNION
      SELECT x.* FROM walk w
        JOIN LATERAL (SELECT * FROM hap.events e WHERE e.space=p_space AND e.seq=w.ticket_prev AND e.seq<w.seq OFFSET 0) x ON true)
    SELECT coalesce(json_agg(r), '[]'::json) INTO part FROM (SELECT ${wireColumns(table("events"))} FROM walk t) r;
    found := array_append(found, json_build_object('events', part));
  END IF;
  RETURN to_json(found);
END $$;`;

/** The one read that nodes make. Without a delta nothing has changed since the version they named. */
const CALL = `
CREATE FUNCTION hap.fetch(p_space text, p_version bigint, p_before text, p_needs json) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE s hap.spaces; delta json; rows json;
BEGIN
  PERFORM set_config('hap.space', p_space, true);
  SELECT * INTO s FROM hap.spaces WHERE space=p_space;
  IF NOT FOUND THEN RETURN json_build_object('missing', true); END IF;
  IF s.version <> p_version OR s.batch <> p_before THEN delta := hap.delta(p_space, p_version, p_before); END IF;
  IF p_needs IS NOT NULL THEN rows := hap.needed(p_space, p_needs); END IF;
  RETURN json_build_object('now', floor(extract(epoch FROM clock_timestamp()) * 1000), 'archived', s.archived_at IS NOT NULL,
    'delta', delta, 'found', rows);
END $$;`;

/** The functions that read. */
export const FETCH = `${LOAD}\n${DELTA}\n${LIST}\n${NEEDS}\n${CALL}`;
