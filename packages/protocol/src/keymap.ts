// The keys of the inbox, for page and terminal alike: what each does, and how `?` describes it. Faces bind actions, never keys, so
// a key is added or changed here alone. Key names are those of a terminal ("down", "enter", "space").

/** One action: its keys, how they are written for people, and what they do. A face without words does not offer it. */
type Binding = { readonly keys: readonly string[]; readonly shown: string; readonly page?: string; readonly terminal?: string };

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** Every action in the order in which a person needs them. No key has two. */
export const KEYMAP = {
  next: { keys: ["j", "down"], shown: "j ↓", page: "Next ticket", terminal: "down, in the list and in a ticket" },
  previous: { keys: ["k", "up"], shown: "k ↑", page: "Previous ticket", terminal: "up, in the list and in a ticket" },
  open: {
    keys: ["enter"],
    shown: "Enter",
    page: "Open the ticket",
    terminal: "open: you see all of it, and its timer pauses for ten minutes",
  },
  approve: {
    keys: ["a"],
    shown: "a",
    page: "Approve, or send the answer",
    terminal: "approve, or answer a question; only after you have read to the end",
  },
  option: { keys: DIGITS, shown: "1-9", page: "Choose an option" },
  reject: { keys: ["r"], shown: "r", page: "Reject", terminal: "reject: with a ready reason, or in your own words" },
  changes: { keys: ["c"], shown: "c", page: "Request changes", terminal: "request changes" },
  edit: { keys: ["e"], shown: "e", page: "Edit, then approve", terminal: "edit, then approve, where the ticket allows it" },
  snooze: { keys: ["s"], shown: "s", page: "Snooze", terminal: "snooze: out of the inbox for a while" },
  undo: {
    keys: ["u"],
    shown: "u",
    page: "Undo an approval that was not applied yet",
    terminal: "undo a decision before it is sent or applied",
  },
  moreTime: { keys: ["+"], shown: "+", page: "Five more minutes, in the last minute", terminal: "five more minutes" },
  nextFile: { keys: ["n"], shown: "n", page: "Next file of a diff", terminal: "next file of a diff" },
  previousFile: { keys: ["p"], shown: "p", page: "Previous file of a diff", terminal: "previous file of a diff" },
  select: {
    keys: ["x"],
    shown: "x",
    page: "Select for a batch",
    terminal: "select; a, r, c and s then act on all that are selected",
  },
  pageDown: { keys: ["space", "pagedown"], shown: "Space, PgDn", terminal: "a page down" },
  pageUp: { keys: ["b", "pageup"], shown: "b, PgUp", terminal: "a page up" },
  first: { keys: ["g", "home"], shown: "g", terminal: "first" },
  last: { keys: ["G", "end"], shown: "G", terminal: "last; in the list, G at the end reads the next page" },
  search: {
    keys: ["/"],
    shown: "/",
    page: "Search",
    terminal: "filter by words: summary, agent, project, kind, priority, code",
  },
  nextTab: { keys: ["tab"], shown: "Tab", terminal: "mine, all, decided" },
  previousTab: { keys: ["backtab"], shown: "Shift-Tab", terminal: "decided, all, mine" },
  conversations: { keys: ["m"], shown: "m", terminal: "conversations with agents: read, reply, leave a message" },
  back: {
    keys: ["escape"],
    shown: "Esc",
    page: "Back, clear, close",
    terminal: "back; in the list: no filter, nothing selected",
  },
  close: { keys: ["left", "h"], shown: "← h", terminal: "close the open ticket" },
  help: { keys: ["?"], shown: "?", page: "This list", terminal: "this help" },
  redraw: { keys: ["ctrl-l"], shown: "Ctrl-L", terminal: "redraw the screen" },
  suspend: { keys: ["ctrl-z"], shown: "Ctrl-Z", terminal: "suspend" },
  quit: { keys: ["q"], shown: "q", terminal: "quit" },
} as const satisfies Record<string, Binding>;

/** What a key can do. */
export type KeyAction = keyof typeof KEYMAP;

const actions = new Map(
  Object.entries(KEYMAP).flatMap(([action, { keys }]) => keys.map((key) => [key as string, action as KeyAction] as const)),
);

/** The action of a key, or null. */
export function actionOfKey(name: string): KeyAction | null {
  return actions.get(name) ?? null;
}

/** How the first key of an action is written, on a button or in a hint. */
export function keyLabel(action: KeyAction): string {
  return KEYMAP[action].shown.split(/[ ,]/)[0] as string;
}

/** The keys of one face with what they do, for `?`. */
export function keysOf(face: "page" | "terminal"): { action: KeyAction; shown: string; words: string }[] {
  return Object.entries(KEYMAP as Record<KeyAction, Binding>).flatMap(([action, binding]) => {
    const words = binding[face];
    return words === undefined ? [] : [{ action: action as KeyAction, shown: binding.shown, words }];
  });
}
