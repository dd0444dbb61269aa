// ExitPlanMode: the plan goes to whoever decides; with a yes the run may change things.
import type { PermissionMode } from "../../permissions/mode.ts";
import { schema, type Tool, text } from "../tool.ts";

/** The tool over the gate's mode. */
export function exitPlanModeTool(gate: () => { mode: PermissionMode }): Tool {
  return {
    parallel: false,
    spec: {
      name: "ExitPlanMode",
      description: "In plan mode: presents the finished plan to the user. With their yes you may carry it out.",
      input_schema: schema({ plan: { type: "string", description: "The plan, in Markdown" } }, ["plan"]),
    },
    classify: (input) => ({
      callClass: "own",
      subject: { tool: "ExitPlanMode" },
      summary: `Carry out the plan: ${String(input.plan).slice(0, 160)}`,
      ...(gate().mode === "plan" ? { mustAsk: true } : {}),
    }),
    async run() {
      // The host may have chosen another mode with its yes.
      if (gate().mode === "plan") gate().mode = "default";
      return text("The user agreed to the plan. Carry it out now; what needs permission is still asked.");
    },
  };
}
