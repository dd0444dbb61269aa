// The two examples of a question: that of the plain dialect, and one of the normative dialect.

/** The plain dialect. */
export const plain = {
  protocol: "questfoundry/1.0.0",
  id: "msg-20251112-093000-sr123",
  time: "2025-11-12T09:30:00Z",
  sender: "SR",
  receiver: "human",
  intent: "human.question",
  context: { tu_id: "TU-20251112-SR01" },
  safety: { player_safe: false, sot: "hot" },
  payload: {
    type: "question",
    data: {
      question_text: "I see you want to work on 'worldbuilding.' Which did you mean?",
      options: [
        { key: "A", label: "Proactively build a new part of the world (World Genesis)" },
        { key: "B", label: "Fleshen out an existing idea (Lore Deepening)" },
      ],
    },
  },
};

/** The normative dialect. */
export const normative = {
  protocol: { name: "qf-protocol", version: "1.0.0" },
  id: "urn:uuid:550e8400-e29b-41d4-a716-446655440000",
  time: "2025-11-07T10:15:00+01:00",
  sender: { role: "PW", agent: "human:writer" },
  receiver: { role: "SR" },
  intent: "human.question",
  correlation_id: "corr-20251107-1",
  context: { hot_cold: "hot", tu: "TU-2025-11-07-PW01", loop: "Story Spark" },
  safety: { player_safe: false, spoilers: "allowed" },
  payload: {
    type: "none",
    data: {
      question: "What tone should the opening have?",
      context: "Three drafts are there.",
      suggestions: ["Gritty", "Hopeful"],
    },
  },
  refs: [],
};

/** A copy with a change deep inside. */
export function changed<T extends object>(example: T, change: (copy: Record<string, unknown> & T) => void): T {
  const copy = structuredClone(example) as Record<string, unknown> & T;
  change(copy);
  return copy;
}
