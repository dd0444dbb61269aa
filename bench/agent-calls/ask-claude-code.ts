// The same calls put to the real Claude Code, without any hook of ours: which of them it asks its own person about. Only the model is a
// script. Nothing that it lets through does harm: it runs in a throw-away project, in a process namespace of its own, and finds stand-ins
// in the place of every program that does more than read.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "../../packages/doors/hook/test/world.ts";
import { claudeHeard, startClaude } from "../../test/support/claude-code.ts";
import { drive, type Step } from "../../test/support/scripted-host.ts";
import { type HostCall, makeProject, type Project } from "./make-project.ts";
import { isShell, readCalls, readSources, type StoredCall } from "./read-calls.ts";

/** `default`: Claude Code as it is installed. `sandbox`: its own sandbox, which lets commands run that stay inside. */
export type ClaudeMode = "default" | "sandbox";
export type Asked = { stored: StoredCall; asked: boolean };

/** Tools that this version does not have or that start another model are not put to it. */
const NOT_DRIVEN = ["AskUserQuestion", "ExitPlanMode", "LS", "MultiEdit", "Task", "TaskCreate", "TaskUpdate", "TodoWrite"];
/** Read-only programs, git (the repository is a throw-away one), and what Claude Code's own sandbox needs. */
const REAL = "bash sh env ls cat head tail grep sort uniq wc find tr sed du nproc which basename git bwrap socat rg".split(" ");
/** What Claude Code says of a call that it did not come to judge. */
const NOT_JUDGED = /InputValidationError|No such tool available|has not been read yet|tool_use_error/;

/** Ask about every call of every trajectory. Calls that it did not judge are left out. */
export async function askClaudeCode(folder: string, mode: ClaudeMode): Promise<Asked[]> {
  const calls = readCalls().filter(({ tool }) => !NOT_DRIVEN.includes(tool));
  const answers: Asked[] = [];
  for (const [key, { language }] of Object.entries(readSources())) {
    const own = join(folder, `${mode}-${key}`);
    mkdirSync(own);
    const project = makeProject(
      own,
      language,
      calls.filter(({ source }) => source === key),
    );
    if (project.calls.length > 0) answers.push(...(await askAbout(project, mode)));
  }
  return answers;
}

/** Ask about shell commands in a project that is there already. */
export async function askAboutCommands(
  place: { root: string; home: string },
  mode: ClaudeMode,
  commands: readonly string[],
): Promise<Asked[]> {
  const calls = commands.map((command) => {
    const tool = { name: "Bash", input: { command } };
    return { stored: { source: "", tool: tool.name, input: tool.input, heldOut: false }, tool };
  });
  return askAbout({ ...place, calls }, mode);
}

async function askAbout(project: Project, mode: ClaudeMode): Promise<Asked[]> {
  const path = standIns(project);
  const settings = mode === "sandbox" ? { sandbox: { enabled: true, autoAllowBashIfSandboxed: true } } : {};
  mkdirSync(join(project.root, ".claude"), { recursive: true });
  writeFileSync(join(project.root, ".claude", "settings.json"), JSON.stringify(settings));
  const asked = new Set<number>();
  let current = 0;
  const steps: Step[] = project.calls.flatMap((call, index) => [
    ...readFirst(call),
    {
      ...toStep(call),
      before: () => {
        current = index;
      },
    },
  ]);
  const dialog = () => {
    asked.add(current);
    return { behavior: "deny", message: "no" };
  };
  const world = { project: project.root, home: project.home } as World;
  const { heard } = await drive(world, steps, {
    start: (model) => startClaude(world, model, dialog, (command) => ["unshare", alone([...command], path)]),
    lastWords: claudeHeard,
  });
  const results = steps.flatMap((step, at) => (step.before === undefined ? [] : [resultOf(heard[at] ?? "[]", at)]));
  return project.calls.flatMap(({ stored }, index) =>
    asked.has(index) || !NOT_JUDGED.test(results[index] ?? "") ? [{ stored, asked: asked.has(index) }] : [],
  );
}

type Block = { tool_use_id?: string };

/** The result of one step. Claude Code sends those of several calls in one message; the script numbers its calls from 1. */
function resultOf(heard: string, step: number): string {
  const messages: { content: Block[] | string }[] = JSON.parse(heard);
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  return JSON.stringify(blocks.find((block) => block.tool_use_id === `call_${step + 1}`) ?? null);
}

/** In a process namespace of its own, with the stand-ins before everything else. */
function alone(command: string[], path: string): string[] {
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  return [...user, "--pid", "--fork", "--kill-child", "--mount-proc", "env", `PATH=${path}`, "SHELL=/bin/bash", ...command];
}

/** Claude Code edits only what was read before. */
function readFirst({ tool }: HostCall): Step[] {
  return tool.name === "Edit" || tool.name === "Write" ? [{ tool: "Read", input: { file_path: tool.input.file_path } }] : [];
}

function toStep({ tool }: HostCall): Step {
  return { tool: tool.name, input: tool.name === "Bash" ? { ...tool.input, description: "Run it" } : tool.input };
}

/** A folder with every program that the commands name; those that change something do nothing. */
function standIns({ root, home, calls }: Project): string {
  const folder = join(root, "..", "programs");
  mkdirSync(folder);
  const words = calls.flatMap(({ stored, tool }) => (isShell(stored) ? String(tool.input.command).split(/[\s;|&()"']+/) : []));
  const names = new Set([...REAL, ...words.filter((word) => /^[a-z][\w+.-]*$/.test(word))]);
  for (const name of names) symlinkSync(REAL.includes(name) ? realProgram(name) : "/bin/true", join(folder, name));
  // Claude Code takes the PATH of a login shell.
  for (const start of [".bashrc", ".bash_profile", ".profile"]) writeFileSync(join(home, start), `export PATH='${folder}'\n`);
  return folder;
}

function realProgram(name: string): string {
  return name === "bash" || name === "sh" ? `/bin/${name}` : `/usr/bin/${name}`;
}
