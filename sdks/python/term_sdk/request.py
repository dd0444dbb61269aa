"""One request of the harness: what happened in the terminal since the last response."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Optional

from .screen import Screen


class RequestError(ValueError):
    """A line that is no request."""

    def __init__(self, problem: str, line: str) -> None:
        super().__init__(f"This is no request of the harness: {problem}. The line was: {line[:200]}")
        self.line = line


@dataclass(frozen=True)
class Request:
    """What the harness tells an agent before each step.

    On step 1 there is no command, output or exit code yet.
    """

    instruction: str
    step: int
    last_command: Optional[str] = None
    output: Optional[str] = None
    exit_code: Optional[int] = None
    cwd: str = "/"
    #: What the terminal shows, after a response with keystrokes; otherwise None.
    screen: Optional[Screen] = None

    @property
    def first(self) -> bool:
        """True on the first step."""
        return self.step == 1

    @property
    def ok(self) -> bool:
        """True when the last command ended with 0."""
        return self.exit_code == 0

    @property
    def failed(self) -> bool:
        """True when the last command ended with anything but 0."""
        return self.exit_code is not None and self.exit_code != 0

    def has(self, *patterns: str) -> bool:
        """True when the output contains any of these; upper and lower case are the same."""
        if self.output is None:
            return False
        output = self.output.lower()
        return any(pattern.lower() in output for pattern in patterns)

    def shows(self, *patterns: str) -> bool:
        """True when the screen shows any of these; upper and lower case are the same."""
        if self.screen is None:
            return False
        text = self.screen.text.lower()
        return any(pattern.lower() in text for pattern in patterns)

    def match(self, pattern: str, flags: int = 0) -> Optional[re.Match[str]]:
        """The first place in the output that a regular expression matches."""
        return None if self.output is None else re.search(pattern, self.output, flags)

    @classmethod
    def parse(cls, line: str) -> Request:
        """Read one line. Keys that are left out are null, unknown ones are ignored."""
        try:
            value = json.loads(line, parse_constant=_refuse_constant)
        except ValueError as error:
            raise RequestError(str(error), line) from error
        if not isinstance(value, dict):
            raise RequestError("it is not an object", line)
        instruction, step = value.get("instruction"), value.get("step")
        if not isinstance(instruction, str):
            raise RequestError("instruction must be text", line)
        if not _is_whole(step) or step < 1:
            raise RequestError("step must be a whole number from 1 on", line)
        exit_code = value.get("exit_code")
        if exit_code is not None and not _is_whole(exit_code):
            raise RequestError("exit_code must be a whole number or null", line)
        return cls(
            instruction=instruction,
            step=step,
            last_command=_text_or_none(value, "last_command", line),
            output=_text_or_none(value, "output", line),
            exit_code=exit_code,
            cwd=_text_or_none(value, "cwd", line) or "/",
            screen=_screen_or_none(value, line),
        )


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _screen_or_none(value: dict[str, Any], line: str) -> Optional[Screen]:
    found = value.get("screen")
    screen = None if found is None else Screen.read(found)
    if found is not None and screen is None:
        raise RequestError("screen must have text, cursor, full_screen, rows and columns, or be null", line)
    return screen


def _text_or_none(value: dict[str, Any], name: str, line: str) -> Optional[str]:
    found = value.get(name)
    if found is not None and not isinstance(found, str):
        raise RequestError(f"{name} must be text or null", line)
    return found
