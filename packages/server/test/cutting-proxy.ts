// A line between a client and a server that breaks at random moments, in the middle of anything.
import { connect, createServer, type Socket } from "node:net";

/** Start the proxy; `cuts` counts how often it broke, and is told to who says when it breaks next. */
export async function cuttingProxy(target: URL, everyMs: (cuts: number) => number) {
  const open = new Set<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket)).on("error", () => {});
    }
    near.pipe(far).pipe(near);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    const timer = setTimeout(() => {
      cuts++;
      near.destroy();
    }, everyMs(cuts));
    near.on("close", () => clearTimeout(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    cuts: () => cuts,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
