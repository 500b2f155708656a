import { defineConfig } from "vitest/config";

/** The tests of the file that is broken, as run.ts beside this names them. */
export default defineConfig({
  test: {
    include: (process.env["HOLDFAST_MUTANT_TESTS"] ?? "").split(","),
    testTimeout: 60_000,
  },
});
