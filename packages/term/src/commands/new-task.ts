// `term new task`: a task that its own solution passes and that nothing fails to fail.
import { writeNew } from "./write-new.ts";

/** Write a task into a folder. */
export function newTask(folder: string): number {
  writeNew(folder, {
    "task.toml": `version = "1.0"

[metadata]
difficulty = "easy"
tags = ["files"]

[agent]
timeout_sec = 300

[verifier]
timeout_sec = 60

[environment]
# Programs that must be installed. With a Dockerfile in environment/ the task runs in a container instead.
requires = []
`,
    "instruction.md": "Create a file `hello.txt` in the current folder that contains exactly `Hello, world!` and a line end.\n",
    "environment/README.txt":
      "Files in this folder lie in the work folder from the beginning. setup.sh, if there is one, prepares it.\n",
    "tests/test.sh": `#!/bin/bash
# Runs in the work folder after the agent is done, and leaves a number from 0 to 1 in $LOGS_DIR/reward.txt.
trap 'echo $(( $? == 0 )) > "$LOGS_DIR/reward.txt"' EXIT
[ "$(cat hello.txt)" = "Hello, world!" ]
`,
    "solution/solve.sh": `#!/bin/bash
echo 'Hello, world!' > hello.txt
`,
  });
  process.stdout.write(`\nterm oracle ${folder}   # must pass\nterm null ${folder}     # must fail\n`);
  return 0;
}
