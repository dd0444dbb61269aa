// Migration 2 of the PostgreSQL store: lost histories are recognised, losers of many races get a turn, and nodes need no role of their
// own session (PgBouncer). Never edited once released.

/** Whether a node's version is part of this history. Events are never deleted, so they tell also where the journal was pruned. */
const KNOWS = `
CREATE FUNCTION hap.knows(p_space text, p_version bigint, p_batch text, p_seq bigint, p_hash text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE s hap.spaces; other text;
BEGIN
  PERFORM set_config('hap.space', p_space, true);
  SELECT * INTO s FROM hap.spaces WHERE space=p_space;
  IF NOT FOUND OR s.version < p_version OR s.head_seq < p_seq THEN RETURN false; END IF;
  SELECT batch INTO other FROM hap.changes WHERE space=p_space AND version=p_version;
  IF other IS DISTINCT FROM p_batch AND other IS NOT NULL THEN RETURN false; END IF;
  RETURN p_seq = 0 OR EXISTS (SELECT 1 FROM hap.events WHERE space=p_space AND seq=p_seq AND hash=p_hash);
END $$;`;

/** hap.fetch as before, and whether the database takes writes: a standby does not, and an administrator can say so. */
export const FETCH_READ_ONLY = `
CREATE OR REPLACE FUNCTION hap.fetch(p_space text, p_version bigint, p_before text, p_needs json) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE s hap.spaces; delta json; rows json;
BEGIN
  PERFORM set_config('hap.space', p_space, true);
  SELECT * INTO s FROM hap.spaces WHERE space=p_space;
  IF NOT FOUND THEN RETURN json_build_object('missing', true); END IF;
  IF s.version <> p_version OR s.batch <> p_before THEN delta := hap.delta(p_space, p_version, p_before); END IF;
  IF p_needs IS NOT NULL THEN rows := hap.needed(p_space, p_needs); END IF;
  RETURN json_build_object('now', floor(extract(epoch FROM clock_timestamp()) * 1000), 'archived', s.archived_at IS NOT NULL,
    'read_only', pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on', 'delta', delta, 'found', rows);
END $$;`;

/** How long a node that lost many races has the space to itself: some round trips. If it died, others wait for no longer. */
const TURN_MS = 250;

/** hap.commit with turns. A batch that was applied is answered in any case: it may have been sent again after a lost answer. */
const FAIR = `
ALTER TABLE hap.spaces ADD COLUMN turn text, ADD COLUMN turn_until timestamptz;
CREATE FUNCTION hap.commit_in_turn(p_space text, p_version bigint, p_before text, p_batch text, p_now bigint, p_keys json, p_changes json,
  p_node text, p_losses int)
RETURNS json LANGUAGE plpgsql SET lock_timeout = '5s' AS $$
DECLARE held record; answer json; left_ms bigint;
BEGIN
  PERFORM set_config('hap.space', p_space, true);
  SELECT turn, turn_until INTO held FROM hap.spaces WHERE space=p_space FOR UPDATE;
  IF held.turn IS NOT NULL AND held.turn <> p_node AND held.turn_until > clock_timestamp()
    AND NOT EXISTS (SELECT 1 FROM hap.batches WHERE space=p_space AND batch=p_batch) THEN
    left_ms := ceil(extract(epoch FROM held.turn_until - clock_timestamp()) * 1000);
    RETURN json_build_object('wait', left_ms, 'now', floor(extract(epoch FROM clock_timestamp()) * 1000));
  END IF;
  answer := hap.commit(p_space, p_version, p_before, p_batch, p_now, p_keys, p_changes);
  IF answer->>'version' IS NOT NULL THEN
    IF held.turn IS NOT NULL THEN UPDATE hap.spaces SET turn=NULL, turn_until=NULL WHERE space=p_space; END IF;
  ELSIF answer->>'delta' IS NOT NULL AND p_losses >= 8 THEN
    UPDATE hap.spaces SET turn=p_node, turn_until=clock_timestamp() + interval '${TURN_MS} milliseconds' WHERE space=p_space;
  END IF;
  RETURN answer;
END $$;`;

const CALLED = [
  "fetch(text, bigint, text, json)",
  "commit(text, bigint, text, text, bigint, json, json)",
  "commit_in_turn(text, bigint, text, text, bigint, json, json, text, int)",
  "scan(text, text, bigint, text, bigint)",
  "knows(text, bigint, text, bigint, text)",
];

/** The functions run with the application's rights, whatever those of the session: a pooler shares sessions, so none sets its role. */
export const RIGHTS = `
GRANT USAGE, CREATE ON SCHEMA hap TO hap_app;
${CALLED.map(
  (name) => `REVOKE ALL ON FUNCTION hap.${name} FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hap.${name} TO hap_app;
ALTER FUNCTION hap.${name} SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION hap.${name} OWNER TO hap_app;`,
).join("\n")}
REVOKE CREATE ON SCHEMA hap FROM hap_app;`;

/** The SQL of this migration. */
export const SECOND: string = [KNOWS, FETCH_READ_ONLY, FAIR, RIGHTS].join("\n");
