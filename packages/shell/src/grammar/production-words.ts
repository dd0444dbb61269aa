// Words that name production. A file name or a build mode that contains them does not count.
import type { Argument } from "./argument.ts";

const PRODUCTION = /(?:^|[^a-z0-9])(?:prod|production|prd)(?:$|[^a-z0-9])/i;

/** Whether a text names production. */
export function isProduction(text: string): boolean {
  return PRODUCTION.test(text);
}

/** The first argument that names production as a place: no file, no path, no build, no `--mode production`. */
export function findProduction(args: readonly Argument[]): Argument | undefined {
  return args.find((arg, index) => {
    const isFile = /[/\\]|\.[A-Za-z0-9]{1,5}$/.test(arg.text);
    const isBuild =
      /build|^--(?:only=|omit=)?production$|^(?:NODE_ENV|BABEL_ENV|MODE)=/i.test(arg.text) || args[index - 1]?.text === "--mode";
    return isProduction(arg.text) && !isFile && !isBuild;
  });
}
