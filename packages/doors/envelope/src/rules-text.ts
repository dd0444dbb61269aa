// The rules for agents that ask by envelopes, in our words.

/** What `hap bridge protocol` prints. */
export const BRIDGE_RULES = `# Asking a person by envelope (human.question)

When you need the person you work for, print one JSON envelope and wait for the reply on your standard input. There is no
other way to ask: a sentence such as "waiting for input" reaches nobody.

{"protocol":"questfoundry/1.0.0","id":"msg-20251112-093000-sr123","time":"2025-11-12T09:30:00Z","sender":"SR",
 "receiver":"human","intent":"human.question","context":{"tu_id":"TU-20251112-SR01"},
 "safety":{"player_safe":false,"sot":"hot"},
 "payload":{"type":"question","data":{"question_text":"Which did you mean?","options":[
   {"key":"A","label":"Build a new part of the world"},{"key":"B","label":"Deepen an idea that is there"}],"default":"B"}}}

## When
- Something is unclear and you cannot go on without knowing.
- The ways part, and each changes scope or style.
- Only the person can know the fact.

## How
- One question an envelope, with a new \`id\`. The same id with the same content is the same question.
- Say in a few words what changed and what is needed, then offer two to four options; \`[]\` or none for an open question.
- Let the person answer in words of their own: they always can. Name a safe \`default\`; it is preselected, never sent for them.
- \`timeout_seconds\` says how long you wait. When it is over you get an error, not an answer.

## The reply
One line of JSON with \`intent\` \`human.response\` and \`reply_to\` your question's id. \`payload.data\` holds \`choice\` (the key of
the option), \`answer\` (its label, or the person's words) and perhaps \`notes\`. If \`choice\` is there, it counts. Use the answer at
once. A line with \`intent\` \`error\` says in \`payload.data.code\` why there is none: invalid_envelope, duplicate_id, timeout,
declined, refused.
`;
