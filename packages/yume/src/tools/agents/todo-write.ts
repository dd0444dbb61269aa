// TodoWrite: the model's own list of what is to do, kept with the session.
import { schema, type Tool, text } from "../tool.ts";

export type Todos = { set: (todos: unknown[]) => void };

export function todoWriteTool(todos: Todos): Tool {
  return {
    parallel: false,
    spec: {
      name: "TodoWrite",
      description:
        "Keeps the list of tasks of a longer piece of work: give the whole list each time. One task at a time is in_progress.",
      input_schema: schema(
        {
          todos: {
            type: "array",
            items: schema(
              {
                content: { type: "string", description: "What is to do" },
                status: { type: "string", enum: ["pending", "in_progress", "completed"] },
                activeForm: { type: "string", description: "The same, while it is being done" },
              },
              ["content", "status"],
            ),
          },
        },
        ["todos"],
      ),
    },
    classify: () => ({ callClass: "own", subject: { tool: "TodoWrite" }, summary: "Change the list of tasks" }),
    async run(input) {
      const list = input.todos as { status: string }[];
      todos.set(list);
      const count = (status: string) => list.filter((todo) => todo.status === status).length;
      return text(
        `The list has ${list.length} tasks: ${count("completed")} completed, ${count("in_progress")} in progress, ${count("pending")} pending.`,
      );
    },
  };
}
