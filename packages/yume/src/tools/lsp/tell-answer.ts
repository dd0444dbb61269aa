// What a language server answers, in words for a model: paths with lines and characters counted from 1. Pure.
import { fileURLToPath } from "node:url";
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  DocumentSymbol,
  Hover,
  Location,
  LocationLink,
  MarkedString,
  Range,
  SymbolInformation,
  WorkspaceSymbol,
} from "vscode-languageserver-protocol";

type Show = (path: string) => string;

const MOST = 500;

/** The protocol's kinds of symbols, from 1. */
const KINDS = [
  ...["File", "Module", "Namespace", "Package", "Class", "Method", "Property", "Field", "Constructor", "Enum", "Interface"],
  ...[
    "Function",
    "Variable",
    "Constant",
    "String",
    "Number",
    "Boolean",
    "Array",
    "Object",
    "Key",
    "Null",
    "EnumMember",
    "Struct",
  ],
  ...["Event", "Operator", "TypeParameter"],
];

/** Places of one kind. */
export function tellLocations(answer: unknown, what: string, show: Show): string {
  const found = (Array.isArray(answer) ? answer : answer ? [answer] : []) as (Location | LocationLink)[];
  const places = new Set(
    found.map((one) =>
      "targetUri" in one
        ? place(one.targetUri, one.targetSelectionRange ?? one.targetRange, show)
        : place(one.uri, one.range, show),
    ),
  );
  if (places.size === 0) return `No ${what} was found. Does the position stand on a name?`;
  return lines(`${count(places.size, what)}:`, [...places]);
}

/** Types and documentation. */
export function tellHover(answer: unknown): string {
  const { contents } = (answer ?? { contents: "" }) as Hover;
  const text = (Array.isArray(contents) ? contents : [contents]).map(plain).filter(Boolean).join("\n\n").trim();
  return text === "" ? "There is nothing to tell about this position. Does it stand on a name?" : text;
}

function plain(content: MarkedString | { value: string }): string {
  return typeof content === "string" ? content : content.value;
}

/** Symbols of a file, as a tree, or of the workspace, with their places. */
export function tellSymbols(answer: unknown, show: Show): string {
  const found = (answer ?? []) as (DocumentSymbol | SymbolInformation | WorkspaceSymbol)[];
  const rows = found.flatMap((symbol) => ("location" in symbol ? [flat(symbol, show)] : tree(symbol, "")));
  return rows.length === 0 ? "No symbol was found." : lines(`${count(rows.length, "symbol")}:`, rows);
}

function flat({ kind, name, containerName, location }: SymbolInformation | WorkspaceSymbol, show: Show): string {
  const within = containerName ? ` in ${containerName}` : "";
  const where = "range" in location ? place(location.uri, location.range, show) : shown(location.uri, show);
  return `${kindOf(kind)} ${name}${within} ${where}`;
}

function tree({ kind, name, detail, selectionRange, children }: DocumentSymbol, indent: string): string[] {
  const row = `${indent}${kindOf(kind)} ${name}${detail ? ` ${detail}` : ""} ${spot(selectionRange)}`;
  return [row, ...(children ?? []).flatMap((child) => tree(child, `${indent}  `))];
}

/** Who calls, or is called by, the items. */
export function tellCalls(items: unknown[], calls: unknown[], direction: "incoming" | "outgoing" | "none", show: Show): string {
  if (items.length === 0) return "Nothing that can be called was found. Does the position stand on a function's name?";
  const own = (items as CallHierarchyItem[]).map((item) => itemRow(item, show));
  if (direction === "none") return lines(`${count(own.length, "item")}:`, own);
  const rows = (calls as (CallHierarchyIncomingCall | CallHierarchyOutgoingCall)[]).map((call) => {
    const other = "from" in call ? call.from : call.to;
    return `${itemRow(other, show)}, called at ${call.fromRanges.map(spot).join(", ")}`;
  });
  const verb = direction === "incoming" ? "calls" : "is called by";
  if (rows.length === 0) return `Nothing ${verb} ${own.join(", ")}.`;
  return lines(`${count(rows.length, direction === "incoming" ? "caller" : "callee")} of ${own.join(", ")}:`, rows);
}

function itemRow({ kind, name, uri, selectionRange }: CallHierarchyItem, show: Show): string {
  return `${kindOf(kind)} ${name} ${place(uri, selectionRange, show)}`;
}

function place(uri: string, range: Range, show: Show): string {
  return `${shown(uri, show)}:${spot(range)}`;
}

function shown(uri: string, show: Show): string {
  return uri.startsWith("file:") ? show(fileURLToPath(uri)) : uri;
}

function spot({ start }: Range): string {
  return `${start.line + 1}:${start.character + 1}`;
}

function kindOf(kind: number): string {
  return KINDS[kind - 1] ?? "Symbol";
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function lines(head: string, rows: readonly string[]): string {
  const rest = rows.length > MOST ? [`[${rows.length - MOST} more]`] : [];
  return [head, ...rows.slice(0, MOST), ...rest].join("\n");
}
