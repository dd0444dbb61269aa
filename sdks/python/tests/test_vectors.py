"""The shared vectors of spec/vectors, and the loop as a real process. Run: python3 -m unittest discover -s tests"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from term_sdk import Key, Request, RequestError, Response  # noqa: E402

VECTORS = json.loads((ROOT.parents[1] / "spec" / "vectors" / "term-sdk.json").read_text("utf-8"))


class Vectors(unittest.TestCase):
    def test_requests(self) -> None:
        for vector in VECTORS["requests"]:
            with self.subTest(vector["id"]):
                if vector["result"] == "invalid":
                    with self.assertRaises(RequestError):
                        Request.parse(vector["line"])
                    continue
                request = Request.parse(vector["line"])
                fields = {name: value for name, value in vars(request).items() if name != "screen"}
                if request.screen is not None:
                    shown = dict(vars(request.screen))
                    fields["screen"] = {"cursor": {"row": shown.pop("row"), "column": shown.pop("column")}, **shown}
                self.assertEqual(fields, vector["request"])
                self.assertEqual({name: getattr(request, name) for name in vector["views"]}, vector["views"])

    def test_has(self) -> None:
        for vector in VECTORS["has"]:
            with self.subTest(vector["id"]):
                request = Request("x", 2, output=vector["output"])
                self.assertEqual(request.has(*vector["patterns"]), vector["has"])

    def test_responses(self) -> None:
        for vector in VECTORS["responses"]:
            with self.subTest(vector["id"]):
                target = Response
                for name, *arguments in vector["build"]:
                    if name == "keys":
                        arguments = [key if isinstance(key, str) else Key(**key) for key in arguments]
                    target = getattr(target, name)(*arguments)
                line = target.to_line()
                self.assertNotIn("\n", line)
                self.assertEqual(json.loads(line), vector["response"])

    def test_from_llm(self) -> None:
        for vector in VECTORS["from_llm"]:
            with self.subTest(vector["id"]):
                self.assertEqual(Response.from_llm(vector["text"]).to_dict(), vector["response"])

    def test_usage_by_name(self) -> None:
        response = Response.cmd("ls").with_usage(prompt_tokens=10, cost_usd=0.5, model="m")
        self.assertEqual(response.to_dict()["usage"], {"prompt_tokens": 10, "cost_usd": 0.5})
        self.assertEqual(response.to_dict()["model"], "m")

    def test_shows(self) -> None:
        line = next(vector["line"] for vector in VECTORS["requests"] if vector["id"] == "request-screen")
        self.assertTrue(Request.parse(line).shows("nothing", "hello"))
        self.assertFalse(Request("x", 1).shows("x"))

    def test_match(self) -> None:
        found = Request("x", 2, output="took 12 ms").match(r"(\d+) ms")
        self.assertEqual(found and found.group(1), "12")
        self.assertIsNone(Request("x", 1).match("x"))


AGENT = """
import sys
sys.path.insert(0, {root!r})
from term_sdk import Agent, Request, Response, log, run

class Mine(Agent):
    def setup(self): print("printed in setup")
    def solve(self, req):
        log("step", req.step)
        if req.step == 2: raise ValueError("no idea")
        return Response.cmd("ls") if req.has() is False and "stay" in req.instruction else Response.done("b\\u00fce")
    def cleanup(self): log("cleaned")

run(Mine())
"""


class Loop(unittest.TestCase):
    def run_agent(self, stdin: str) -> "subprocess.CompletedProcess[str]":
        with tempfile.TemporaryDirectory() as folder:
            agent = Path(folder) / "agent.py"
            agent.write_text(AGENT.format(root=str(ROOT)))
            return subprocess.run([sys.executable, str(agent)], input=stdin, capture_output=True, text=True, check=False)

    def test_done(self) -> None:
        ran = self.run_agent('{"instruction":"go","step":1,"cwd":"/"}\r\n')
        self.assertEqual(ran.returncode, 0)
        self.assertEqual([json.loads(line) for line in ran.stdout.splitlines()], [{"command": None, "task_complete": True, "text": "b\u00fce"}])
        self.assertIn("printed in setup", ran.stderr)
        self.assertIn("[agent] cleaned", ran.stderr)

    def test_error_is_not_completion(self) -> None:
        ran = self.run_agent('{"instruction":"stay","step":1,"cwd":"/"}\n{"instruction":"stay","step":2,"cwd":"/"}\n')
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(json.loads(ran.stdout.splitlines()[-1]), {"command": None, "task_complete": False, "text": "error: ValueError: no idea"})
        self.assertIn("Traceback", ran.stderr)
        self.assertIn("[agent] cleaned", ran.stderr)

    def test_end_of_input(self) -> None:
        ran = self.run_agent("")
        self.assertEqual((ran.returncode, ran.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
