// Skill: folders with a SKILL.md, of the project and of the user. A skill is words for the model; it runs nothing by itself.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readFrontMatter } from "../../settings/front-matter.ts";
import { schema, type Tool, ToolError, text } from "../tool.ts";

export type SkillFolder = { name: string; description: string; folder: string };

/** The skills of these places; the first of a name wins. */
export function findSkills(places: readonly string[]): SkillFolder[] {
  const found = new Map<string, SkillFolder>();
  for (const place of places) {
    for (const entry of names(place)) {
      const folder = join(place, entry);
      const content = read(join(folder, "SKILL.md"));
      if (content === null) continue;
      const { field } = readFrontMatter(content);
      const name = field("name") || entry;
      if (!found.has(name)) found.set(name, { name, description: (field("description") ?? "").slice(0, 500), folder });
    }
  }
  return [...found.values()];
}

/** The tool over skills that there are. */
export function skillTool(skills: readonly SkillFolder[]): Tool {
  const list = skills.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
  return {
    parallel: true,
    spec: {
      name: "Skill",
      description: `Gives the instructions of a skill, to be followed for the task at hand. There are:\n${list}`,
      input_schema: schema(
        {
          skill: { type: "string", description: "The skill's name" },
          args: { type: "string", description: "What it should be applied to" },
        },
        ["skill"],
      ),
    },
    classify: (input) => ({
      callClass: "own",
      subject: { tool: "Skill", word: String(input.skill) },
      summary: `Use the skill ${String(input.skill)}`,
    }),
    async run(input) {
      const wanted = String(input.skill).replace(/^\//, "");
      const skill = skills.find(({ name }) => name === wanted);
      const content = skill === undefined ? null : read(join(skill.folder, "SKILL.md"));
      if (skill === undefined || content === null)
        throw new ToolError(`There is no skill ${wanted}. There are: ${skills.map(({ name }) => name).join(", ")}.`);
      const args = typeof input.args === "string" && input.args !== "" ? `\n\nTo be applied to: ${input.args}` : "";
      return text(`Skill ${skill.name}, in ${skill.folder}:\n\n${readFrontMatter(content).body}${args}`);
    },
  };
}

function names(place: string): string[] {
  try {
    return readdirSync(place).sort();
  } catch {
    return [];
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
