// WebFetch over real TLS: certificates, added authorities, redirects, and the setting that names a private host.
import { writeFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { webFetchTool } from "../src/tools/web/web-tools.ts";
import { makePlace, runYume, says, uses } from "./support/place.ts";
import { toolWorld } from "./support/tool-world.ts";
import { selfSigned } from "./wire/torture/self-signed.ts";

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe("WebFetch", () => {
  const asked: string[] = [];
  const inner = createHttp((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    response.end("the secret of the network");
  });
  const pages = createServer(selfSigned, ({ url }, response) => {
    if (url === "/here") response.writeHead(302, { location: "/" }).end();
    else response.writeHead(200, { "content-type": "text/html" }).end("<h1>Over TLS</h1><p>Hello.</p>");
  });
  let [host, privateHost] = ["", ""];
  beforeAll(async () => {
    [host, privateHost] = [await listen(pages), await listen(inner)];
  });
  afterAll(() => {
    pages.close();
    inner.close();
  });

  const fetchWith = async (url: string, settings: unknown, trust: boolean) => {
    const place = await makePlace([uses(["WebFetch", { url }]), says("Done.")]);
    const certificates = join(place.work, "authority.pem");
    writeFileSync(certificates, selfSigned.cert);
    const args = ["--provider", "openai", "--prompt", "Go", "--allowedTools", "WebFetch", "--settings", JSON.stringify(settings)];
    const { frames } = await runYume(place, args, "", { env: trust ? { NODE_EXTRA_CA_CERTS: certificates } : {} });
    return frames.find(({ type }) => type === "tool_result");
  };

  it("[YUME-WEB-3] reads a page over TLS from a host that the settings name, with an authority that the user adds", async () => {
    const settings = { webFetch: { allowHosts: [host] } };
    expect(await fetchWith(`https://${host}/here`, settings, true)).toMatchObject({
      is_error: false,
      content: `https://${host}/\n\n# Over TLS\n\nHello.`,
    });
    expect(await fetchWith(`https://${host}/`, settings, false)).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/could not be fetched: .*self.signed certificate/i),
    });
    expect(await fetchWith(`https://${host}/`, {}, true)).toMatchObject({
      is_error: true,
      content: expect.stringContaining("private network"),
    });
  });

  it("[YUME-WEB-3] follows no redirect to a private address or another scheme, and none for ever", async () => {
    // The public part is played by an allowed host: what it redirects to is judged anew.
    const { run } = toolWorld();
    const front = createHttp((request, response) =>
      response.writeHead(302, { location: request.url === "/round" ? "/round" : String(request.url?.slice(1)) }).end(),
    );
    const frontHost = await listen(front);
    const tool = webFetchTool([frontHost]);
    const away = await run(tool, { url: `http://${frontHost}/http://${privateHost}/secret` });
    expect(away.text).toBe(
      `http://${frontHost}/http://${privateHost}/secret redirects to another host: http://${privateHost}/secret. Fetch that if you want it.`,
    );
    expect(await run(tool, { url: `http://${privateHost}/secret` })).toMatchObject({ is_error: true });
    expect((await run(tool, { url: `http://${frontHost}/file:///etc/passwd` })).text).toContain("Only http and https");
    expect((await run(tool, { url: `http://${frontHost}/round` })).text).toContain("redirects more than 5 times");
    expect(asked).toEqual([]);
    front.close();
  });
});
