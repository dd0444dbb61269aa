// What `yume-cli --help` prints.
import { providerNames } from "../providers/index.ts";

export const HELP = `yume-cli: an agent loop over any model, in the messages of Claude's stream-json

  yume-cli start --provider openai --model M --prompt "fix the failing test"
  yume-cli --provider gemini --resume S --prompt "and now the docs"
  yume-cli start --provider ollama --session-id S        reads control frames from standard input
  yume-cli -p "explain this file" < file                 Claude's flags and messages
  yume-cli acp                                           an agent for editors that speak ACP
  yume-cli term-agent                                    an agent for the term harness
  yume-cli auth status                                   show the provider and whether it has a key
  yume-cli auth login --provider NAME                    sign in, or see where a key comes from
  yume-cli doctor                                        check whether a run could start here, and what guards it
  yume-cli mcp list                                      list the MCP servers of this folder

Model
  -P, --provider NAME      ${providerNames.join(", ")} (or YUME_PROVIDER)
  -m, --model NAME         (or YUME_MODEL)    --fallback-model NAME
      --api-base URL       any compatible endpoint    --wire chat|responses
      --retry-seconds N    how long overload, rate limits and outages are retried (600; 0 for three tries)
Conversation
      --prompt TEXT        or standard input; -p with --provider or start
  -d, --cwd FOLDER         --add-dir FOLDER for more
  -s, --session-id ID      -r, --resume ID    --continue    --fork-session    --history-file FILE
      --no-session-persistence
      --system-prompt TEXT --append-system-prompt TEXT    --json-schema SCHEMA
Limits
      --max-turns N        --max-seconds N    --max-budget-usd N    --max-thinking-tokens N
      --effort low|medium|high|xhigh|max    --thinking adaptive|enabled|disabled
Permissions
      --permission-mode    default, interactive, acceptEdits, plan, auto, deny, dontAsk, bypassPermissions
      --allowedTools RULES --disallowedTools RULES    --tools NAMES
      --permission-prompt-tool stdio|mcp__SERVER__TOOL    who is asked
      --approvals hap      what needs a person becomes a ticket in the HAP inbox
      --sandbox none|auto|bwrap|landlock   commands in bubblewrap, or under Landlock
      --settings JSON|FILE --mcp-config JSON|FILE
Output
      --output-format      stream-json, json, text
      --protocol-version   yume (flat messages) or claude (nested ones)
      --include-partial-messages    --verbose    --version
`;
