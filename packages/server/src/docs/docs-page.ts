// `/docs`: the API reference of this server, and below it the documentation site where one was built beside the program.
import { pageFile, type ReadPage } from "../page.ts";
import { apiReference } from "./api-reference.ts";
import { DOCS_STYLE } from "./docs-style.ts";

/** Answers for paths from `/docs` on; null where nothing is. The reference is made at the first request. */
export function docsPages(document: Record<string, unknown>, site?: ReadPage) {
  let made: string | undefined;
  return async (path: string, accepts?: string): Promise<Response | null> => {
    if (path === "/docs") {
      made ??= referencePage(document, site !== undefined);
      return new Response(made, { headers: { "content-type": "text/html; charset=utf-8" } });
    }
    if (path === "/docs/reference.css")
      return new Response(DOCS_STYLE, { headers: { "content-type": "text/css; charset=utf-8" } });
    return site === undefined ? null : pageFile(site, path.slice("/docs".length), accepts);
  };
}

function referencePage(document: Record<string, unknown>, hasSite: boolean): string {
  const { navigation, body } = apiReference(document);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HAP API reference</title>
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<header class="bar"><a class="name" href="/">HAP</a>${hasSite ? '<a href="/docs/index.html">Documentation</a>' : ""}<a href="/openapi.json">openapi.json</a></header>
<div class="page">
<nav aria-label="Operations">${navigation}</nav>
<main>${body}</main>
</div>
</body>
</html>
`;
}
