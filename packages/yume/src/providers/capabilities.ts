// What a model can take, by its name. An unknown model gets a modest window, so that nothing is sent that it would refuse.
import type { ModelCapabilities } from "../model/types.ts";

type Row = [pattern: RegExp, window: number, output: number, images: boolean];

/** The first row that fits counts. */
const rows: readonly Row[] = [
  [/^claude-3-7/, 200_000, 64_000, true],
  [/^claude-3/, 200_000, 8_192, true],
  [/^claude-opus-4(-[01])?(-20|$)/, 200_000, 32_000, true],
  [/^claude-(haiku-4|(sonnet|opus)-4(-[0-5])?(-20|$))/, 200_000, 64_000, true],
  [/^claude-/, 1_000_000, 128_000, true],
  [/^gpt-4\.1/, 1_047_576, 32_768, true],
  [/^(gpt-4o|chatgpt-4o)/, 128_000, 16_384, true],
  [/^gpt-oss/, 131_072, 32_768, false],
  [/^gpt-5(\.[0-3])?(-|$)/, 400_000, 128_000, true],
  [/^gpt-/, 1_000_000, 128_000, true],
  [/^(o[1-9]|codex)/, 200_000, 100_000, true],
  [/^gemini-/, 1_048_576, 65_536, true],
  [/llava|vision|-vl|gemma-?3|gemma-?4|llama-?4|pixtral|minicpm-v/, 32_768, 8_192, true],
  [/^(qwen|llama|mistral|devstral|deepseek|glm|kimi|phi|gemma|granite)/, 32_768, 8_192, false],
];

/** Nothing says that it cannot see: a refusal will. */
const unknownModel: ModelCapabilities = { context_window: 128_000, max_output_tokens: 8_192, tools: true, images: true };

/** A model's capabilities; a vendor before the name (`anthropic/claude-...`, `models/gemini-...`) does not matter. */
export function capabilitiesOf(model: string): ModelCapabilities {
  const name = bareModelName(model);
  const row = rows.find(([pattern]) => pattern.test(name));
  if (row === undefined) return unknownModel;
  const [, context_window, max_output_tokens, images] = row;
  return { context_window, max_output_tokens, tools: true, images };
}

/** True for OpenAI's models that think and can be told how hard. */
export function canReason(model: string): boolean {
  return /^(o[1-9]|gpt-([5-9]|[1-9][0-9])|gpt-oss|codex)/.test(bareModelName(model)) && !/-chat/.test(model);
}

/** Without the vendor that gateways and Google put before the name, in lower case. */
export function bareModelName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}
