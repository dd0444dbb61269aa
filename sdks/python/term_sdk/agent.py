"""What an agent has to be."""

from abc import ABC, abstractmethod

from .request import Request
from .response import Response


class Agent(ABC):
    """An agent. The process lives through all steps, so what `setup` makes lasts."""

    def setup(self) -> None:
        """Called once, before the first request."""

    @abstractmethod
    def solve(self, req: Request) -> Response:
        """Answer one request."""

    def cleanup(self) -> None:
        """Called once, at the end, whatever happened."""
