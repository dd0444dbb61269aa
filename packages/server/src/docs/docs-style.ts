// The stylesheet of the API reference and of the documentation site: system fonts, light and dark, nothing to download.
export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#faf9f7, #141517);
  --raised: light-dark(#f3f1ed, #1b1d20);
  --line: light-dark(#e6e2db, #2c2f35);
  --ink: light-dark(#23211e, #e8e6e1);
  --soft: light-dark(#625d55, #a5a29b);
  --link: light-dark(#3a5a8c, #9db9e8);
  --get: light-dark(#1f6b45, #7fcfa2);
  --change: light-dark(#83560a, #e5b866);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.bar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; padding: 0.6rem 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.bar .name { font-weight: 650; color: var(--ink); text-decoration: none; margin-right: auto; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
.page > nav { position: sticky; top: 3.3rem; align-self: start; max-height: calc(100vh - 3.3rem); overflow: auto; padding: 1.25rem 0.75rem 3rem 1.25rem; font-size: 0.9rem; border-right: 1px solid var(--line); }
.page > nav ul { list-style: none; margin: 0 0 0.75rem; padding: 0; }
.page > nav ul ul { margin: 0.15rem 0 0.75rem; padding-left: 0.75rem; }
.page > nav a { display: block; padding: 0.15rem 0.4rem; border-radius: 0.3rem; color: var(--soft); text-decoration: none; }
.page > nav a:hover, .page > nav a[aria-current] { color: var(--ink); background: var(--raised); }
.page > nav > ul > li > a, .page > nav .group { padding: 0.15rem 0.4rem; color: var(--ink); font-weight: 600; }
main { min-width: 0; padding: 1rem 2.5rem 6rem; }
main > *, main section > * { max-width: 50rem; }
main > .wide, main section > .wide, table { max-width: 100%; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 1rem 0; }
h2 { font-size: 1.4rem; margin: 2.5rem 0 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
code { font: 0.875em/1.5 var(--mono); background: var(--raised); border-radius: 0.25rem; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { position: relative; margin: 1rem 0; padding: 0.85rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 0.5rem; overflow: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
table { display: block; overflow: auto; border-collapse: collapse; margin: 1rem 0; font-size: 0.94rem; }
th, td { padding: 0.4rem 0.75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
img { max-width: 100%; height: auto; border-radius: 0.4rem; }
blockquote { margin: 1rem 0; padding: 0.1rem 1rem; border-left: 3px solid var(--line); color: var(--soft); }
details { margin: 0.5rem 0; }
summary { cursor: pointer; }
details > :not(summary) { margin-left: 1.1rem; }
.operation { padding-bottom: 0.5rem; }
.method { font: 600 0.8rem var(--mono); color: var(--change); }
.method.get { color: var(--get); }
.who, .needed { color: var(--soft); font-size: 0.85rem; }
.fields { margin: 0.5rem 0; font-size: 0.94rem; }
.fields dt { margin-top: 0.5rem; }
.fields dd { margin: 0 0 0 1.1rem; }
.fields p, .type { margin: 0; color: var(--soft); }
@media (max-width: 50rem) {
  .page { grid-template-columns: minmax(0, 1fr); }
  .page > nav { position: static; max-height: 14rem; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 0.5rem 1.25rem 4rem; }
}
@media print { .bar, .page > nav { display: none; } .page { display: block; } }
`;
