// hap login: sign in at a server, or, with --code, show the code that lets a page or a terminal in.
import { HapError, showInvisible } from "@hap/protocol";
import { connectPerson } from "@hap/sdk";
import { keepToken, redeemLoginCode, serverCommand, signInFile } from "@hap/sdk/sign-in";
import type { Command } from "commander";
import { refuseAgent } from "../client.ts";
import type { Context } from "../context.ts";
import { storePath } from "../install/installation.ts";
import { examples } from "../program.ts";
import { printJson } from "../show/print-ticket.ts";
import { signInByBrowser } from "../sign-in-by-browser.ts";
import { findInbox } from "../start/running-inbox.ts";
import { showLink } from "../start/sign-in-link.ts";
import { TerminalDevice } from "../terminal/device.ts";

type Options = { code?: true; enrol?: true; link?: true; through?: string };

export function define(command: Command, context: Context): void {
  command
    .description(
      "Sign in at the server that HAP_URL or URL names: type the one-time code that `hap serve`, or `hap login --code` on its machine, shows on a terminal. The token is kept in the system's keyring where one is reachable, else in ~/.hap/login.json, for you alone to read.",
    )
    .argument("[url]", "the server (default HAP_URL)")
    .option("--link", "open the page of this machine's inbox by a one-time link, or show the link and its QR code")
    .option("--code", "show a code, on this terminal, for the store of this machine")
    .option("--enrol", "with --code: a code for adding your first passkey or key")
    .option("--through <provider>", "sign in through a provider of the server, oidc or github, in your browser")
    .addHelpText(
      "after",
      examples(
        "hap login https://hap.example.org --through oidc",
        "hap login https://hap.example.org",
        "hap login --link",
        "hap login --code",
        "hap login --code --enrol",
      ),
    )
    .action((url: string | undefined, options: Options) =>
      options.link === true
        ? openLink(context)
        : options.code === true
          ? showCode(context, options.enrol === true)
          : login(context, url ?? context.env.HAP_URL ?? "", options.through),
    );
}

/** A link to the inbox that serves the store of this machine. */
async function openLink(context: Context): Promise<void> {
  refuseAgent(context, "sign in");
  const store = storePath(context);
  const inbox = await findInbox(store);
  if (inbox === null)
    throw new HapError("server_unreachable", `No inbox serves ${store} now. Run \`hap start\`, which signs you in too.`, {
      store,
    });
  const client = await connectPerson({ dbPath: store });
  try {
    const issue = async () => (await client.issueCode("link")).code;
    const shown = await showLink({ url: inbox.url, person: client.person, store, issue, open: true, env: context.env });
    if (!shown) throw new HapError("terminal_needed", "A sign-in link is shown on a terminal, and this process has none.");
  } finally {
    await client.close();
  }
}

/** Only the terminal device gets the code: an agent that started this process reads its output. */
async function showCode(context: Context, enrol: boolean): Promise<void> {
  refuseAgent(context, "sign in");
  const device = new TerminalDevice("Signing in");
  try {
    // The store of this machine, whatever HAP_URL says: a code proves that somebody sits here.
    const client = await connectPerson(
      context.env.HAP_DATABASE_URL ? {} : { dbPath: context.env.HAP_DB_PATH || "~/.hap/hap.db" },
    );
    try {
      const { code } = await client.issueCode(enrol ? "enrol" : "login");
      const what = enrol ? "Add a key" : "Sign in";
      device.write(`${what} as ${client.person} with this code (2 minutes, once):\n\n    ${code}\n\n`);
    } finally {
      await client.close();
    }
  } finally {
    device.close();
  }
}

async function login(context: Context, url: string, through: string | undefined): Promise<void> {
  refuseAgent(context, "sign in");
  if (url === "")
    throw new HapError("invalid_input", "Which server? `hap login https://hap.example.org`, or set HAP_URL.", { field: "url" });
  const { token, person, expires_at } =
    through === undefined
      ? await redeemLoginCode(url, typeCode(url, await serverCommand(url)))
      : await signInByBrowser(context, url, through);
  const kept = keepToken(url, { token, person }, context.env);
  if (context.json) return printJson(context, { url, person, expires_at, kept });
  context.out.line(`Signed in at ${url} as ${person}.`);
  if (kept === "file")
    context.err.line(
      `No keyring of the system is reachable: the token is in ${signInFile(context.env)}, where your programs can read it.`,
    );
}

/** The code, typed at the terminal itself. */
function typeCode(url: string, command: string): string {
  const device = new TerminalDevice("Signing in");
  try {
    device.write(`Code for ${url} (\`${showInvisible(command)} login --code\` on its machine shows one): `);
    return device.readLine().trim();
  } finally {
    device.close();
  }
}
