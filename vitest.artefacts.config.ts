// `npm run test:artefacts`: what is published, installed into an empty folder and used there. Takes minutes, so apart from `npm test`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/artefacts/**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    pool: "forks",
  },
});
