// Where yume-cli and the real `claude` tell the same run differently, and why. The test holds every entry against both programs;
// docs/yume-claude.md is written from them.

/** A word of theirs that is another of ours, in one scenario. */
export const DIFFERENT_FRAMES = [
  {
    scenario: "provider error",
    theirs: "result success, is_error true",
    ours: "result error_during_execution, is_error true",
    why: "A reader that looks at `subtype` alone would take the error for a success. `errors` says what happened; `result` has the same words.",
  },
] as const;

/** Numbers of a result that mean something else. */
export const DIFFERENT_VALUES = [
  {
    scenario: "many tools",
    field: "num_turns",
    why: "Ours is the number of requests to the model. Theirs also counts results that come in messages of their own.",
  },
  { scenario: "interrupt", field: "num_turns", why: "As above." },
  {
    scenario: "resume, nobody to ask",
    field: "total_cost_usd",
    why: "Ours is what this process cost. Theirs goes on from what the session had cost before.",
  },
] as const;

export type FieldDifference = { frames: readonly string[]; fields: readonly string[]; why: string };

/** Fields that only the real program has. */
export const ONLY_THEIRS: readonly FieldDifference[] = [
  {
    frames: ["answer to initialize", "system/init", "result", "result of an error"],
    fields: [
      "analytics_disabled",
      "capabilities",
      "fast_mode_disabled_reason",
      "fast_mode_state",
      "feedback_mode",
      "ide_rc_auto_enable_gate",
      "memory_paths",
      "messaging_socket_path",
      "other_hook_ask_outranks_host",
      "per_turn_effort_active",
      "product_feedback_disabled",
      "remote_control_auto_connect_default",
      "remote_control_auto_enable",
      "remote_control_auto_on_by_default",
      "remote_control_available",
      "safety_stops",
      "session_state",
      "subagent_stats",
      "terminal_slash_commands",
      "ultrathink_available",
      "ultrathink_typed_raises",
      "user_output_styles_dir",
      "view_mode",
    ],
    why: "Abilities of Claude's own application that yume-cli does not have. A host finds out by their absence.",
  },
  {
    frames: ["answer to initialize", "system/init"],
    fields: ["additional_directories", "current_permission_mode", "original_cwd", "pid"],
    why: "The host has set these itself, or has them from the process.",
  },
  {
    frames: ["stream_event", "result"],
    fields: ["first_content_frame_ms", "time_to_request_ms", "ttft_ms", "ttft_stream_ms"],
    why: "Measurements of a single request; with many providers they are compared from outside.",
  },
  {
    frames: ["stream_event"],
    fields: ["abandoned_blocks", "api_message_id", "thinking_display"],
    why: "Repeats what `message_start` and `message_stop` say.",
  },
  {
    frames: ["assistant", "user"],
    fields: ["timestamp"],
    why: "Lines are written at once: the time of reading is the time.",
  },
  {
    frames: ["assistant", "result", "result of an error"],
    fields: ["api_error_status", "api_error_type", "is_api_error_message"],
    why: "`error` has the word for it in every provider's case; status and text stand in the message.",
  },
  {
    frames: ["assistant, message"],
    fields: ["container", "context_management", "diagnostics", "stop_details"],
    why: "Fields of Anthropic's API that no other provider has.",
  },
  {
    frames: ["user"],
    fields: ["tool_result_meta", "tool_use_result"],
    why: "What the tool said stands in `content`. The structured copy follows the insides of Claude's own tools.",
  },
  {
    frames: ["can_use_tool, request"],
    fields: ["server_policy_ask_only"],
    why: "A policy of Anthropic's service.",
  },
  {
    frames: ["result", "result of an error"],
    fields: ["model_usage_since_last_result", "queued_turn_count", "result_index", "terminal_reason"],
    why: "Follows from the results before, and from `subtype` and `errors`.",
  },
  {
    frames: ["result, usage"],
    fields: ["fallback_credit", "inference_geo", "iterations", "output_tokens_details", "speed"],
    why: "Terms of Anthropic's service.",
  },
  {
    frames: ["result, modelUsage"],
    fields: [
      "cacheCreationEphemeral1hInputTokens",
      "cacheCreationEphemeral5mInputTokens",
      "canonicalModel",
      "costBasis",
      "provider",
      "thinkingTokens",
    ],
    why: "Optional for clients; only Anthropic tells them.",
  },
];

/** Fields that only yume-cli has. */
export const ONLY_OURS: readonly FieldDifference[] = [
  { frames: ["answer to initialize"], fields: ["hooks_applied"], why: "Clients of another generation ask for it." },
  {
    frames: ["can_use_tool, request", "system/permission_denied"],
    fields: ["decision_reason"],
    why: "Optional for clients; says which mode, rule or person is the reason.",
  },
];
