// All tools of a run: those that are always there, those that a setting or a folder brings, and those of MCP servers.
import { join } from "node:path";
import type { Options } from "../argv/options.ts";
import type { Toolbox } from "../loop/kit.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../settings/settings.ts";
import { findSkills, type SkillFolder, skillTool } from "../tools/agents/skill.ts";
import { GENERAL, readAgentKinds, Tasks, type TaskWorld } from "../tools/agents/task.ts";
import { todoWriteTool } from "../tools/agents/todo-write.ts";
import { chooseTools, coreTools } from "../tools/registry.ts";
import type { Tool } from "../tools/tool.ts";
import { webFetchTool, webSearchTool } from "../tools/web/web-tools.ts";

export type ToolboxInput = {
  options: Options;
  settings: Settings;
  session: Session;
  env: NodeJS.ProcessEnv;
  cwd: string;
  home: string;
  outputs: string;
  /** Where Claude Code keeps skills. */
  skillFolders: string[];
  /** Tools that programs or servers of this run bring. */
  broughtTools: readonly Tool[];
  agents: Record<string, unknown>;
  tasks: Omit<TaskWorld, "kinds" | "toolbox">;
};

export type MadeToolbox = {
  toolbox: Toolbox;
  tasks: Tasks;
  skills: SkillFolder[];
  agents: string[];
  /** Take the tools of MCP servers anew. */
  refresh: (serverTools: readonly Tool[]) => void;
};

/** Make them. What was not asked for, or is forbidden whole, is not there. */
export function makeToolbox(input: ToolboxInput): MadeToolbox {
  const { options, settings, session, env, cwd, home } = input;
  const kinds = [GENERAL, ...readAgentKinds({ ...options.agents, ...input.agents })];
  const skills = findSkills([...input.skillFolders, join(cwd, ".yume", "skills"), join(home, ".yume", "skills")]);
  const searchUrl = settings.webSearchUrl ?? env.YUME_SEARCH_URL;
  const tasks = new Tasks({ ...input.tasks, kinds, toolbox: () => toolbox });
  const keepTodos = (todos: unknown[]) => {
    session.todos = todos;
  };
  const all: Tool[] = [
    ...coreTools(input.outputs),
    todoWriteTool({ set: keepTodos }),
    webFetchTool(settings.webFetchHosts),
    ...(searchUrl ? [webSearchTool(searchUrl)] : []),
    ...tasks.tools(),
    ...(skills.length > 0 ? [skillTool(skills)] : []),
    ...input.broughtTools,
  ];
  const denied = [...options.denyRules, ...settings.deny.map(({ text }) => text)];
  const toolbox = chooseTools(all, options.tools, denied);
  const refresh = (serverTools: readonly Tool[]) => {
    for (const name of [...toolbox.keys()].filter((one) => one.startsWith("mcp__"))) toolbox.delete(name);
    const offered = serverTools.filter(({ spec }) => spec.name !== options.promptTool);
    for (const [name, tool] of chooseTools(offered, options.tools, denied)) toolbox.set(name, tool);
  };
  return { toolbox, tasks, skills, agents: kinds.map(({ name }) => name), refresh };
}
