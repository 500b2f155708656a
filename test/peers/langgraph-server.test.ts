import { cp, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  customIn,
  failureIn,
  installedFolder,
  keptOnDisk,
  lastWords,
  ourFolder,
  questionOf,
  resume,
  say,
  startServer,
  wordsIn,
} from "./langgraph-client.ts";
import { consumer, openPlace } from "./support.ts";

describe("LangGraph's own server, with our langgraph.json", () => {
  it("asks with digest and plan, takes an edit, a denial and an approval, and streams what happens", async () => {
    const place = await openPlace();
    const text = () => readFile(join(place.workspace, "it.txt"), "utf8");
    const { client } = await startServer(place, await ourFolder(place));
    const { thread_id: thread } = await client.threads.create();
    const asked = await say(client, thread, "one");
    expect(failureIn(asked)).toBeUndefined();
    expect(customIn(asked)).toContainEqual(expect.objectContaining({ type: "tool_progress", phase: "arguments" }));
    const [first] = await questionOf(client, thread);
    expect(first).toMatchObject({
      callId: "c1",
      toolName: "write_file",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(first?.plan.diff).toContain("+one");

    const forged = await resume(client, thread, { c1: { decision: "approve", digest: "f".repeat(64) } });
    expect(customIn(forged)).toContainEqual(expect.objectContaining({ type: "notice", code: "answer_refused" }));
    await expect(text()).rejects.toThrow();
    await resume(client, thread, { c1: { decision: "edit", arguments: { file_path: "it.txt", content: "mine\n" } } });
    const [edited] = await questionOf(client, thread);
    expect(edited).toMatchObject({ callId: "c1", changed: { from: first?.digest } });
    await resume(client, thread, { c1: { decision: "approve", digest: first?.digest ?? "" } });
    await expect(text()).rejects.toThrow();
    const done = await resume(client, thread, { c1: { decision: "approve", digest: edited?.digest ?? "" } });
    expect(await text()).toBe("mine\n");
    expect(wordsIn(done).join("")).toBe("Did: one.");
    expect(customIn(done).map(({ type }) => type)).toEqual(expect.arrayContaining(["decision", "tool_call", "usage"]));

    await say(client, thread, "two");
    await resume(client, thread, { c2: { decision: "deny", reason: "leave it" } });
    expect(await text()).toBe("mine\n");
    const { values } = await client.threads.getState(thread);
    expect(values.messages.at(-2)?.content).toContain("denied by the person: leave it");
    expect(await lastWords(client, thread)).toBe("Did: two.");
  });

  it("has two threads at once, whose answers are their own, and goes on after kill -9 with its question", async () => {
    const place = await openPlace();
    const folder = await ourFolder(place);
    const { client, kill } = await startServer(place, folder);
    const [one, two] = [await client.threads.create(), await client.threads.create()].map((made) => made.thread_id);
    if (one === undefined || two === undefined) throw new Error("no threads");
    await Promise.all([say(client, one, "one"), say(client, two, "two")]);
    const [[ofOne], [ofTwo]] = [await questionOf(client, one), await questionOf(client, two)];
    expect([ofOne?.plan.diff, ofTwo?.plan.diff]).toEqual([
      expect.stringContaining("+one"),
      expect.stringContaining("+two"),
    ]);
    // The digest of the other thread's call approves nothing, and its id is the other thread's.
    const crossed = await resume(client, one, { c1: { decision: "approve", digest: ofTwo?.digest ?? "" } });
    expect(customIn(crossed)).toContainEqual(expect.objectContaining({ code: "answer_refused" }));
    expect(failureIn(await resume(client, one, { c7: { decision: "deny" } }))).toMatchObject({
      error: "MalformedAnswer",
    });
    const copied = await client.threads.copy(one);
    expect(failureIn(await say(client, copied.thread_id, "more"))).toMatchObject({ error: "JournalMissing" });
    const other = await startServer(place, await installedFolder(place));
    expect(
      failureIn(await say(other.client, (await other.client.threads.create({ threadId: two })).thread_id, "mine")),
    ).toMatchObject({
      error: "SessionBusy",
    });
    await other.kill();
    await resume(client, two, { c1: { decision: "approve", digest: ofTwo?.digest ?? "" } });
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("two\n");

    await keptOnDisk(folder, two);
    await kill();
    const again = await startServer(place, folder);
    const [waits] = await questionOf(again.client, one);
    expect(waits?.digest).toBe(ofOne?.digest);
    // What it was to write is another file by now.
    const late = await resume(again.client, one, { c1: { decision: "approve", digest: waits?.digest ?? "" } });
    expect(failureIn(late)).toBeUndefined();
    const [anew] = await questionOf(again.client, one);
    expect(anew?.plan.diff).toContain("-two\n+one");
    await resume(again.client, one, { c1: { decision: "approve", digest: anew?.digest ?? "" } });
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("one\n");
    expect(await lastWords(again.client, one)).toBe("Did: one.");
  });

  it("is had from the installed package, with the flags of AGENT_FLAGS", async () => {
    const place = await openPlace();
    const { client } = await startServer(place, await installedFolder(place), { AGENT_FLAGS: "--mode accept-edits" });
    const { thread_id: thread } = await client.threads.create();
    expect(failureIn(await say(client, thread, "one"))).toBeUndefined();
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("one\n");
    expect(await lastWords(client, thread)).toBe("Did: one.");
  });

  it("serves the graph of the example", async () => {
    const place = await openPlace();
    const folder = join(place.root, "example");
    await cp(join(consumer, "node_modules/holdfast/examples/langgraph-server"), folder, { recursive: true });
    await symlink(join(consumer, "node_modules"), join(folder, "node_modules"));
    const store = join(place.root, "example.db");
    const own = { AGENT_WORKSPACE: place.workspace, AGENT_STORE: store };
    const { client } = await startServer(place, folder, own);
    const { thread_id: thread } = await client.threads.create();
    expect(failureIn(await say(client, thread, "one"))).toBeUndefined();
    const [asked] = await questionOf(client, thread);
    await resume(client, thread, { c1: { decision: "approve", digest: asked?.digest ?? "" } });
    expect(await readFile(join(place.workspace, "it.txt"), "utf8")).toBe("one\n");
    expect(await lastWords(client, thread)).toBe("Did: one.");
  });
});
