import { expect, test } from "vitest";
import { NO_FILTERS } from "./filters.ts";
import { fromSearch, toSearch } from "./list-address.ts";

test("[WEB-URL-1] tab, search and filters go into the address and come back out of it", () => {
  expect(toSearch("mine", NO_FILTERS)).toBe("");
  const filters = { ...NO_FILTERS, text: "deploy & go", from: "agent:ci", project: "/srv/a b", risk: "high" as const };
  expect(fromSearch(toSearch("decided", filters))).toEqual({ view: "decided", filters });
  expect(fromSearch("?tab=nowhere&state=DONE&risk=huge&lang=pseudo")).toEqual({ view: "mine", filters: NO_FILTERS });
});
