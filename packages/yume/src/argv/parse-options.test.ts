import { describe, expect, it } from "vitest";
import { parseOptions } from "./parse-options.ts";

describe("the dialect", () => {
  it.each<[string, string[], Record<string, string>, string]>([
    ["nothing", [], {}, "yume"],
    ["start", ["start", "--provider", "openai"], {}, "yume"],
    ["--provider", ["--provider", "openai", "--prompt", "x"], {}, "yume"],
    ["--input-format stream-json", ["--input-format", "stream-json"], {}, "claude"],
    ["both, as a host that knows our flags passes them", ["--provider", "openai", "--input-format=stream-json"], {}, "claude"],
    ["start with --input-format", ["start", "--input-format", "stream-json"], {}, "yume"],
    ["-p", ["-p", "x"], {}, "claude"],
    ["--print", ["--print", "x"], {}, "claude"],
    ["-p beside start, where it is the prompt", ["start", "-p", "x"], {}, "yume"],
    ["-p beside -P, where it is the prompt", ["-P", "openai", "-p", "x"], {}, "yume"],
    ["the environment, when argv does not say", ["--prompt", "x"], { CLAUDE_CODE_ENTRYPOINT: "sdk-ts" }, "claude"],
    ["argv before the environment", ["--provider", "openai"], { CLAUDE_CODE_ENTRYPOINT: "sdk-ts" }, "yume"],
    ["--protocol-version claude", ["start", "--protocol-version", "claude"], {}, "claude"],
    ["--protocol-version yume", ["-p", "x", "--protocol-version=yume"], {}, "yume"],
  ])("[YUME-ARGV-1] follows from %s", (_, argv, env, dialect) => {
    expect(parseOptions(argv, env).dialect).toBe(dialect);
  });
});

describe("flags", () => {
  it("[YUME-ARGV-1] are read with a space or an equals sign, with stray empty arguments and unknown ones between", () => {
    const options = parseOptions(
      [
        "--model=m",
        "",
        "--max-turns",
        "3",
        "--strange",
        "value",
        "--odd=1",
        "--allowedTools",
        "Bash(git log, x),Edit",
        "-s",
        "id",
        "--prompt",
        "--not a flag",
      ],
      {},
    );
    expect(options).toMatchObject({
      model: "m",
      maxTurns: 3,
      allowRules: ["Bash(git log, x)", "Edit"],
      sessionId: "id",
      prompt: "--not a flag",
      problems: [],
      unknown: ["--strange", "--odd"],
    });
  });

  it("[YUME-ARGV-1] of the SDK leave the prompt to its frames", () => {
    const argv =
      "--output-format stream-json --verbose --input-format stream-json --permission-prompt-tool=stdio --tools= --setting-sources= --future-flag on".split(
        " ",
      );
    expect(parseOptions(argv, {})).toMatchObject({
      dialect: "claude",
      inputFormat: "stream-json",
      asksHost: true,
      tools: [],
      settingSources: [],
      problems: [],
    });
  });

  it("[YUME-ARGV-1] do not swallow the prompt", () => {
    expect(parseOptions(["-p", "--allowedTools", "Read", "Edit", "what is this?"], {})).toMatchObject({
      allowRules: ["Read", "Edit"],
      prompt: "what is this?",
    });
    expect(parseOptions(["-p", "--some-switch", "what is this?"], {})).toMatchObject({ prompt: "what is this?" });
  });

  it.each([
    [["--max-turns", "x"], "--max-turns takes a whole number"],
    [["--permission-mode", "yolo"], "--permission-mode takes default"],
    [["--json-schema", "[]"], "--json-schema takes a JSON object"],
    [["--resume"], "--resume needs a value"],
    [["--sandbox", "maybe"], "--sandbox takes none, auto, bwrap, landlock"],
  ])("[YUME-ARGV-1] %j are problems", (argv, words) => {
    expect(parseOptions(argv, {}).problems.join()).toContain(words);
  });

  it("[YUME-ARGV-2] -v alone is the version, beside others it is --verbose", () => {
    expect(parseOptions(["-v"], {}).command).toBe("version");
    expect(parseOptions(["-v", "--prompt", "x"], {})).toMatchObject({ command: "run", verbose: true });
  });
});
