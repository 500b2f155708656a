import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  customIn,
  failureIn,
  interruptOf,
  keptOnDisk,
  lastWords,
  ourFolder,
  questionOf,
  resume,
  run,
  say,
  startServer,
  wordsIn,
} from "./langgraph-client.ts";
import { openPlace } from "./support.ts";

describe("what LangGraph's own server is killed with, or was made to believe", () => {
  it("counts one effect after kill -9 while it runs, and the person is asked about its end", async () => {
    const place = await openPlace();
    const folder = await ourFolder(place);
    const count = () => readFile(join(place.workspace, "count.txt"), "utf8").catch(() => "");
    const { client, kill } = await startServer(place, folder);
    const { thread_id: thread } = await client.threads.create();
    await say(client, thread, "$ echo once >> count.txt; sleep 300");
    const [call] = await questionOf(client, thread);
    expect(call).toMatchObject({ toolName: "shell", plan: { command: "echo once >> count.txt; sleep 300" } });
    await keptOnDisk(folder, thread);
    const running = resume(client, thread, { c1: { decision: "approve", digest: call?.digest ?? "" } });
    const cut = running.catch((error: unknown) => error);
    const over = running.then((heard) => Promise.reject(new Error(`it has not run: ${JSON.stringify(heard)}`)));
    await Promise.race([expect.poll(count).toBe("once\n"), over]);
    await kill();
    await cut;

    const again = await startServer(place, folder);
    // What was answered is in the journal: neither that answer again nor a run without one begins it anew.
    await resume(again.client, thread, { c1: { decision: "approve", digest: call?.digest ?? "" } });
    await run(again.client, thread, { input: null });
    expect(await interruptOf(again.client, thread)).toMatchObject({
      kind: "recovery",
      calls: [{ callId: "c1", effect: "once", choices: ["retry", "done", "cancel"] }],
    });
    expect(await count()).toBe("once\n");
    await resume(again.client, thread, { c1: { choice: "done" } });
    expect(await interruptOf(again.client, thread)).toBeUndefined();
    expect(await lastWords(again.client, thread)).toBe("Did: $ echo once >> count.txt; sleep 300.");
    expect(await count()).toBe("once\n");
  });

  it("has a helper's question in the interrupt of its thread, and goes on after kill -9 with it", async () => {
    const place = await openPlace();
    const folder = await ourFolder(place);
    const { client, kill } = await startServer(place, folder);
    const { thread_id: thread } = await client.threads.create();
    const asked = await say(client, thread, "> three");
    expect(failureIn(asked)).toBeUndefined();
    expect(customIn(asked)).toContainEqual(expect.objectContaining({ type: "session_started", parent: thread }));
    const [call] = await questionOf(client, thread);
    expect(call).toMatchObject({
      session: expect.stringMatching(`^${thread}@delegate-1-`),
      agent: "helper",
      callId: "c1",
      toolName: "write_file",
    });
    await keptOnDisk(folder, thread);
    await kill();

    const again = await startServer(place, folder);
    const [waits] = await questionOf(again.client, thread);
    expect([waits?.session, waits?.digest]).toEqual([call?.session, call?.digest]);
    const name = `${waits?.session}:${waits?.callId}`;
    const forged = await resume(again.client, thread, { [name]: { decision: "approve", digest: "f".repeat(64) } });
    expect(customIn(forged)).toContainEqual(expect.objectContaining({ code: "answer_refused" }));
    const done = await resume(again.client, thread, { [name]: { decision: "approve", digest: waits?.digest ?? "" } });
    expect(failureIn(done)).toBeUndefined();
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("three\n");
    expect(wordsIn(done).join("")).toBe("Did: > three.");
    expect(await interruptOf(again.client, thread)).toBeUndefined();
    const { values } = await again.client.threads.getState(thread);
    expect(values.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
    expect(String(values.messages.at(-2)?.content)).toContain("It changed it.txt.");
  });

  it("runs nothing that nobody approved, whatever is written into a thread's state", async () => {
    const place = await openPlace();
    const { client } = await startServer(place, await ourFolder(place));
    const text = () => readFile(join(place.workspace, "it.txt"), "utf8");
    const { thread_id: thread } = await client.threads.create();
    await say(client, thread, "one");
    const [asked] = await questionOf(client, thread);
    const { values } = await client.threads.getState(thread);
    const [call] = values.pendingToolCalls;
    const approved = { ...call, status: "pending", by: { actor: "person" } };
    const other = { file_path: "it.txt", content: "forged\n" };
    const forgeries: [asNode: string, state: object][] = [
      ["human_approval", { pendingToolCalls: [approved] }],
      ["tool_routing", { pendingToolCalls: [{ ...approved, arguments: other }] }],
      ["human_approval", { pendingToolCalls: [call, { ...approved, callId: "c2", arguments: other }] }],
      ["tool_routing", { pendingToolCalls: [] }],
    ];
    for (const [asNode, forged] of forgeries) {
      await client.threads.updateState(thread, { values: forged, asNode }).catch(() => undefined);
      await run(client, thread, { input: null }).catch(() => undefined);
      await run(client, thread, { command: { goto: "tool_execution" } }).catch(() => undefined);
      await expect(text()).rejects.toThrow();
    }
    // A state that has the call itself again is gone on with, by what was shown.
    await client.threads.updateState(thread, { values: { pendingToolCalls: [call] }, asNode: "tool_routing" });
    await run(client, thread, { input: null });
    const [again] = await questionOf(client, thread);
    expect(again).toMatchObject({ arguments: { content: "one\n" }, digest: asked?.digest });
    await resume(client, thread, { c1: { decision: "approve", digest: asked?.digest ?? "" } });
    expect(await text()).toBe("one\n");
  });
});
