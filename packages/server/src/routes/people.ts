// The rights of the people in the log (draft 19.1): export and deletion, for oneself or, as an owner, for somebody else.
import { personDataSchema, personDeletionSchema } from "@hap/protocol";
import * as z from "zod";
import { assertAtPage } from "../page-needed.ts";
import { type Route, route } from "../route.ts";
import { given, text } from "./shapes.ts";

const tag = "identity";

const also = () =>
  z
    .array(text(200).min(2))
    .max(20)
    .optional()
    .meta({ description: "Further words to search texts for: a full name, an address" });

export const peopleRoutes: Route[] = [
  route({
    method: "post",
    path: "/v1/people/{person}/export",
    id: "exportPerson",
    tag,
    summary: "Everything that the store holds about a person, for that person or an owner; changes nothing",
    who: "person",
    body: z.object({ also: also() }),
    bodyRequired: false,
    answer: { status: 200, schema: personDataSchema(), description: "The data" },
    handle: async ({ person, params, body }) => ({
      body: await person.exportPerson(params.person as string, given(body)),
      headers: { "cache-control": "no-store" },
    }),
  }),
  route({
    method: "post",
    path: "/v1/people/{person}/deletion/phrase",
    id: "issueDeletionPhrase",
    tag,
    summary: "The phrase that confirms a deletion, for the page alone: a token gets the page's address",
    who: "person",
    answer: {
      status: 201,
      schema: z.object({ phrase: z.string(), expires_at: z.string() }),
      description: "The phrase, for one use by this person",
    },
    handle: async ({ person, principal, request, params }) => {
      const what = "A deletion cannot be undone, and a token alone cannot confirm one.";
      assertAtPage(principal, request, { path: "/settings", what });
      return {
        status: 201,
        body: await person.issueDeletionPhrase(params.person as string),
        headers: { "cache-control": "no-store" },
      };
    },
  }),
  route({
    method: "post",
    path: "/v1/people/{person}/deletion",
    id: "deletePerson",
    tag,
    summary:
      "Delete a person, or with `dry_run` say what that would do; for that person or an owner, with the phrase that was issued",
    who: "person",
    body: z.object({
      dry_run: z.boolean().optional(),
      phrase: text(200).optional(),
      mentions: z
        .union([z.enum(["erase", "keep"]), z.record(text(80), z.enum(["erase", "keep"]))])
        .optional()
        .meta({ description: "What to do with texts of others that name the person: all alike, or by digest" }),
      also: also(),
      reassign_to: text(80).optional().meta({ description: "Who gets the open tickets; left out, they are canceled" }),
    }),
    maxBytes: 1024 * 1024,
    answer: { status: 200, schema: personDeletionSchema(), description: "What it would do, or did, and what was kept and why" },
    handle: async ({ person, params, body }) => ({ body: await person.deletePerson(params.person as string, given(body)) }),
  }),
];
