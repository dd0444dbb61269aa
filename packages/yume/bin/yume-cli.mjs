#!/usr/bin/env node
// The `yume-cli` command.
import { launch } from "@hap/sdk/launch";

await launch(import.meta.url, "yume-cli");
