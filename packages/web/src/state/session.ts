// Who is signed in. The cookie is out of reach for scripts; what the page knows is what the server says of it.
import { isHapError } from "@hap/protocol";
import { connectPage, type PersonConnection, pageTransport, sendToServer, type Transport } from "@hap/sdk/page";
import { signal } from "@preact/signals";
import { base } from "../router.ts";
import { t } from "../words/words.ts";
import { host } from "./host.ts";

type Session =
  | { status: "starting" }
  | { status: "out" }
  | { status: "unreachable"; message: string }
  | { status: "in"; person: PersonConnection };

export const session = signal<Session>({ status: "starting" });

const toServer = pageTransport(location.origin + base);
const line = () => host()?.transport ?? toServer;

/** The way to the server for what only a page does; inside the desktop app, the app's way to its engine. */
export const transport: Transport = {
  get url() {
    return line().url;
  },
  send: (request) => line().send(request),
  stream: (request) => line().stream(request),
  close: () => line().close(),
};

/** Runs the operations that only a server offers: signing in, push. */
export const server = sendToServer(transport);

/** How people run HAP on the server's machine: the server says so, since it may run under a user of its own. */
export const serverCommand = signal("hap");

/** Ask the server for its command; where it cannot be asked, the plain one stays. */
export async function findServerCommand(): Promise<void> {
  try {
    const { command } = await server("waysToLogIn", {});
    serverCommand.value = command ?? "hap";
  } catch {
    serverCommand.value = "hap";
  }
}

/** The person's client; only where somebody is signed in. */
export function me(): PersonConnection {
  if (session.value.status !== "in") throw new Error("nobody is signed in");
  return session.value.person;
}

/** Find out who is signed in. */
export async function findSession(): Promise<void> {
  try {
    session.value = { status: "in", person: await connectPage(transport) };
  } catch (error) {
    if (isHapError(error) && error.code === "login_needed") session.value = { status: "out" };
    else session.value = { status: "unreachable", message: wordsOf(error) };
  }
}

/** Sign in with the code that a terminal shows. */
export async function signInByCode(code: string): Promise<void> {
  await server("loginByCode", { code, kind: "cookie" });
  await findSession();
}

/** This device was paired by the link that opened it. */
export const justPaired = signal(false);

/** Why a sign-in link did not work, for the sign-in page. */
export const linkProblem = signal<string | null>(null);

/**
 * Sign in by the secret in the address's fragment, if it has one. The address loses it first: no history and no reload keeps it.
 */
export async function signInByLink(): Promise<void> {
  const [, way, secret] = /^#(link|pair)=(.+)$/.exec(location.hash) ?? [];
  if (secret === undefined) return;
  history.replaceState(null, "", location.pathname);
  try {
    await server("loginByLink", { secret });
    justPaired.value = way === "pair";
  } catch (error) {
    linkProblem.value = wordsOf(error);
  }
}

/** Sign out, here or everywhere. */
export async function signOut(everywhere: boolean): Promise<void> {
  await server("logout", { everywhere });
  session.value = { status: "out" };
}

/** The sign-in is over: the page asks for a new one. */
export function signedOut(error: unknown): boolean {
  if (!isHapError(error) || error.code !== "login_needed") return false;
  session.value = { status: "out" };
  return true;
}

/** What an error says to a person, in the page's words where the error speaks of the command line. */
export function wordsOf(error: unknown): string {
  if (isHapError(error) && error.code === "server_unreachable") return t("common.unreachable");
  return error instanceof Error ? error.message : String(error);
}
