// Answers requests that Node's HTTP parser gives up on: problem details as for every other error, then the connection ends.
import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { HapError } from "@hap/protocol";
import { problemReply } from "./problem.ts";

/** The error of a request that could not be read. */
function errorOf(code: string | undefined): HapError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new HapError("too_large", "The address and headers of a request take at most 16 kB. Shorten the query.");
  const late = code === "ERR_HTTP_REQUEST_TIMEOUT";
  return new HapError("invalid_input", late ? "The request did not arrive in time." : "This is not a readable HTTP/1.1 request.");
}

/** Answer unreadable requests of a server. */
export function refuseUnreadable(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || socket.destroyed || error.code === "ECONNRESET") {
      socket.destroy(error);
      return;
    }
    const { status, json, headers } = problemReply(errorOf(error.code), () => {});
    const body = JSON.stringify(json);
    const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(body), connection: "close" });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
  });
}
