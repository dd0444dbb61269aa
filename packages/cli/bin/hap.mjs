#!/usr/bin/env node
// The `hap` command. Plain JavaScript that an old Node can read too.
import { launch } from "../../sdk/bin/launch.mjs";

await launch(import.meta.url, "hap");
