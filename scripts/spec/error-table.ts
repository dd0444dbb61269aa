// spec/errors.md, from the one table of errors.
import { ERROR_KINDS, ERRORS } from "@hap/protocol";

const row = (...cells: (string | number)[]) => `| ${cells.join(" | ")} |`;

/** The page, whole. */
export function errorTable(): string {
  const kinds = Object.entries(ERROR_KINDS).map(([kind, { exit, meaning }]) => row(`\`${kind}\``, exit, meaning));
  const errors = Object.entries(ERRORS).map(([code, { kind, status, title }]) =>
    row(`\`${code}\``, kind, status, ERROR_KINDS[kind].exit, title),
  );
  return `# Errors

This page is generated from the table in \`packages/protocol/src/errors.ts\`; run \`npm run spec\` after changing it.
Licensed under CC BY 4.0.

An error carries a \`code\`, which callers match on, a \`title\`, a \`message\` for people and \`fields\` for programs. The
message says what was expected, what came and what to do next; its words may change, its code does not. On the wire:

\`\`\`json
{
  "code": "invalid_input",
  "title": "A field has a value that is not allowed",
  "message": "The ticket cannot be taken: risk: must be a number from 0 to 1 (got 9).",
  "fields": { "field": "risk" }
}
\`\`\`

Over HTTP the same object is a problem document (RFC 9457) with \`type\` \`https://hap-protocol.org/errors/CODE\`, \`title\`,
\`status\`, \`detail\` (the message), \`code\` and \`fields\`.

"Rejected" and "expired" are results of a ticket and never errors.

## Kinds

The kind says how a caller reacts. It sets the exit code of a command.

${row("Kind", "Exit code", "Meaning")}
${row("---", "---", "---")}
${kinds.join("\n")}

## Codes

${row("Code", "Kind", "HTTP status", "Exit code", "Title")}
${row("---", "---", "---", "---", "---")}
${errors.join("\n")}

The titles of \`artifact_mismatch\`, \`intent_expired\` and \`nonce_used\` are the words of the 0.1 draft; the message of a
refused decision begins with its title.
`;
}
