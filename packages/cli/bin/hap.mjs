#!/usr/bin/env node
// The `hap` command. Plain JavaScript that an old Node can read too; where its packages are missing it can only say so.
const { launch } = await import("@hap/sdk/launch").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error(
    `hap: its packages are missing. Node 24 or newer is needed; this is ${process.version}. Run \`npm install\` and try again.`,
  );
  process.exit(1);
});

await launch(import.meta.url, "hap");
