// `npm run test:desktop`: the app is built and its real window driven, which takes minutes and so is no part of `npm test`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("../../../..", import.meta.url).pathname,
    include: ["apps/desktop/test/window/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 3_600_000,
    pool: "forks",
    fileParallelism: false,
  },
});
