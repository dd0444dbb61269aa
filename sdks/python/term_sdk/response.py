"""One response of an agent. It does not change: what adds to it returns a new one."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Optional, Union

from .screen import Key

#: What makes an object of a model's answer a response.
_MEANT = {"command", "keystrokes", "task_complete", "done"}
_SHELLS = {"", "sh", "bash", "shell", "zsh", "console"}
_BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Response:
    """What an agent answers: a command to run, keys to type, words for the log, or that the task is complete."""

    command: Optional[str] = None
    task_complete: bool = False
    text: Optional[str] = None
    keystrokes: Optional[tuple[Union[str, Key], ...]] = None
    usage: Optional[dict[str, Any]] = None
    model: Optional[str] = None

    @classmethod
    def cmd(cls, command: str, text: Optional[str] = None) -> Response:
        """Run a command."""
        return cls(command=command, text=text)

    @classmethod
    def keys(cls, *keystrokes: Union[str, Key]) -> Response:
        """Type keys into the terminal, for interactive programs; the next request has the screen."""
        return cls(keystrokes=keystrokes)

    @classmethod
    def say(cls, text: str) -> Response:
        """Say something and run nothing; the next request follows at once."""
        return cls(text=text)

    @classmethod
    def done(cls, text: Optional[str] = None) -> Response:
        """The task is complete."""
        return cls(task_complete=True, text=text)

    @classmethod
    def from_llm(cls, text: str) -> Response:
        """Read a model's answer.

        The last JSON object in it that has `command`, `keystrokes`, `task_complete` or `done` counts; without one, its
        only block of shell; otherwise the answer is words. It is never taken for completion unless it says so.
        """
        fitting = [found for found in _objects(text) if _MEANT & found.keys()]
        if fitting:
            last = fitting[-1]
            command, said = last.get("command"), last.get("text")
            command = command if isinstance(command, str) and command.strip() else None
            return cls(
                command=command,
                keystrokes=_read_keys(last.get("keystrokes")) if command is None else None,
                task_complete=_means(last.get("task_complete")) or _means(last.get("done")),
                text=said if isinstance(said, str) else None,
            )
        blocks = _BLOCK.findall(text)
        if len(blocks) == 1 and blocks[0][0].strip().lower() in _SHELLS and blocks[0][1].strip():
            return cls.cmd(blocks[0][1].strip())
        words = text.strip()
        return cls.say(words) if words else cls()

    def with_text(self, text: str) -> Response:
        """The same with other words."""
        return replace(self, text=text)

    def complete(self) -> Response:
        """The same, and the task is complete once its command has run."""
        return replace(self, task_complete=True)

    def with_usage(
        self,
        usage: Optional[dict[str, Any]] = None,
        model: Optional[str] = None,
        **numbers: float,
    ) -> Response:
        """The same with the tokens and cost of the model call behind it, and the model's name.

        `prompt_tokens`, `completion_tokens`, `cached_tokens` and `cost_usd`, as arguments or as a model's own `usage`.
        """
        return replace(self, usage={**(usage or {}), **numbers}, model=model or self.model)

    def to_dict(self) -> dict[str, Any]:
        """The wire's names; what is not there is left out, except for the command."""
        wire: dict[str, Any] = {"command": self.command, "task_complete": self.task_complete}
        if self.keystrokes is not None:
            wire["keystrokes"] = [key._asdict() if isinstance(key, Key) else key for key in self.keystrokes]
        for name in ("text", "usage", "model"):
            value = getattr(self, name)
            if value is not None:
                wire[name] = value
        return wire

    def to_line(self) -> str:
        """One line of JSON, in ASCII, so that no encoding of standard output can spoil it."""
        return json.dumps(self.to_dict())


def _means(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() in {"true", "1", "yes"})


def _read_keys(value: Any) -> Optional[tuple[Union[str, Key], ...]]:
    """Keystrokes in a model's answer: text or a list; None if they cannot be typed."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not value:
        return None
    read: list[Union[str, Key]] = []
    for entry in value:
        if isinstance(entry, str):
            read.append(entry)
            continue
        keys, wait = (entry.get("keys"), entry.get("wait", 1)) if isinstance(entry, dict) else (None, 1)
        if not isinstance(keys, str) or isinstance(wait, bool) or not isinstance(wait, (int, float)):
            return None
        read.append(Key(keys, wait))
    return tuple(read)


def _objects(text: str) -> list[dict[str, Any]]:
    """Every outermost JSON object in a text, in order."""
    decoder, found = json.JSONDecoder(), []
    start = text.find("{")
    while start != -1:
        try:
            value, end = decoder.raw_decode(text, start)
            found.append(value)
        except ValueError:
            end = start + 1
        start = text.find("{", end)
    return found
