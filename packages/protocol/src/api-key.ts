// API keys, by which agents come to a server.
import type { KeyScope } from "./constants.ts";

/** An API key as people see it; its secret is nowhere. */
export type KeyView = {
  id: string;
  agent: string;
  scopes: KeyScope[];
  created_by: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  replaces: string | null;
};
