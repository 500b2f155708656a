import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/json.ts";
import { parseStep } from "../../../src/core/step-id.ts";
import { settle } from "../../../src/graph/calls/transitions.ts";
import type { Journal } from "../../../src/store/types.ts";
import { begin, commitCalls, drive, open, pendingCall, tempFile } from "../support.ts";

/** A call whose second attempt runs as a job, and the ends of both, which the model was not told yet. */
async function endedTwice() {
  const { journal, store } = await drive(await open({ file: tempFile() }));
  await commitCalls(journal, "1.1", [{ ...pendingCall("c1"), attempt: 2 }]);
  for (const attempt of [1, 2])
    await journal.keepOutput("c1", Buffer.from("up\n(exit code 3)\n"), { over: "exit code 3" }, attempt);
  return { journal, store };
}

async function reads(journal: Journal, toolName: string, metadata: JsonObject): Promise<void> {
  const call = pendingCall("c2", { toolName });
  await commitCalls(journal, "1.2", [call]);
  const running = await begin(journal, call);
  await journal.move([settle(running, { kind: "done", result: { output: "(exit code 3)", metadata } }, 1)]);
}

const heard = (journal: Pick<Journal, "jobEnds">): boolean[] => journal.jobEnds().map(({ isHeard }) => isHeard);

test.each(["shell_output", "shell_stop", "stop_job"])(
  "%s tells the end of the attempt that it read, and of no other",
  async (toolName) => {
    for (const attempt of [1, 2]) {
      const { journal, store } = await endedTwice();
      await reads(journal, toolName, { job: "c1", attempt, exitCode: 3 });
      await journal.tellSteers(parseStep("1.3"));
      expect(heard(journal)).toEqual([attempt === 1, attempt === 2]);
      expect(heard(store.readJournal("calm-fox-0001"))).toEqual([attempt === 1, attempt === 2]);
      store.close();
    }
  },
);

test.each([
  ["that it runs", "shell_output", { job: "c1", attempt: 2, next: 5 }],
  ["the end of an attempt that is not known", "shell_output", { job: "c1", exitCode: 3 }],
  ["the end of another job", "shell_output", { job: "c3", attempt: 2, exitCode: 3 }],
  ["that, and is no tool that reads jobs", "elsewhere", { job: "c1", attempt: 2, exitCode: 3 }],
])("a call that tells %s tells no end", async (_what, toolName, metadata) => {
  const { journal, store } = await endedTwice();
  await reads(journal, toolName, metadata);
  await journal.tellSteers(parseStep("1.3"));
  expect(heard(journal)).toEqual([false, false]);
  store.close();
});

test("that is decided with the step that tells of the end, and stays so whatever is read after it", async () => {
  const { journal, store } = await endedTwice();
  await journal.tellSteers(parseStep("1.2"));
  await reads(journal, "shell_output", { job: "c1", attempt: 2, exitCode: 3 });
  await journal.tellSteers(parseStep("1.3"));
  expect(heard(journal)).toEqual([false, false]);
  expect(journal.jobEnds().map(({ step }) => step)).toEqual([parseStep("1.2"), parseStep("1.2")]);
  store.close();
});
