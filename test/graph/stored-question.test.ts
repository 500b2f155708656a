import { HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import type { ApprovalQuestion } from "../../src/graph/calls/question.ts";
import { openScript } from "../../src/model/script.ts";
import { createGraph } from "../../src/sdk/create-graph.ts";
import { openStore } from "../../src/store/open-store.ts";
import { calls, openStage, says } from "../support/play.ts";
import { RawStore } from "../support/raw-store.ts";

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, i) => `${word} line ${i} of a long file\n`).join("");

/** Characters of what waits as the graph's question, in the file itself. */
function storedQuestion(file: string): string {
  const db = new RawStore(file);
  try {
    const sql = "SELECT group_concat(value, '') AS all_of_it FROM pending_write WHERE channel = '__interrupt__'";
    return db.one<string>(sql) ?? "";
  } finally {
    db.close();
  }
}

/** As a program reads it that knows the store and its graph, and drives nothing. */
async function questionIn(file: string, thread: string): Promise<ApprovalQuestion> {
  const store = await openStore({ file });
  try {
    const model = openScript({ requests: [], person: [] }, { spec: "script", name: "the test" });
    const graph = createGraph({ workspace: "/", model, store }, { checkpointer: store.saver });
    const { tasks } = await graph.getState({ configurable: { thread_id: thread } });
    return tasks.flatMap((task) => task.interrupts)[0]?.value as ApprovalQuestion;
  } finally {
    store.close();
  }
}

test("the lines of a waiting change stand once in the store, and whoever reads the question gets them", async () => {
  const stage = await openStage({ lines: [] });
  const store = await openStore({ file: stage.database });
  const content = lines(20_000, "a");
  const write = { ...calls(["write_file", { file_path: "long.txt", content }]), line: 1 };
  const model = openScript({ requests: [write], person: [] }, { spec: "script", name: "the test" });
  const graph = createGraph({ workspace: stage.workspace, model, store }, { checkpointer: store.saver });
  const asked = await graph.invoke(
    { messages: [new HumanMessage("write")] },
    { configurable: { thread_id: "calm-fox-0001" } },
  );
  const shown = (asked as unknown as { __interrupt__: { value: ApprovalQuestion }[] }).__interrupt__[0]?.value;
  store.close();

  expect(shown?.calls[0]?.plan.files?.[0]?.hunks[0]?.lines).toHaveLength(20_000);
  expect(storedQuestion(stage.database).length).toBeLessThan(5_000);
  expect(await questionIn(stage.database, "calm-fox-0001")).toEqual(shown);
});

test("a stored question whose call got another plan since says so, and has no line of either", async () => {
  const stage = await openStage({
    lines: [
      calls(
        ["write_file", { file_path: "one.txt", content: lines(40, "one") }],
        ["write_file", { file_path: "two.txt", content: lines(40, "two") }],
      ),
      says("Written."),
    ],
  });
  const life = await stage.begin("write both");
  const [first, second] = life.last("approval_requested").calls;
  const { id } = life.session;
  const edited = { decision: "edit", arguments: { file_path: "one.txt", content: "other\n" } } as const;
  expect(await life.session.answer({ session: life.session.id, call: "c1" }, edited)).toMatchObject({ ok: true });

  const stored = await questionIn(stage.database, id);
  expect(stored.calls).toEqual([
    {
      ...first,
      replaced: true,
      arguments: { file_path: "one.txt" },
      plan: { ...first?.plan, diff: undefined, files: [{ ...first?.plan.files?.[0], hunks: [] }] },
    },
    second,
  ]);
  expect(JSON.stringify(stored.calls[0])).not.toMatch(/line 0|other/);

  await life.close();
  const again = await stage.resume(id);
  const [now] = again.last("approval_requested").calls;
  expect(now?.plan.diff).toContain("+other");
  expect(now).not.toHaveProperty("replaced");
  expect(
    await again.session.answer(
      { session: again.session.id, call: "c1" },
      { decision: "approve", digest: first?.digest ?? "" },
    ),
  ).toMatchObject({
    ok: false,
    code: "stale",
  });
});
