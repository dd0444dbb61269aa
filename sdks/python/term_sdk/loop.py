"""The loop of an agent: one line in, one line out, until the task is complete or the harness closes the input."""

from __future__ import annotations

import io
import sys
import traceback
from contextlib import redirect_stdout
from typing import Any, BinaryIO

from .agent import Agent
from .request import Request
from .response import Response


def log(*words: Any) -> None:
    """Write to the log: standard error, which the harness shows and stores."""
    print("[agent]", *words, file=sys.stderr, flush=True)


def run(agent: Agent) -> None:
    """Run an agent until it is done.

    An error in `solve` is told to the harness in `text` and ends the process with 1; it is never taken for completion.
    `print` goes to standard error meanwhile: standard output belongs to the protocol.
    """
    status = 0
    with redirect_stdout(sys.stderr):
        try:
            agent.setup()
            _answer_all(agent, sys.__stdin__.buffer, sys.__stdout__.buffer)
        except Exception:
            traceback.print_exc()
            status = 1
        finally:
            try:
                agent.cleanup()
            except Exception:
                traceback.print_exc()
                status = 1
    if status != 0:
        sys.exit(status)


def _answer_all(agent: Agent, source: BinaryIO, sink: BinaryIO) -> None:
    for line in io.TextIOWrapper(source, encoding="utf-8", errors="replace", newline="\n"):
        if not line.strip():
            continue
        try:
            response = agent.solve(Request.parse(line))
            if not isinstance(response, Response):
                raise TypeError(f"solve() must return a Response, and returned {type(response).__name__}")
        except Exception as error:
            _write(sink, Response.say(f"error: {type(error).__name__}: {error}"))
            raise
        _write(sink, response)
        if response.task_complete:
            return


def _write(sink: BinaryIO, response: Response) -> None:
    sink.write(response.to_line().encode("ascii") + b"\n")
    sink.flush()
