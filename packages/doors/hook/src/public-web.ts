// Reading the public web without a person: a search, which the model's own provider runs, and pages of documentation.
// A page of any other host is asked about, because its address can carry data to whoever runs that host.
import { classifyPath, type ShellContext } from "@hap/shell/paths";
import { type JsonObject, word } from "./read-event.ts";

/**
 * Official documentation of languages, runtimes and tools. A host belongs here only if it is run by the project that it documents,
 * takes no uploads and shows its access logs to nobody else.
 */
const DOCUMENTATION_HOSTS: readonly string[] = [
  ...["docs.python.org", "peps.python.org", "packaging.python.org", "docs.pytest.org"],
  ...["doc.rust-lang.org", "docs.rs", "go.dev", "pkg.go.dev"],
  ...["developer.mozilla.org", "nodejs.org", "docs.npmjs.com", "www.typescriptlang.org", "react.dev", "vite.dev", "vitest.dev"],
  ...["docs.oracle.com", "kotlinlang.org", "learn.microsoft.com", "en.cppreference.com", "docs.swift.org", "www.php.net"],
  ...["git-scm.com", "docs.github.com", "docs.docker.com", "kubernetes.io", "www.gnu.org", "man7.org"],
  ...["www.postgresql.org", "www.sqlite.org", "sqlite.org", "redis.io"],
  ...["docs.claude.com", "code.claude.com", "platform.claude.com", "developers.openai.com", "modelcontextprotocol.io"],
];

/** True for a page of one of these hosts. Hosts of hooks do not follow a redirect to another host, but tell the model of it. */
export function isDocumentation(input: JsonObject): boolean {
  const address = word(input, "url") ?? "";
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "") return false;
  return DOCUMENTATION_HOSTS.includes(url.hostname);
}

/** True for a `file:` address of a plain file in the project: nothing leaves the machine to read it. */
export function isProjectFile(input: JsonObject, place: ShellContext): boolean {
  const address = word(input, "url") ?? "";
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== "file:" || url.hostname !== "" || /%2f/i.test(url.pathname)) return false;
  try {
    const { inside, secret, entry } = classifyPath(decodeURIComponent(url.pathname), place);
    return inside && !secret && (entry === null || entry?.kind === "file");
  } catch {
    return false;
  }
}
