import { defineConfig } from "vitest/config";

/** What takes long, and seldom finds what the other tests miss: `npm run test:long`. `.ci/run` runs both. */
const long = "test/**/*.long.test.ts";

/** On the installed package beside its peers, which `.ci/peers` installs. */
const peers = "test/peers/**/*.test.ts";

/** In a real Chromium, over the server that drives it: `npm run test:browser`. */
const browser = "test/browser/**/*.test.ts";

export default defineConfig({
  test: {
    globalSetup: "test/support/build-once.ts",
    setupFiles: "test/support/beside-connection.ts",
    pool: "forks",
    maxWorkers: 3, // of two cores: many tests wait for a process, a terminal or a lock
    projects: [
      {
        extends: true,
        test: { name: "short", include: ["test/**/*.test.ts", "test/**/*.test.tsx"], exclude: [long, peers, browser] },
      },
      { extends: true, test: { name: "long", include: [long] } },
      { extends: true, test: { name: "peers", include: [peers] } },
      { extends: true, test: { name: "browser", include: [browser] } },
    ],
    globals: true, // the checkpointer validation suite asks for them
    isolate: false, // what a file imports is loaded once for all the files of a worker: a sixth of the whole time
    unstubEnvs: true,
    // A machine that is busy with more than these tests is slow, not wrong.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
