#!/usr/bin/env python3
"""Follows a script, the file given as the first argument: one command, or several with a line `---` between them."""

import sys
from pathlib import Path
from typing import List

from term_sdk import Agent, Request, Response, log, run


class ScriptedAgent(Agent):
    def __init__(self, script: Path) -> None:
        self.script = script
        self.commands: List[str] = []

    def setup(self) -> None:
        self.commands = self.script.read_text("utf-8").split("\n---\n")

    def solve(self, req: Request) -> Response:
        if req.failed:
            log("failed:", req.last_command, req.output)
            raise RuntimeError(f"{req.last_command!r} ended with {req.exit_code}")
        return Response.cmd(self.commands.pop(0)) if self.commands else Response.done("script finished")


if __name__ == "__main__":
    run(ScriptedAgent(Path(sys.argv[1])))
