// The page before a sign-in is handed over to a terminal: the person types the code that their own terminal shows.

/** The form. `person` is an id, `action` where the form is sent, `problem` one sentence of ours. */
export function consentPage({
  id,
  person,
  action,
  problem,
}: {
  id: string;
  person: string;
  action: string;
  problem?: string | undefined;
}): string {
  return page(
    "Sign in a terminal",
    `<p>A terminal asks to act as <strong>${escapeHtml(person)}</strong>.</p>
<p>If you ran <code>hap login</code>, type the code that it shows. If you did not, close this page: somebody sent you a link.</p>
${problem === undefined ? "" : `<p role="alert"><strong>${escapeHtml(problem)}</strong></p>`}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="consent" value="${escapeHtml(id)}">
<label>Code <input name="code" autocomplete="off" autocapitalize="characters" autofocus required></label>
<button type="submit">Sign in the terminal</button>
</form>`,
  );
}

/** Sends the browser on to the terminal. A redirect of a form's answer is refused by the page's own policy. */
export function handedOverPage(to: URL): string {
  const href = escapeHtml(to.href);
  return page(
    "Signed in",
    `<p><a href="${href}">Go on to your terminal</a></p>`,
    `<meta http-equiv="refresh" content="0;url=${href}">`,
  );
}

function page(title: string, body: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${title} - HAP</title></head><body><h1>${title}</h1>
${body}
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
