import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    globalSetup: "test/support/build-once.ts",
    globals: true, // the checkpointer validation suite asks for them
    testTimeout: 120_000, // a machine that is busy with more than these tests is slow, not wrong
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 3, // of two cores: many tests wait for a process, a terminal or a lock
  },
});
