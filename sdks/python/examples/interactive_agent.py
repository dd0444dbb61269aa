#!/usr/bin/env python3
"""An agent that talks to an interactive program: it starts one, waits until the screen shows its prompt, and answers it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from term_sdk import Agent, Key, Request, Response, run  # noqa: E402

PROGRAM = """bash -c 'read -p "Name? " name; echo "Hello, $name" > hello.txt; echo written'\n"""


class InteractiveAgent(Agent):
    def setup(self) -> None:
        self.answered = False

    def solve(self, req: Request) -> Response:
        if req.first:
            return Response.keys(Key(PROGRAM, wait=0.2))
        if req.shows("written"):
            return Response.done("answered")
        if self.answered or not req.shows("Name?"):
            return Response.keys(Key("", wait=0.2))
        self.answered = True
        return Response.keys("world\n").with_usage(prompt_tokens=0, completion_tokens=0, cost_usd=0, model="none")


if __name__ == "__main__":
    run(InteractiveAgent())
