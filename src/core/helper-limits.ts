import type { Limit } from "./limit-text.ts";

/** Of the sessions that calls drive. */
export const helperLimits = {
  childTask: {
    what: "what a helper is told with its task, in one text",
    most: 100_000,
    unit: "characters",
    why: "it is a first message like a person's; longer matter is in files, which a helper can read",
  },
  childTasks: {
    what: "helpers of one call",
    most: 16,
    unit: "helpers",
    why: "each is a session with a cost of its own; more is another call",
  },
  childrenAtOnce: {
    what: "helpers of one call that work at once",
    most: 4,
    unit: "helpers",
    why: "their servers count requests (maxChildren in config.json); the others wait for their turn",
  },
  childTalk: {
    what: "record of a helper's talk for one that goes on with it",
    most: 60_000,
    unit: "bytes",
    why: "it is told with each request; past it what lies between its task and its end is left out",
  },
  childReport: {
    what: "last messages of the helpers of one call, as the model is told them",
    most: 24_000,
    unit: "bytes",
    why: "what they read stays with them, or nothing is won by having them; past it each is cut to its share",
  },
} as const satisfies Record<string, Limit>;
