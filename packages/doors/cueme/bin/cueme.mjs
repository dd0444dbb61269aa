#!/usr/bin/env node
// The `cueme` command.
import { launch } from "@hap/sdk/launch";

await launch(import.meta.url, "cueme");
