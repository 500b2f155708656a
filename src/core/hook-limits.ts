import { kB, type Limit, MB, second } from "./limit-text.ts";

/** Of the person's hooks. */
export const hookLimits = {
  hookTime: {
    what: "one run of a hook, unless its timeout says otherwise",
    most: 60 * second,
    unit: "ms",
    why: "a call waits for it; past it the hook is ended with all that it started, and a call that it was to look at is not run",
  },
  hookOutput: {
    what: "what a hook says on stdout, and on stderr",
    most: MB,
    unit: "bytes",
    why: "arguments of a call that it changes fit; of more the beginning and the end are kept, and such an answer cannot be read",
  },
  hookText: {
    what: "reason or context of a hook",
    most: 4_000,
    unit: "characters",
    why: "the model reads it with every later request; the rest is left out",
  },
  hookResponse: {
    what: "what a hook is told of a call's output",
    most: 100 * kB,
    unit: "characters",
    why: "it is held in memory for each hook; the rest is left out",
  },
  hookRounds: {
    what: "times that hooks have the model go on in one turn",
    most: 3,
    unit: "times",
    why: "a hook that is never content would have the turn never end",
  },
} as const satisfies Record<string, Limit>;
