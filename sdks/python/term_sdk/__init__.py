"""Write a terminal agent: one request line in, one response line out."""

from .agent import Agent
from .loop import log, run
from .request import Request, RequestError
from .response import Response
from .screen import Key, Screen

__all__ = ["Agent", "Key", "Request", "RequestError", "Response", "Screen", "log", "run"]
__version__ = "0.2.0"
