// What is confirmed by a typed phrase is confirmed where a person sits: on the page or in the desktop app, never by a token alone.
import { HapError } from "@hap/protocol";
import type { Principal } from "./auth/principal.ts";

/** Refuse a token, which a program can hold, and say where on the page to go on. */
export function assertAtPage(
  principal: Principal | null,
  { url }: Request,
  { path, what, fields = {} }: { path: string; what: string; fields?: Record<string, unknown> },
): void {
  if (principal?.kind === "person" && principal.via !== "token") return;
  const page = `${new URL(url).origin}${path}`;
  throw new HapError("page_needed", `${what} Confirm it on the page: ${page}`, { ...fields, page });
}
