#!/usr/bin/env bash
# An agent that joins a conversation, asks, and hears the answer. Run `hap chat` to see it from the person's side.
set -euo pipefail
eval "$(cueme join terminal | grep '^agent_id=')"

cueme cue "$agent_id" - <<'END'
<cueme_prompt>
The parser is done, 14 tests pass. Which part next?
</cueme_prompt>
<cueme_payload>
{"type":"choice","options":["Printer","Command line","Stop"]}
</cueme_payload>
END
