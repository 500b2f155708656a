import { expect, it } from "vitest";
import type { CallOf } from "../../src/core/call.ts";
import { interruptCall, retry } from "../../src/graph/calls/transitions.ts";
import type { AgentEventBody } from "../../src/graph/events.ts";
import { JobEndsTold } from "../../src/session/job-ends.ts";
import type { Journal } from "../../src/store/types.ts";
import { commitCalls, drive, executing, open, pendingCall, tempFile } from "../store/support.ts";

/** A call that runs, whose job was kept. */
async function began() {
  const held = await drive(await open({ file: tempFile() }));
  const { journal } = held;
  const call = pendingCall("c1", { arguments: { command: "npm run dev" } });
  await commitCalls(journal, "1.1", [call]);
  const running = executing(call);
  await journal.move([{ before: call, after: running }]);
  await journal.keepOutput("c1", Buffer.from("first"), "running");
  return { ...held, running };
}

/** It is done again, and runs. */
async function again(journal: Journal, running: CallOf<"executing">): Promise<void> {
  const unseen = interruptCall(running, { why: "unseen" });
  await journal.move([unseen]);
  const back = retry(unseen.after as CallOf<"interrupted">, { actor: "recovery" }, 2);
  await journal.move([back]);
  await journal.move([{ before: back.after, after: executing(back.after as CallOf<"pending">) }]);
}

/** The texts that whoever shows them is given. @param isHeard whether they read on */
function tells(journal: Journal, isHeard: boolean) {
  const texts: string[] = [];
  const emit = (body: AgentEventBody, heard: () => void): void => {
    if (body.type === "notice") texts.push(body.text);
    if (isHeard) heard();
  };
  const ends = new JobEndsTold(journal, { emit, allHeard: async () => undefined });
  const close = (): Promise<void> => ends.endWith(async () => undefined);
  return { texts, ends, close };
}

const lost = (words: string): string =>
  `the background job c1 (npm run dev) is gone with the process that ran it; its last words: ${words}`;

it("a lost end that was said, and not written as heard, is said again though its call was done again at once; then never", async () => {
  const { journal, running, store } = await began();
  const first = tells(journal, false);
  await first.ends.sayFound();
  expect(first.texts).toEqual([lost("first")]);
  await again(journal, running);
  await journal.keepOutput("c1", Buffer.from("second"), "running");
  const second = tells(journal, true);
  await second.ends.sayFound();
  expect(second.texts).toEqual(
    [lost("first"), lost("second")].map((text, at) => text.replace(";", `, ${at + 1} of 2;`)),
  );
  await second.close();
  const third = tells(journal, true);
  await third.ends.sayFound();
  expect(third.texts).toEqual([]);
  // And each is in what the model is told.
  expect(journal.jobEnds().map(({ attempt, isTold }) => [attempt, isTold])).toEqual([
    [1, true],
    [2, true],
  ]);
  store.close();
});

it("the end of an earlier attempt that comes after the next one's beginning is told to the person, as what is known of it", async () => {
  const { journal, running, store } = await began();
  await again(journal, running);
  const { texts, ends, close } = tells(journal, true);
  await journal.keepOutput("c1", Buffer.from("first\n(ended by SIGTERM)\n"), { over: "ended by SIGTERM" }, 1);
  ends.sayEnded();
  const told = "the background job c1 (npm run dev) has ended: ended by recovery of its call; its last words: first";
  expect(texts).toEqual([told]);
  // Nothing of it runs, whatever was kept of it.
  expect([journal.runningJobs(), journal.outputOf("c1")?.job]).toEqual([[], "ended"]);
  await close();
  expect(texts).toEqual([told]);
  const next = tells(journal, true);
  await next.ends.sayFound();
  expect(next.texts).toEqual([]);
  store.close();
});

it("where that end is never kept, for the process is killed, the next one tells it, beside that of the next attempt", async () => {
  const { journal, running, store } = await began();
  await again(journal, running);
  await journal.keepOutput("c1", Buffer.from("second"), "running");
  const next = tells(journal, true);
  await next.ends.sayFound();
  expect(next.texts).toEqual([
    "the background job c1 (npm run dev) has ended: ended by recovery of its call; its last words: first",
    lost("second"),
  ]);
  store.close();
});
