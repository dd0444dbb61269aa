"""The extension of the protocol for interactive programs. Agents that do not use it never see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Optional


class Key(NamedTuple):
    """Keys to type, and the seconds to wait afterwards.

    `keys` is text, or the name of a key (`Escape`, `C-c`, `Up`, as in tmux). Empty, it only waits.
    """

    keys: str
    wait: float = 1


@dataclass(frozen=True)
class Screen:
    """What the terminal shows after keystrokes. Rows and columns count from 1."""

    text: str
    row: int
    column: int
    full_screen: bool
    rows: int
    columns: int

    @classmethod
    def read(cls, value: Any) -> Optional[Screen]:
        """Read the screen of a request; None if it is not one."""
        cursor = value.get("cursor") if isinstance(value, dict) else None
        if not isinstance(cursor, dict):
            return None
        text, full_screen = value.get("text"), value.get("full_screen")
        numbers = [cursor.get("row"), cursor.get("column"), value.get("rows"), value.get("columns")]
        whole = all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)
        if not isinstance(text, str) or not isinstance(full_screen, bool) or not whole:
            return None
        return cls(text, numbers[0], numbers[1], full_screen, numbers[2], numbers[3])
