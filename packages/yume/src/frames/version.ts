// The version that Claude's clients are told: they want 2.0.0 or newer in form.
export const CLAUDE_VERSION = "2.1.0";
