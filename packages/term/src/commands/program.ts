// The command line of `term`: flags and help, nothing else.
import { Command, InvalidArgumentError } from "commander";
import { type RunFlags, runCommand } from "./run.ts";

/** Build the program. `exit` is called with the exit code of what ran. */
export function makeProgram(exit: (code: number) => void): Command {
  const program = new Command("term");
  program
    .description("Run terminal agents against a real terminal, step by step, and judge what they did.")
    .version("0.2.0")
    .showHelpAfterError("(term --help shows what is possible)")
    .addHelpText(
      "after",
      "\nExit codes: 0 passed, 1 failed, 2 wrong usage, 3 an agent crashed or answered nonsense, 4 out of time or steps,\n" +
        "5 not supported here, 6 the harness or its environment failed, 130 interrupted.",
    );

  runFlags(program.command("run").description("run an agent on tasks, or on one instruction"))
    .option("--agent <command>", "the agent: a command line that reads a JSON line and writes a JSON line")
    .option("--instruction <text>", "what to do, without a task")
    .option("--task <folder>", "a task, or a folder of tasks; may be given several times", collect)
    .option("--cwd <folder>", "with --instruction: where commands begin (default: this folder)")
    .option("--gate <rule>", "commands that wait for a person: critical, notable, or risk>=0.5")
    .option("--to <person>", "with --gate: who is asked, such as human:alex")
    .option("--gate-ttl <seconds>", "with --gate: how long a ticket waits before it counts as a no (default 3600)", positive)
    .option("--resume <run>", "continue an interrupted run; other flags are taken from it")
    .action(async (flags: RunFlags) => exit(await runCommand(flags, null)));

  for (const builtin of ["oracle", "null"] as const)
    runFlags(
      program
        .command(`${builtin} [tasks...]`)
        .description(builtin === "oracle" ? "run the tasks' own solutions; all must pass" : "do nothing; no task may pass"),
    ).action(async (tasks: string[], flags: RunFlags) =>
      exit(await runCommand(tasks.length > 0 ? { ...flags, task: tasks } : flags, builtin)),
    );

  program
    .command("replay <run>")
    .description("play the recording of a run or of one trial")
    .option("--trial <name>", "which trial (default: the only or first one)")
    .option("--speed <factor>", "how much faster than it was", positive, 1)
    .option("--idle <seconds>", "the longest pause", positive, 2)
    .option("--steps", "print the steps instead of playing the terminal")
    .action(async (run: string, flags) => {
      const { replayCommand } = await import("./replay.ts");
      exit(await replayCommand(run, flags));
    });

  program
    .command("report <runs...>")
    .description("pass rates with confidence intervals, time and steps")
    .option("--html <file>", "write a page with every trajectory and recording")
    .option("--json", "print the figures as JSON")
    .action(async (runs: string[], flags) => {
      const { reportCommand } = await import("./report.ts");
      exit(await reportCommand(runs, flags));
    });

  const make = program.command("new").description("start something of your own");
  make
    .command("agent [folder]")
    .description("an agent that runs as it is")
    .requiredOption("--lang <language>", "python, typescript or rust")
    .action(async (folder: string | undefined, flags: { lang: string }) => {
      const { newAgent } = await import("./new-agent.ts");
      exit(newAgent(flags.lang, folder));
    });
  make
    .command("task [folder]")
    .description("a task with tests and a solution (default: my-task)")
    .action(async (folder = "my-task") => {
      const { newTask } = await import("./new-task.ts");
      exit(newTask(folder));
    });
  return program;
}

function runFlags(command: Command): Command {
  return command
    .option("--trials <number>", "how often each task is run (default 1)", whole)
    .option("--jobs <number>", "how many at a time (default 1)", whole)
    .option("--sandbox <kind>", "auto (default), bwrap, userns, docker, podman, or none: commands run unprotected as you")
    .option("--image <name>", "with --sandbox docker or podman: the image for tasks without one; it needs bash")
    .option("--network", "let commands use the network")
    .option("--timeout <seconds>", "the agent's whole time (default: the task's, else 3600)", positive)
    .option("--response-timeout <seconds>", "for one response (default 300)", positive)
    .option("--command-timeout <seconds>", "for one command (default 120)", positive)
    .option("--max-steps <number>", "steps before the run ends (default 500)", whole)
    .option("--output-limit <bytes>", "of one command's output; the middle goes (default 10000)", whole)
    .option(
      "--price <in/out>",
      "dollars for a million tokens, such as 3/15 or 3/15/0.3 (cached), where the agent reports no cost",
    )
    .option("--out <folder>", "where the run's files go (default term-runs/…)")
    .option("--json", "print the results as JSON")
    .option("--quiet", "no progress");
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function positive(value: string): number {
  const number = Number(value);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError("expected a number above 0");
  return number;
}

function whole(value: string): number {
  if (!Number.isInteger(positive(value))) throw new InvalidArgumentError("expected a whole number");
  return Number(value);
}
