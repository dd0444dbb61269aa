"""Write a terminal agent: one request line in, one response line out."""

from .agent import Agent
from .loop import log, run
from .request import Request, RequestError
from .response import Response

__all__ = ["Agent", "Request", "RequestError", "Response", "log", "run"]
__version__ = "0.2.0"
