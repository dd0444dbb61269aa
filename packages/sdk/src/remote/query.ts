// A query string of what was given; lists with commas between.
export function ticketQueryString(query: Record<string, string | number | boolean | readonly string[] | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
