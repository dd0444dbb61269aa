import { defineConfig } from "vitest/config";

// Slow tests against a real PostgreSQL: every command in every order, and faults.
export default defineConfig({
  test: {
    include: ["packages/**/test/**/*.cluster.test.ts", "test/**/*.cluster.test.ts"],
    setupFiles: ["test/support/seed-properties.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    maxWorkers: 1,
  },
});
