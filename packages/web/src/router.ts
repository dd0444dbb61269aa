// Where the person is in the page: the address bar is the truth, so that links, reloading and going back work.
import { signal } from "@preact/signals";

/** The path of the space that this page is of, if it is not the server's own: `/s/NAME`. */
export const base = /^\/s\/[a-z0-9-]+(?=\/|$)/.exec(location.pathname)?.[0] ?? "";

/** The address of a place in this space. */
export const at = (place: string) => base + place;

/** The address without its origin. */
export const path = signal(location.pathname);

/** Every place in the page. */
export type Place =
  | { name: "inbox" }
  | { name: "ticket"; id: string }
  | { name: "conversations"; agent: string | null }
  | { name: "insights" }
  | { name: "settings" }
  | { name: "nowhere" };

/** The place that an address names. */
export function readPlace(address: string): Place {
  const [first = "", second, ...rest] = address
    .slice(address.startsWith(`${base}/`) || address === base ? base.length : 0)
    .split("/")
    .filter((part) => part !== "");
  if (rest.length > 0) return { name: "nowhere" };
  if (first === "") return { name: "inbox" };
  if (first === "tickets" && second !== undefined) return { name: "ticket", id: decodeURIComponent(second) };
  if (first === "conversations")
    return { name: "conversations", agent: second === undefined ? null : decodeURIComponent(second) };
  if ((first === "insights" || first === "settings") && second === undefined) return { name: first };
  return { name: "nowhere" };
}

export const ticketPath = (id: string) => `${base}/tickets/${encodeURIComponent(id)}`;
export const conversationPath = (agent: string) => `${base}/conversations/${encodeURIComponent(agent)}`;

/** The list's part of the address, kept while a person moves between the list and its tickets. */
const ofList = (to: string) => ["inbox", "ticket"].includes(readPlace(to).name);
let listSearch = ofList(location.pathname) ? location.search : "";

/** Put the list's state into the address. */
export function keepSearch(search: string): void {
  listSearch = search;
  if (ofList(path.value) && location.search !== search) history.replaceState(null, "", path.value + search);
}

/** Go somewhere in the page; `replace` leaves no step to go back to. */
export function go(to: string, { replace = false } = {}): void {
  if (to === path.value) return;
  const address = to + (ofList(to) ? listSearch : "");
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  path.value = to;
}

/** Follow links inside the page without loading it again, and the browser's own buttons; `found` hears of another search. */
export function watchAddress(found: (search: string) => void): void {
  addEventListener("popstate", () => {
    path.value = location.pathname;
    if (ofList(path.value) && location.search !== listSearch) {
      listSearch = location.search;
      found(location.search);
    }
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (link == null || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin) return;
    event.preventDefault();
    go(link.pathname);
  });
}
