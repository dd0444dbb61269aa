// The page of tools is written from the tools themselves; a test fails when it is not current (-u writes it).
import { expect, it } from "vitest";
import { askUserQuestionTool } from "../src/tools/agents/ask-user-question.ts";
import { exitPlanModeTool } from "../src/tools/agents/exit-plan-mode.ts";
import { findSkills, skillTool } from "../src/tools/agents/skill.ts";
import { GENERAL, Tasks } from "../src/tools/agents/task.ts";
import { todoWriteTool } from "../src/tools/agents/todo-write.ts";
import { lspTool } from "../src/tools/lsp/lsp.ts";
import { readLspServers } from "../src/tools/lsp/lsp-config.ts";
import { coreTools } from "../src/tools/registry.ts";
import { webFetchTool, webSearchTool } from "../src/tools/web/web-tools.ts";

type Field = {
  type?: string;
  enum?: string[];
  description?: string;
  items?: { type?: string; properties?: Record<string, Field>; required?: string[] };
};

const INTRO = `# The tools of yume-cli

Written from the tools themselves by \`packages/yume/test/documentation.test.ts\`. Names and fields are Claude's. A field that no
schema names passes through untouched. What each may do without asking stands in [yume.md](yume.md#permissions).
`;

it("[YUME-TOOLS-2] docs/yume-tools.md has every tool's schema", async () => {
  const tasks = new Tasks({ kinds: [GENERAL] } as unknown as ConstructorParameters<typeof Tasks>[0]);
  const tools = [
    ...coreTools(""),
    todoWriteTool({ set: () => {} }),
    webFetchTool([]),
    webSearchTool("http://example.org/?q={query}"),
    ...tasks.tools(),
    skillTool(findSkills([])),
    askUserQuestionTool(null),
    exitPlanModeTool(() => ({ mode: "plan" })),
    lspTool(readLspServers({ go: { command: "gopls", extensionToLanguage: { ".go": "go" } } }), { confined: false }, () => {
      throw new Error("nothing is asked here");
    }),
  ];
  const sections = tools.map(({ spec, parallel }) => {
    const { properties, required } = spec.input_schema as { properties: Record<string, Field>; required: string[] };
    const rows = Object.entries(properties).map(([name, field]) => row(name, field, required));
    const note = parallel ? "\nRuns beside others of its kind.\n" : "";
    return `## ${spec.name}\n\n${spec.description.trim()}\n${note}\n| field | type | |\n|---|---|---|\n${rows.join("\n")}\n`;
  });
  await expect(`${INTRO}\n${sections.join("\n")}`).toMatchFileSnapshot("../../../docs/yume-tools.md");
});

function row(name: string, field: Field, required: readonly string[]): string {
  const items =
    field.items?.properties === undefined
      ? ""
      : ` of {${Object.keys(field.items.properties)
          .map((one) => (field.items?.required?.includes(one) ? one : `${one}?`))
          .join(", ")}}`;
  const type = field.enum === undefined ? `${field.type}${items}` : field.enum.map((one) => `\`${one}\``).join(", ");
  return `| \`${name}\`${required.includes(name) ? "" : "?"} | ${type} | ${field.description ?? ""} |`;
}
