// The desktop app that started this server: it hands over a secret on standard input, and when it is gone, so are we.
import type { Readable } from "node:stream";
import { HapError } from "@hap/protocol";

/** 128 bits as hex at the least, and no more than a line of a pipe. */
const SECRET = /^[0-9a-f]{32,256}$/;
const LONGEST = 300;

/** One pipe to the app, open for as long as it lives. */
export class AppParent {
  readonly secret: string;
  readonly #input: Readable;

  private constructor(secret: string, input: Readable) {
    this.secret = secret;
    this.#input = input;
  }

  /** Read the secret: the first line of standard input. It is in no argument and no variable, which others could read. */
  static async greet(input: Readable = process.stdin): Promise<AppParent> {
    let said = "";
    input.setEncoding("utf8");
    for await (const chunk of input.iterator({ destroyOnReturn: false })) {
      said += chunk;
      if (said.includes("\n") || said.length > LONGEST) break;
    }
    const secret = said.split("\n", 1)[0] ?? "";
    if (SECRET.test(secret)) return new AppParent(secret, input);
    throw new HapError(
      "invalid_input",
      "--app-socket is for the desktop app, which sends a secret of 32 or more hexadecimal digits on standard input.",
      { field: "--app-socket" },
    );
  }

  /** Call `gone` once the app has ended, however it ended. */
  whenGone(gone: () => void): void {
    this.#input.once("end", gone).once("close", gone).once("error", gone);
    this.#input.resume();
  }
}
