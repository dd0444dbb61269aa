// One operation of HAP: what a request looks like, who may make it, and how the clients offer it as a method. Schemas are functions of
// the schema library's caller (`Shapes`), so a table of operations loads none: agents' programs bring it without one.
import type * as z from "zod";
import type { KeyScope } from "../constants.ts";
import type { Shapes } from "./shapes.ts";

/** Who may call: agents with a key that has the scope, signed-in people, owners, either of the two halves, or anyone. */
type Audience = "anyone" | "agent" | "person" | "owner" | "either";

/** The groups of the OpenAPI document. */
type OperationTag =
  | "tickets"
  | "decisions"
  | "log"
  | "policy"
  | "grants"
  | "conversations"
  | "identity"
  | "credentials"
  | "webhooks"
  | "push";

/** One row of the table. */
export type Operation = {
  /** Its name in the OpenAPI document and in errors. */
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** As OpenAPI writes it: `/v1/tickets/{id}`. */
  readonly path: string;
  readonly tag: OperationTag;
  readonly summary: string;
  readonly who: Audience;
  /** What an agent's key must allow. */
  readonly scope?: KeyScope;
  /** The query of a GET, the JSON body of anything else. */
  readonly input?: (shapes: Shapes) => z.ZodType;
  /** `handler`: the body is only checked to be an object, and the schema describes what the handler accepts. */
  readonly parsedBy?: "handler";
  /** A body must be sent even where every field of it is optional. */
  readonly needsBody?: true;
  /** Header names that are added to the input, under the given field. */
  readonly headers?: Readonly<Record<string, { field: string; description?: string; maxLength: number }>>;
  /** An example of the body. */
  readonly example?: unknown;
  /** Maximum body size in bytes, if larger or smaller than usual. */
  readonly maxBytes?: number;
  /** The JSON of a success; left out, there is none. */
  readonly output?: (shapes: Shapes) => z.ZodType;
  /** The media type of a success that is not JSON. */
  readonly media?: "application/octet-stream" | "text/event-stream";
  /** HTTP status of a success, 200 unless stated. */
  readonly status?: 200 | 201 | 202 | 204;
  /** What a success holds, for the document. */
  readonly answer: string;
  /** Further statuses that are not errors. */
  readonly also?: Readonly<Record<number, string>>;
  /** Name of the trace span, and the message of the log line, for operations on tickets. */
  readonly span?: string;
  readonly logs?: string;
  /** The clients' method: its arguments become the input. */
  // biome-ignore lint/suspicious/noExplicitAny: any arguments; `operation` checks what they become.
  readonly call?: (...args: any[]) => object;
  /** The field of the answer that the clients' method returns; the whole answer unless stated. */
  readonly give?: string;
};

/** Operations by the name of their client method. */
export type Operations = Readonly<Record<string, Operation>>;

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown;

type Defined<T> = T extends object ? { [K in keyof T]: Exclude<T[K], undefined> } : T;
type SchemaOf<F> = F extends (shapes: Shapes) => infer S ? (S extends z.ZodType ? S : never) : never;
/** A query arrives as text and is parsed into values, which clients give as such; a body arrives as it was given. */
type Given<O extends Operation> = O extends { input: infer F }
  ? O["method"] extends "GET"
    ? z.output<SchemaOf<F>>
    : z.input<SchemaOf<F>>
  : unknown;

type HeaderFields<O extends Operation> = O extends { headers: infer H }
  ? { [K in keyof H as H[K] extends { field: infer F extends string } ? F : never]?: string }
  : unknown;

/** What an operation is called with: path parameters, query or body, in one object. Optional fields are left out or defined. */
export type InputOf<O extends Operation> = PathParameters<O["path"]> & Defined<Given<O>> & HeaderFields<O>;

/** The same with `undefined` for what was left out. */
export type LooseInputOf<O extends Operation> = PathParameters<O["path"]> & Given<O> & HeaderFields<O>;

/** What a success holds: parsed JSON, bytes, or nothing. */
export type OutputOf<O extends Operation> = O extends { output: infer F }
  ? z.output<SchemaOf<F>>
  : O extends { media: "application/octet-stream" }
    ? Uint8Array
    : undefined;

type Checked<O extends Operation> = { call?: (...args: never[]) => LooseInputOf<O> };
/** The stated field of the answer, `never` if it has no such field. */
type GivenBack<O extends Operation, Answer> = O["give"] extends infer Field extends string
  ? Field extends keyof Answer
    ? Answer[Field]
    : never
  : Answer;

/** Declare an operation. The types of its input and output, and of its client method, follow from it. */
export function operation<const O extends Operation>(definition: O & Checked<O>): O {
  return definition;
}

/** An operation as a client's method. */
export type Method<O extends Operation> = O extends { call: (...args: infer A) => object }
  ? (...args: A) => Promise<GivenBack<O, OutputOf<O>>>
  : never;

/** The methods that a table of operations gives a client. */
export type Methods<T extends Operations> = { [K in keyof T]: Method<T[K]> };

/** Run one operation of a table: over HTTP, or on an engine of this process. */
export type Send<T extends Operations> = <K extends keyof T>(
  name: K,
  input: LooseInputOf<T[K]>,
  options?: { signal?: AbortSignal | undefined },
) => Promise<OutputOf<T[K]>>;
