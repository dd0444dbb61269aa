// hap.scan: pages of the whole log, its tickets and its texts, for verification, copies and counts. Rows are lists of their columns.
import { TABLES, type TableShape } from "../tables.ts";

const table = (name: string) => TABLES.find((one) => one.name === name) as TableShape;
const lists = (name: string) =>
  table(name)
    .columns.map((column) => (column.type === "bytes" ? `encode(t."${column.name}", 'hex')` : `t."${column.name}"`))
    .join(", ");
const page = (name: string, where: string, order: string) => `
    RETURN (SELECT coalesce(json_agg(r.row ORDER BY r.place), '[]'::json) FROM (
      SELECT json_build_array(${lists(name)}) AS row, row_number() OVER (ORDER BY ${order}) AS place FROM hap."${name}" t
      WHERE t.space=p_space AND ${where} ORDER BY ${order} LIMIT p_limit) r);`;

/** The function that scans. `p_after` and `p_digest` say where the last page ended. */
export const SCAN = `
CREATE FUNCTION hap.scan(p_space text, p_what text, p_after bigint, p_digest text, p_limit bigint) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM set_config('hap.space', p_space, true);
  IF p_what = 'events' THEN ${page("events", "t.seq>p_after", "t.seq")}
  ELSIF p_what = 'tickets' THEN ${page("tickets", "t.seq>p_after", "t.seq")}
  ELSIF p_what = 'contents' THEN ${page("contents", "(t.ticket_seq, t.digest)>(p_after, decode(p_digest, 'hex'))", "t.ticket_seq, t.digest")}
  ELSIF p_what = 'anchors' THEN ${page("anchors", "t.ticket_seq>p_after", "t.ticket_seq")}
  ELSIF p_what = 'idempotency' THEN ${page("idempotency", "(t.seq, t.owner || chr(1) || t.key)>(p_after, p_digest)", "t.seq, t.owner || chr(1) || t.key")}
  ELSIF p_what = 'used_nonces' THEN ${page("used_nonces", "t.nonce>p_digest", "t.nonce")}
  ELSIF p_what = 'messages' THEN ${page("messages", "t.id>p_digest", "t.id")}
  ELSIF p_what = 'counts' THEN
    RETURN json_build_object(
      'tickets', (SELECT count(*) FROM hap.tickets WHERE space=p_space),
      'contents', (SELECT count(*) FROM hap.contents WHERE space=p_space),
      'used_nonces', (SELECT count(*) FROM hap.used_nonces WHERE space=p_space),
      'messages', (SELECT count(*) FROM hap.messages WHERE space=p_space));
  ELSIF p_what = 'has_acted' THEN
    RETURN to_json(EXISTS (SELECT 1 FROM hap.events WHERE space=p_space AND (
      (position('"from":"' || p_digest || '"' IN payload)>0 AND payload::json->>'type' NOT IN ('ticket.escalate', 'intent.invalid'))
      OR (position('"person":"' || p_digest || '"' IN payload)>0 AND payload::json->>'type'='session.begin'))));
  END IF;
  RAISE EXCEPTION 'hap.scan knows no %', p_what;
END $$;
REVOKE ALL ON FUNCTION hap.scan FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hap.scan TO hap_app;`;
