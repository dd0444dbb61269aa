// The API reference as HTML, from the OpenAPI document: no script, so it works offline and under the strictest content policy.
import { escapeHtml, proseHtml, type Schema, SchemaBook } from "./schema-html.ts";

type Media = Record<string, { schema?: Schema; example?: unknown }>;
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };
type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  security: Record<string, unknown>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Media };
  responses: Record<string, { description?: string; content?: Media }>;
};
type Document = {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};
type Route = { method: string; path: string; entry: Described };

const CALLERS: Record<string, string> = { agent: "an agent's API key", person: "a person's sign-in" };

/** One section per group of operations, then the shared schemas. `document` is what `openapi()` returns. */
export function apiReference(document: Record<string, unknown>): { navigation: string; body: string } {
  const { info, tags, paths, components } = document as unknown as Document;
  const routes: Route[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ method: method.toUpperCase(), path, entry })),
  );
  const book = new SchemaBook();
  for (const { entry } of routes) for (const { schema, name } of schemasOf(entry)) book.add(schema, name);
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    routes: routes.filter(({ entry }) => entry.tags.includes(name)),
  }));
  const navigation = groups
    .map(
      ({ name, routes }) =>
        `<li><a href="#${name}">${title(name)}</a><ul>${routes.map(({ entry }) => `<li><a href="#${entry.operationId}">${escapeHtml(entry.summary)}</a></li>`).join("")}</ul></li>`,
    )
    .join("\n");
  const sections = groups.map(
    ({ name, description, routes }) =>
      `<section id="${name}"><h2>${title(name)}</h2><p>${proseHtml(description)}.</p>${routes.map((route) => operationHtml(route, book)).join("\n")}</section>`,
  );
  const problem = components.schemas.Problem;
  return {
    navigation: `<ul>${navigation}<li><a href="#errors">Errors</a></li><li><a href="#schemas">Shared schemas</a></li></ul>`,
    body: `<h1>${escapeHtml(info.title)} API ${escapeHtml(info.version)}</h1>
<p>${proseHtml(info.description)}</p>
${CURL}
${sections.join("\n")}
<section id="errors"><h2>Errors</h2><p>Every error is a problem detail (RFC 9457), <code>application/problem+json</code>. On 429 and 503,
<code>Retry-After</code> says how many seconds to wait.</p>${problem === undefined ? "" : book.html(problem)}</section>
<section id="schemas"><h2>Shared schemas</h2>${book.sharedHtml()}</section>`,
  };
}

const CURL = `<pre><code>curl -H "Authorization: Bearer $HAP_API_KEY" -H 'Content-Type: application/json' \\
     -d '{"to":"human:alex","kind":"deploy","summary":"Ship 1.4"}' $HAP_URL/v1/tickets
curl -H "Authorization: Bearer $HAP_API_KEY" "$HAP_URL/v1/tickets/tk_...?wait=55"</code></pre>`;

const title = (tag: string) => escapeHtml(tag.charAt(0).toUpperCase() + tag.slice(1));

function* schemasOf({ operationId, requestBody, responses }: Described): Generator<{ schema: Schema; name: string }> {
  const bodies = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
  for (const content of bodies)
    for (const { schema } of Object.values(content ?? {})) if (schema !== undefined) yield { schema, name: operationId };
}

function operationHtml({ method, path, entry }: Route, book: SchemaBook): string {
  const { operationId, summary, security, parameters, requestBody, responses } = entry;
  const callers = [...new Set(security.flatMap(Object.keys))].flatMap((scheme) => CALLERS[scheme] ?? []);
  const who = callers.length === 0 ? "no sign-in" : callers.join(" or ");
  return `<section class="operation" id="${operationId}">
<h3>${escapeHtml(summary)}</h3>
<p><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code> <span class="who">with ${who}</span></p>
${parametersHtml(parameters)}${requestBody === undefined ? "" : bodyHtml(requestBody, book)}${Object.entries(responses)
  .filter(([status]) => /^\d+$/.test(status))
  .map(([status, { description = "", content }]) => answerHtml(status, description, content, book))
  .join("")}</section>`;
}

function parametersHtml(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(({ name, in: where, required, description, schema }) => {
    const values =
      schema.enum === undefined ? [] : [schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(", ")];
    const words = [...(description === undefined ? [] : [proseHtml(description)]), ...values].join(": ");
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${where}${required ? ", required" : ""}</td><td>${words}</td></tr>`;
  });
  return `<table><thead><tr><th>Parameter</th><th>In</th><th></th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function bodyHtml({ required, content }: NonNullable<Described["requestBody"]>, book: SchemaBook): string {
  const { schema, example } = content["application/json"] ?? {};
  const shown = example === undefined ? "" : `<pre><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre>`;
  return `<details><summary>Request body${required ? "" : " (optional)"}</summary>${schema === undefined ? "" : book.html(schema)}${shown}</details>`;
}

function answerHtml(status: string, description: string, content: Media | undefined, book: SchemaBook): string {
  const [media, { schema } = {}] = Object.entries(content ?? {})[0] ?? [];
  const words = `<code>${status}</code> ${proseHtml(description)}${media === undefined || media === "application/json" ? "" : ` (<code>${escapeHtml(media)}</code>)`}`;
  return schema === undefined || media !== "application/json"
    ? `<p class="answer">${words}</p>`
    : `<details><summary>${words}</summary>${book.html(schema)}</details>`;
}
