// A receiver of webhooks: checks the signature (Standard Webhooks), drops what it has seen, prints what was decided.
//   hap webhook create http://localhost:8099/ --events ticket.create,ticket.resolve
//   HAP_WEBHOOK_SECRET=whsec_... node examples/webhook-receiver.ts
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const FIVE_MINUTES_S = 300;
const secret = Buffer.from((process.env.HAP_WEBHOOK_SECRET ?? "").replace(/^whsec_/, ""), "base64");
if (secret.length === 0) throw new Error("Set HAP_WEBHOOK_SECRET to the secret that `hap webhook create` showed.");
const seen = new Set<string>();

/** True if one of the signatures in the header is ours for this message. */
function isSigned(id: string, timestamp: string, body: string, header: string): boolean {
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > FIVE_MINUTES_S) return false;
  const wanted = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest();
  return header.split(" ").some((entry) => {
    const [version, signature = ""] = entry.split(",");
    const given = Buffer.from(signature, "base64");
    return version === "v1" && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const header = (name: string) => String(request.headers[name] ?? "");
  const id = header("webhook-id");
  if (!isSigned(id, header("webhook-timestamp"), body, header("webhook-signature"))) {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end();
  if (seen.has(id)) return; // delivered at least once: the same id may come again
  seen.add(id);
  const { type, data } = JSON.parse(body);
  console.log(type, data.ticket_id ?? "", data.outcome ?? data.state ?? "");
});
server.listen(Number(process.env.PORT ?? 8099), "127.0.0.1", () => {
  console.log(`listening on ${JSON.stringify(server.address())}`);
});
