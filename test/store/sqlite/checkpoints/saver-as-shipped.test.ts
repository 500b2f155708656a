import { deltaChannelHistoryTests, specTest } from "@langchain/langgraph-checkpoint-validation";
import { describe, expect, it, test } from "vitest";
import { savers } from "./saver-validation-support.ts";

/*
 * LangGraph's own suite for checkpointers, over the saver as it ships: it keeps the last checkpoint and the last of each turn.
 * What it does otherwise for that reason is listed here; any other failure is a failure, and so is an exception that is none.
 */

/** What the saver that ships does instead of what a test of the suite asks for, and why that is right. */
interface Exception {
  /** Each names at least one test. */
  titles: string[];
  why: string;
  /** How exactly the test fails. */
  fails: RegExp;
}

const exceptions: Exception[] = [
  {
    titles: [
      "should return a tuple containing a parentConfig with the correct thread_id, checkpoint_ns, and checkpoint_id",
      "should return a tuple containing a parentConfig with the correct thread_id, checkpoint_ns, and checkpoint_id for the latest checkpoint's parent",
    ],
    why: `Both checkpoints are of one turn, so the second takes the place of the first. Its parent is the last
      checkpoint of the turn before, and here there is none: a parentConfig never names what cannot be read.`,
    fails: /^expected undefined to deeply equal \{ configurable/,
  },
  {
    titles: [
      "walks ancestors collecting writes oldest→newest with a snapshot seed",
      "retains a plain (migration) seed and replays boundary writes",
      "orders concurrent same-superstep writes by task id",
      "omits the seed when no ancestor stored a value",
    ],
    why: `The value of a DeltaChannel lies in all checkpoints since the last snapshot, and all but the last of a turn are
      dropped. A graph with such a channel is told so; it would lose state if it were given what is left.`,
    fails: /^a DeltaChannel needs every checkpoint: open the store so that it keeps all$/,
  },
];

type Run = (...args: unknown[]) => unknown;
interface ListCase {
  description: string;
  limit?: number;
  expectedCheckpointIds: string[];
}

const used = new Set<string>();

/** Like `it`, but a test that an exception names must fail, and fail so. */
function itOrException(title: string, run: Run): void {
  const exception = exceptions.find(({ titles }) => titles.includes(title));
  if (exception === undefined) {
    it(title, run);
    return;
  }
  used.add(title);
  it(`${title} (does not: ${exception.why.replace(/\s+/g, " ")})`, async () => {
    await expect((async () => await run())()).rejects.toThrow(exception.fails);
  });
}

/**
 * The suite puts two checkpoints each into two namespaces of two threads and asks for them in some 650 ways. The first of two
 * is dropped when the second is put, since both are of one turn. So where the answer would have to hold a first one, it
 * must lack that one and nothing else, which the same test judges.
 */
function listCases(cases: ListCase[], run: Run): void {
  const [all] = cases;
  const lasts = new Set(all?.expectedCheckpointIds.filter((_id, index) => index % 2 === 1));
  for (const one of cases) {
    const limit = one.limit ?? Number.POSITIVE_INFINITY;
    const expectedCheckpointIds = one.expectedCheckpointIds.filter((id) => lasts.has(id));
    const [asked, kept] = [one.expectedCheckpointIds, expectedCheckpointIds].map((ids) => Math.min(limit, ids.length));
    if (asked === kept) {
      it(one.description, () => run(one));
      continue;
    }
    used.add("list");
    it(`${one.description} (${kept}: the others are no longer their turn's last)`, async () => {
      const fails = new RegExp(`^expected \\+?${kept} to deeply equal ${asked}$`);
      await expect((async () => await run(one))()).rejects.toThrow(fails);
      await run({ ...one, expectedCheckpointIds });
    });
  }
}

// The suite takes `it` from the global scope when it comes to a test, and tells its tests by their titles alone.
const before = { it: (globalThis as { it?: unknown }).it };
Object.assign(globalThis, {
  it: Object.assign(itOrException, {
    each: (cases: ListCase[]) => (_title: string, run: Run) => listCases(cases, run),
  }),
});

const shipping = savers("the saver that ships", false);
specTest(shipping);
deltaChannelHistoryTests(shipping);

describe("the exceptions", () => {
  // Come to after all of the suite: other files have the same global scope.
  Object.assign(globalThis, before);

  test("are each one of the suite's tests", () => {
    expect([...used].sort()).toEqual(["list", ...exceptions.flatMap(({ titles }) => titles)].sort());
  });
});
