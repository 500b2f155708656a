import { expect, it } from "vitest";
import { currentOf, textOf } from "../../src/core/artifacts.ts";
import type { ToolCallInfo } from "../../src/core/call.ts";
import { sha256 } from "../../src/core/json.ts";
import { artifactsInTree } from "../../src/records/artifacts.ts";

/** A session's record that counts how it is read. */
function recordOf(session: string) {
  const ended: ToolCallInfo[] = [];
  const read = { whole: 0, calls: [] as string[] };
  const journal = {
    session,
    succeeded(toolName: string) {
      read.whole += 1;
      const found = ended.filter((call) => call.toolName === toolName && call.status === "success");
      return found.map((call) => ({ call, stepId: { turn: 1, step: 1 } }));
    },
    callCount: () => ended.length,
    openCalls: () => [],
    call(callId: string) {
      read.calls.push(callId);
      return ended.find((call) => call.callId === callId);
    },
  };
  const store = {
    sessions: { get: () => undefined } as unknown as Parameters<typeof artifactsInTree>[0]["sessions"],
    readJournal: () => {
      throw new Error("there is no other session");
    },
  };
  const end = (toolName: string, args: ToolCallInfo["arguments"], artifact?: object): void => {
    const callId = `c${ended.length + 1}`;
    const call = { callId, toolName, effect: "store", status: "success", arguments: args, times: { proposed: 1 } };
    ended.push({ ...call, result: { output: "", metadata: { artifact } } } as unknown as ToolCallInfo);
  };
  return { own: artifactsInTree(store, journal), read, end };
}

it("artifacts are carried on by each call that ends; what they are now is held, an earlier text is read from its call, and an undo has all read anew", () => {
  const { own, read, end } = recordOf("calm-heron-1111");
  const current = (): string | undefined => {
    const [artifact] = own() ?? [];
    const version = artifact && currentOf(artifact);
    return artifact && version && textOf(artifact, version);
  };
  end(
    "create_artifact",
    { name: "Report", type: "text", content: "one" },
    { id: "a1", version: 1, sha: sha256("one") },
  );
  expect(current()).toBe("one");
  const first = read.whole;
  end(
    "update_artifact",
    { id: "a1" },
    {
      ...{ id: "a1", version: 2, sha: sha256("two"), from: 1 },
      replaced: [{ start: 0, end: 3, text: "two" }],
    },
  );
  end("rewrite_artifact", { id: "a1", content: "three" }, { id: "a1", version: 3, sha: sha256("three") });
  end("read_file", { file_path: "a.txt" });
  expect([current(), read.whole]).toEqual(["three", first]);
  read.calls.length = 0;
  expect([current(), read.calls]).toEqual(["three", []]);
  const [artifact] = own() ?? [];
  expect(artifact?.versions.map((version) => [version.bytes, textOf(artifact, version)])).toEqual([
    [3, "one"],
    [3, "two"],
    [5, "three"],
  ]);
  // That of the second leads to the first.
  expect(read.calls).toEqual(["c1", "c2", "c1"]);
  end("undo_changes", { calls: ["c3"] });
  expect(current()).toBe("two");
  expect(read.whole).toBeGreaterThan(first);
});
