// Database clients: the statements that stand in the command are read for words that destroy; statements from elsewhere are unseen.

import { isProduction } from "../grammar/production-words.ts";
import { readOptions } from "../grammar/read-options.ts";
import type { Call } from "../grammar/scan.ts";
import { readPath } from "../grammar/touch-path.ts";
import { show } from "../show.ts";
import type { Handler } from "./handler.ts";

const CLIENTS = [
  "psql",
  "mysql",
  "mariadb",
  "sqlite3",
  "sqlite",
  "mongosh",
  "mongo",
  "clickhouse-client",
  "cqlsh",
  "sqlcmd",
  "duckdb",
  "bq",
  "snowsql",
  "usql",
  "pgcli",
  "mycli",
  "influx",
  "cockroach",
];
const DESTROYS =
  /\b(?:drop\s+(?:table|database|schema|view|index|user|role|column|collection|keyspace)|truncate\b|flushall|flushdb|dropdatabase|\.drop\s*\(|deletemany\s*\(\s*\{\s*\}|alter\s+table\s+\S+\s+drop)/i;
const UNBOUND = /\b(?:delete\s+from|update\s+\S+\s+set)\b(?![^;]*\bwhere\b)/i;
const LONGEST = 16_384;
const RUNS = /\\!|\bcopy\b[^;]*\bprogram\b|^\s*\.(?:shell|system)\b|\bsystem\s+\S|\bxp_cmdshell|load_extension|into\s+outfile/im;

function noteStatements({ scan, program }: Call, text: string): void {
  if (text.length > LONGEST) scan.note("opaque", `${program} is given more statements than are read here`);
  // Comments can stand between the words of a statement.
  const bare = text
    .slice(0, LONGEST)
    .replace(/\/\*.*?\*\//gs, " ")
    .replace(/--[^\n]*/g, " ");
  if (DESTROYS.test(bare)) scan.note("destroy_data", `${program} destroys data: ${show(text)}`);
  if (UNBOUND.test(bare)) scan.note("destroy_data", `${program} changes every row: ${show(text)}`);
  if (RUNS.test(bare)) scan.note("opaque", `${program} runs a program of the machine: ${show(text)}`);
}

const handleClient: Handler = (call: Call) => {
  const { scan, program, args, stdin } = call;
  const options = readOptions(args, "c:e:f:h:p:U:d:", [
    "command=",
    "execute=",
    "eval=",
    "file=",
    "host=",
    "user=",
    "password=",
    "query=",
  ]);
  for (const arg of args) noteStatements(call, arg.text);
  for (const file of options.values("f", "file")) {
    scan.note("unseen_interpreter", `${program} runs the statements of ${show(file.raw)}`);
    readPath(scan, file, program);
  }
  if (args.some((arg) => arg.certainty === "dynamic" && /\$\(|`/.test(arg.raw)))
    scan.note("unseen_interpreter", `${program} runs statements only known at run time`);
  if (stdin.kind === "pipe" || stdin.kind === "file")
    scan.note("unseen_interpreter", `${program} runs statements that are not shown`);
  if (stdin.kind === "text") noteStatements(call, stdin.text.text);
  const place = args.find((arg) => isProduction(arg.text));
  if (place !== undefined) scan.note("production", `${program} reaches ${show(place.raw)}`);
  scan.note("unknown", `${program} works on a database`);
};

/** Database clients. */
export const DATABASE_HANDLERS: readonly (readonly [string, Handler])[] = CLIENTS.map((name) => [name, handleClient] as const);
