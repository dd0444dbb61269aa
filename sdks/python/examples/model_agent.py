#!/usr/bin/env python3
"""Asks a model behind an OpenAI-compatible endpoint what to type next.

OPENAI_BASE_URL (for example http://127.0.0.1:8080/v1), OPENAI_MODEL, and OPENAI_API_KEY where it needs one.
"""

import json
import os
import urllib.request
from typing import Dict, List

from term_sdk import Agent, Request, Response, run

RULES = """You operate a Linux terminal to fulfil a task. Answer with one JSON object and nothing else:
{"command": "<shell command>" or null, "task_complete": true or false, "text": "<why, in a few words>"}
Say task_complete only after you have seen that the task is fulfilled. Commands must end by themselves."""


class ModelAgent(Agent):
    def setup(self) -> None:
        self.url = os.environ["OPENAI_BASE_URL"].rstrip("/") + "/chat/completions"
        self.model = os.environ["OPENAI_MODEL"]
        self.messages: List[Dict[str, str]] = [{"role": "system", "content": RULES}]

    def solve(self, req: Request) -> Response:
        seen = f"Task: {req.instruction}\nFolder: {req.cwd}" if req.first else f"exit code {req.exit_code}, folder {req.cwd}\n{req.output}"
        self.messages.append({"role": "user", "content": seen})
        answer = self.ask()
        self.messages.append({"role": "assistant", "content": answer})
        return Response.from_llm(answer)

    def ask(self) -> str:
        body = json.dumps({"model": self.model, "messages": self.messages}).encode()
        headers = {"content-type": "application/json", "authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}"}
        with urllib.request.urlopen(urllib.request.Request(self.url, body, headers), timeout=240) as reply:
            return str(json.load(reply)["choices"][0]["message"]["content"])


if __name__ == "__main__":
    run(ModelAgent())
