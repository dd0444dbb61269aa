// A port for a server that stops and comes back, or whose address must be known before it starts. One that the system hands out
// may be somebody else's connection in between, or even the client's own: this one is outside of what it hands out.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";

const LOWEST = 10_000;
const USUAL_EPHEMERAL = 32_768;

/** A port on the loopback that nobody has now, and that nobody is given. */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (firstEphemeral() - LOWEST));
    if (await isFree(port)) return port;
  }
}

/** Where the ports begin that connections and servers without a wish are given. */
function firstEphemeral(): number {
  try {
    const first = Number(readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s/)[0]);
    return first > LOWEST + 1000 ? first : USUAL_EPHEMERAL;
  } catch {
    return USUAL_EPHEMERAL;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
