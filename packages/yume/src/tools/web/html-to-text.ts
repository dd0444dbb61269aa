// A page's words without its markup: headings, lists, links and code stay recognisable. Pure, in linear time.

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  copy: "©",
};
const DROPPED = ["script", "style", "noscript", "template", "svg", "head"];
const BLOCKS =
  /^(?:p|div|section|article|header|footer|main|nav|aside|table|tr|ul|ol|dl|dd|dt|blockquote|figure|form|br|hr|h[1-6]|pre|li)$/;

/** Text from HTML. */
export function htmlToText(html: string): string {
  let out = "";
  let position = 0;
  let dropped: string | null = null;
  let href: string | null = null;
  while (position < html.length) {
    const open = html.indexOf("<", position);
    const words = html.slice(position, open < 0 ? undefined : open);
    if (dropped === null) out += decodeEntities(words.replaceAll(/[ \t\r\n]+/g, " "));
    if (open < 0) break;
    if (html.startsWith("<!--", open)) {
      const end = html.indexOf("-->", open + 4);
      position = end < 0 ? html.length : end + 3;
      continue;
    }
    const close = html.indexOf(">", open + 1);
    if (close < 0) break;
    const tag = html.slice(open + 1, close);
    position = close + 1;
    const name = /^\/?\s*([A-Za-z0-9]+)/.exec(tag)?.[1]?.toLowerCase() ?? "";
    const ends = tag.startsWith("/");
    if (dropped !== null) {
      if (ends && name === dropped) dropped = null;
      continue;
    }
    if (!ends && DROPPED.includes(name) && !tag.endsWith("/")) {
      dropped = name;
      continue;
    }
    if (name === "a") {
      if (ends && href !== null) out += ` (${href})`;
      href = ends ? null : (/\bhref\s*=\s*["']?(https?:[^"'\s>]+)/i.exec(tag)?.[1] ?? null);
    } else if (BLOCKS.test(name)) {
      out += "\n";
      if (!ends && name === "li") out += "- ";
      if (!ends && /^h[1-6]$/.test(name)) out += `${"#".repeat(Number(name[1]))} `;
    } else if (name === "td" || name === "th") out += " ";
  }
  return out
    .replaceAll(/[ \t]+\n/g, "\n")
    .replaceAll(/\n[ \t]+/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
    },
  );
}
