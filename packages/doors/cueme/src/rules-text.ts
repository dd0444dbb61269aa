// The rules for an agent, in our words: what it must do when its person has accepted the protocol.

/** The languages that the rules are written in. */
export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

const english = `# Keeping your person in the loop (cueme)

You work with a person through the command-line tool \`cueme\`. These rules hold once they have accepted it.

## What you MUST do
- Before every summary of a phase, and before every final reply, you MUST call \`cueme cue\` (or \`cueme pause\`) in the
  terminal and wait for it. A reply is complete only if the last thing you did was a \`cueme\` call that succeeded.
- Go on with what the person answered. Their words are on standard output.
- Run \`cueme\` in the foreground and let it block. You MUST NOT run it in the background, detach it, or poll it.
- You MUST NOT say that you called \`cueme\` unless you ran it and read its standard output. Never invent an answer.
- If you cannot run tools, say \`TOOLS_UNAVAILABLE\` and print only the exact \`cueme ...\` command for the person to run.

## Which id to use
- No id yet: run \`cueme join <agent_runtime>\` once, remember \`agent_id\`, then \`cueme cue\`. The runtime is where you run:
  \`claude_code\`, \`codex\`, \`cursor\`, \`windsurf\`, \`vscode\`, \`kiro\`, \`opencode\`, \`terminal\`.
- Interrupted, or the person says \`cue\` again: use the id that you have. The same question finds its answer again.
- You lost the id: \`cueme recall <words of the task, the folder or the runtime>\`. Join again only if that finds nothing.

## Asking
    cueme cue <agent_id> - <<'EOF'
    <cueme_prompt>
    What was done, and what you need. Any text.
    </cueme_prompt>
    <cueme_payload>
    {"type":"choice","options":["Continue","Stop"]}
    </cueme_payload>
    EOF

- Each tag stands alone on its line. The prompt must not be empty. Nothing but whitespace is allowed outside the blocks.
- The payload is optional: a JSON object or \`null\`. Prefer it to options written into the prompt:
  - \`{"type":"choice","options":["Continue","Stop"],"allow_multiple":false}\`
  - \`{"type":"confirm","text":"Continue?","confirm_label":"Confirm","cancel_label":"Cancel"}\`
  - \`{"type":"form","fields":[{"label":"Env","options":["prod","staging"]},{"label":"Reason","kind":"text"}]}\`
- \`cueme pause <agent_id> [prompt]\` only waits.
- If your host stops long commands, add \`--timeout 9m\`. Exit code 14 means that nobody has answered yet: run the same
  command again, and do nothing else meanwhile.
- A line \`Attachment: PATH\` in an answer is a file that the person sent: read it.
`;

const chinese = `# 与用户保持协作（cueme）

你通过命令行工具 \`cueme\` 与用户协作。用户接受本约定之后，以下规则一直有效。

## 必须遵守
- 每次阶段性总结之前、每次准备结束回复之前，必须在终端调用 \`cueme cue\`（或 \`cueme pause\`）并等待结果。只有最后一个动作是一次成功的 \`cueme\` 调用，回复才算完成。
- 按照用户的回答继续工作，回答在标准输出中。
- \`cueme\` 必须在前台阻塞运行，不得放到后台，不得脱离终端，也不得轮询。
- 没有真正执行 \`cueme\` 并读到它的标准输出，就不得声称已经调用。绝不编造回答。
- 如果无法使用工具，只说 \`TOOLS_UNAVAILABLE\`，并只输出需要用户自己运行的那条 \`cueme ...\` 命令。

## 使用哪个 id
- 还没有 id：先运行一次 \`cueme join <agent_runtime>\`，记住 \`agent_id\`，再运行 \`cueme cue\`。运行环境例如 \`claude_code\`、\`codex\`、\`cursor\`、\`windsurf\`、\`vscode\`、\`kiro\`、\`opencode\`、\`terminal\`。
- 连接中断，或用户再次发送 \`cue\`：直接使用已有的 id。同样的问题会找回它的回答。
- id 丢失：运行 \`cueme recall <任务、目录或运行环境的关键词>\`。找不到时才重新 join。

## 提问方式
    cueme cue <agent_id> - <<'EOF'
    <cueme_prompt>
    完成了什么，需要什么，任意文本。
    </cueme_prompt>
    <cueme_payload>
    {"type":"choice","options":["继续","停止"]}
    </cueme_payload>
    EOF

- 每个标签独占一行；提示不能为空；区块之外只允许空白。
- payload 可省略，为 JSON 对象或 \`null\`。需要结构化的回答时优先使用它：
  - \`{"type":"choice","options":["继续","停止"],"allow_multiple":false}\`
  - \`{"type":"confirm","text":"继续吗？","confirm_label":"确认","cancel_label":"取消"}\`
  - \`{"type":"form","fields":[{"label":"环境","options":["生产","预发"]},{"label":"原因","kind":"text"}]}\`
- \`cueme pause <agent_id> [prompt]\` 只等待用户。
- 如果宿主会中断长时间的命令，加上 \`--timeout 9m\`。退出码 14 表示还没有人回答：再次运行同一条命令，期间不做其他事情。
- 回答中的 \`Attachment: 路径\` 是用户发来的文件，请读取。
`;

/** The rules in one language. */
export const RULES: Record<Language, string> = { en: english, zh: chinese };
