import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/**/src/**/*.test.ts", "packages/**/test/**/*.test.ts", "apps/*/test/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/artefacts/**", "**/*.cluster.test.ts", "**/node_modules/**"],
    setupFiles: ["test/support/seed-properties.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
