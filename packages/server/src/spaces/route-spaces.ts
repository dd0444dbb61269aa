// From a request to the space that it is for: the one in its path (`/s/NAME/...`), else the one that its key names, else the server's
// own. A path and a key that name different spaces do not match: the key is not known in the space of the path.

import type { IncomingMessage } from "node:http";
import { spaceOfKey } from "@hap/core";
import { HapError } from "@hap/protocol";
import type { Listener } from "../api/api.ts";
import { send } from "../api/reply.ts";
import type { RateLimit } from "../auth/rate-limit.ts";
import { clientAddress } from "../client-address.ts";
import { refuse, type Upgrade } from "../live/accept.ts";
import { nothingHere, problemReply, problemResponse } from "../problem.ts";
import type { OpenSpaces } from "./open-spaces.ts";
import type { SpaceFront } from "./space-front.ts";

/** A space's name is taken from the path as it was sent: nothing is decoded, and no dots are resolved. */
const IN_PATH = /^\/s\/([a-z0-9][a-z0-9-]{0,62})(?=[/?]|$)/;
const CALLBACK = /^\/login\/[a-z]+\/callback\?/;

type Routing = {
  home: SpaceFront;
  /** Null where the store is a file, which holds one space. */
  spaces: OpenSpaces | null;
  attempts: RateLimit;
  tls: boolean;
  onError: (error: unknown) => void;
};

/** The listeners of requests and upgrades of every space. */
export function routeSpaces({ home, spaces, attempts, tls, onError }: Routing): { listener: Listener; upgrade: Upgrade } {
  if (spaces === null) return { listener: home.listener, upgrade: home.upgrade };

  async function find(incoming: IncomingMessage, open: OpenSpaces) {
    const url = incoming.url ?? "";
    const inPath = IN_PATH.exec(url);
    if (url.startsWith("/s/") && inPath === null) throw nothingHere(url.split("?")[0] as string);
    const space = inPath?.[1] ?? spaceOfBearer(incoming.headers.authorization) ?? spaceOfCallback(url);
    if (space === null) return { front: home, done: () => {} };
    const address = clientAddress(incoming);
    if (!open.isOpen(space)) attempts.check(address);
    try {
      const found = await open.use(space);
      if (inPath !== null) incoming.url = below(url, inPath[0]);
      return found;
    } catch (error) {
      // Names are not to be found out by trying.
      if (error instanceof HapError && error.code === "space_not_found") attempts.spend(address);
      throw error;
    }
  }

  return {
    listener: (incoming, outgoing) => {
      if (isPlain(incoming)) return home.listener(incoming, outgoing);
      find(incoming, spaces).then(
        ({ front, done }) => {
          if (outgoing.closed) return done();
          outgoing.once("close", done);
          front.listener(incoming, outgoing);
        },
        (error: unknown) => send(problemReply(error, onError), outgoing, tls),
      );
    },
    upgrade: (incoming, stream, head) => {
      stream.on("error", () => stream.destroy());
      find(incoming, spaces).then(
        ({ front, done }) => {
          if (stream.destroyed) return done();
          stream.once("close", done);
          front.upgrade(incoming, stream, head);
        },
        (error: unknown) => refuse(stream, problemResponse(error, onError)),
      );
    },
  };
}

/** True for requests that can only be for the server's own space: they take no detour. */
function isPlain({ url = "", headers: { authorization = "" } }: IncomingMessage): boolean {
  return !url.startsWith("/s/") && !authorization.includes(".") && !url.startsWith("/login/");
}

function spaceOfBearer(authorization = ""): string | null {
  return spaceOfKey(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "");
}

/** Providers send browsers back to one address; the state begins with the name of the space that the browser left from. */
function spaceOfCallback(url: string): string | null {
  if (!CALLBACK.test(url)) return null;
  const state = new URLSearchParams(url.slice(url.indexOf("?"))).get("state") ?? "";
  return /^([a-z0-9][a-z0-9-]{0,62})\./.exec(state)?.[1] ?? null;
}

function below(url: string, prefix: string): string {
  const rest = url.slice(prefix.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}
