import { describe, expect, it } from "vitest";
import { type Artifacts, artifactsOf, textOf } from "../../../src/core/artifacts.ts";
import { type JsonObject, sha256 } from "../../../src/core/json.ts";
import type { ToolResult } from "../../../src/core/tool.ts";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createArtifactTools } from "../../../src/tools/artifacts/artifact-tools.ts";
import { tempTree } from "../temp-tree.ts";

type Recorded = Parameters<typeof artifactsOf>[0][number];

/** A session that keeps its calls and nothing else. */
function sessionWith(others: Record<string, Artifacts> = {}, sessionId = "calm-heron-1111") {
  const tools = createArtifactTools();
  const calls: Recorded[] = [];
  const takenBack = new Set<string>();
  const workspace = tempTree();
  const known = (session?: string) =>
    session === undefined || session === sessionId ? artifactsOf(calls, takenBack) : others[session];
  return {
    ...{ known, calls, takenBack },
    async call(name: string, args: JsonObject): Promise<ToolResult> {
      const tool = tools.find((one) => one.name === `${name}_artifact`);
      if (tool === undefined) throw new Error(`no ${name}`);
      const result = await executeTool(tool, args, { workspace, sessionId, artifacts: known });
      if (result.error === undefined)
        calls.push({
          callId: `c${calls.length + 1}`,
          toolName: tool.name,
          effect: tool.effect ?? "once",
          status: "success",
          arguments: args,
          result: JSON.parse(JSON.stringify(result)) as { metadata?: JsonObject },
          times: {},
        });
      return result;
    },
  };
}

const report = { name: "Report", type: "markdown", content: "# Report\n\n  one\n  two\n" };

describe("artifacts", () => {
  it("go through versions, each read from the call that made it", async () => {
    const { call, known } = sessionWith();
    expect(await call("create", report)).toMatchObject({
      output: 'a1 is made: version 1 of "Report" (markdown), 4 lines.',
      title: "Report a1 version 1 (+4 -0)",
      metadata: { artifact: { id: "a1", version: 1 }, added: 4, removed: 0 },
    });
    const updated = await call("update", { id: "a1", old_string: "one\ntwo", new_string: "one\nthree" });
    expect(updated.output).toBe('a1 has other text at line 3: version 2 of "Report" (markdown), 4 lines.');
    expect(updated.metadata?.["changes"]).toMatchObject({ changes: [{ name: "Report", added: 1, removed: 1 }] });
    expect((await call("rewrite", { id: "a1", content: "short\n" })).output).toContain("a1 is rewritten: version 3");
    await call("update", { id: "a1", old_string: "short", new_string: "$& and long" });
    const [artifact] = known() ?? [];
    expect(artifact?.versions.map((version) => [version.version, version.callId, textOf(artifact, version)])).toEqual([
      [1, "c1", report.content],
      [2, "c2", "# Report\n\n  one\n  three\n"],
      [3, "c3", "short\n"],
      [4, "c4", "$& and long\n"],
    ]);
    expect((await call("read", { id: "a1" })).output).toBe(
      'a1: "Report" (markdown), version 4, 1 line\n\n$& and long\n',
    );
    expect((await call("read", { id: "a1", version: 2 })).output).toBe(
      'a1: "Report" (markdown), version 2, the last is 4, 4 lines\n\n# Report\n\n  one\n  three\n',
    );
  });

  it("keep line ends and what is not replaced as they are", async () => {
    const { call, known } = sessionWith();
    await call("create", { ...report, content: "\uFEFFa\r\nb\r\n" });
    await call("update", { id: "a1", old_string: "a\nb", new_string: "a\nc" });
    const [artifact] = known() ?? [];
    const last = artifact?.versions.at(-1);
    expect(artifact && last && textOf(artifact, last)).toBe("\uFEFFa\r\nc\r\n");
  });

  it("are not believed where the record leads to other bytes than it names", async () => {
    const { call, known } = sessionWith();
    await call("create", report);
    await call("update", { id: "a1", old_string: "one", new_string: "1" });
    const [artifact] = known() ?? [];
    if (artifact === undefined) throw new Error("none");
    const [first, second] = artifact.versions;
    if (first === undefined || second === undefined) throw new Error("none");
    const forged = { versions: [{ ...first, made: () => ({ text: "other" }) }, second] };
    expect(textOf(forged, second)).toBeUndefined();
    expect(textOf({ versions: [second] }, second)).toBeUndefined();
  });

  it("whose record leads to other bytes are not read and not updated, but rewritten", async () => {
    const { call, calls } = sessionWith();
    await call("create", report);
    const [made] = calls;
    if (made === undefined) throw new Error("none");
    calls[0] = { ...made, arguments: { ...report, content: "other\n" } };
    expect((await call("read", { id: "a1" })).metadata?.["code"]).toBe("EIO");
    expect((await call("update", { id: "a1", old_string: "other", new_string: "x" })).metadata?.["code"]).toBe("EIO");
    expect(await call("rewrite", { id: "a1", content: "whole\n" })).toMatchObject({
      output: 'a1 is rewritten: version 2 of "Report" (markdown), 1 line.',
      title: "a1 Report version 2 (+1 -0)",
    });
    expect((await call("read", { id: "a1" })).output).toContain("\n\nwhole\n");
  });

  it("are told once where they are long, and their head stays", async () => {
    const { call } = sessionWith();
    await call("create", { ...report, content: "line\n".repeat(2_000) });
    expect(await call("read", { id: "a1" })).toMatchObject({
      outputOnce: true,
      longTermMemory: 'a1: "Report" (markdown), version 1, 2000 lines',
    });
  });

  it("are told by their address in a helper, read so by others, and changed by their own session alone", async () => {
    const helper = sessionWith({}, "calm-heron-1111@delegate-1-20261121T1015-001");
    const made = await helper.call("create", report);
    expect(made.output).toContain(
      "a1 is made, for other sessions calm-heron-1111@delegate-1-20261121T1015-001:a1: version 1",
    );
    const id = "calm-heron-1111@delegate-1-20261121T1015-001:a1";
    expect((await helper.call("read", { id })).output).toContain(report.content);
    const parent = sessionWith({ "calm-heron-1111@delegate-1-20261121T1015-001": helper.known() ?? [] });
    expect((await parent.call("read", { id })).output).toContain(report.content);
    expect((await parent.call("rewrite", { id, content: "mine" })).error).toBe(
      `${id} is another session's, which alone changes it: read it, then create one of your own`,
    );
    expect((await parent.call("read", { id: "brisk-otter-4f2a:a1" })).error).toBe(
      "no session brisk-otter-4f2a works for this one, or with it; there are none yet: create one",
    );
  });

  it.each([
    ["create", { ...report, name: " " }, "INVALID_ARGUMENT", "the name is empty"],
    ["create", { ...report, name: "a\u001b[2Jb" }, "INVALID_ARGUMENT", "the name must be one line without control"],
    ["create", { ...report, name: "x".repeat(101) }, "INVALID_ARGUMENT", "the name is longer than 100 characters"],
    ["create", { ...report, type: "x\ny" }, "INVALID_ARGUMENT", "the type must be one line"],
    ["create", { ...report, content: "a\0b" }, "INVALID_ARGUMENT", "the content holds NUL"],
    ["create", { ...report, content: "\ud800" }, "INVALID_ARGUMENT", "half of a surrogate pair"],
    ["create", { ...report, content: "x".repeat(1_000_001) }, "INVALID_ARGUMENT", "1000001 bytes, and 1000000 are"],
    ["read", { id: "a9" }, "NOT_FOUND", 'there is no artifact "a9"; there is a1 "Report"'],
    ["read", { id: "a1", version: 7 }, "NOT_FOUND", "a1 has no version 7: it has version 1 alone"],
    ["update", { id: "a1", old_string: "", new_string: "x" }, "EMPTY_OLD", "use rewrite_artifact for a whole artifact"],
    ["update", { id: "a1", old_string: "four", new_string: "x" }, "NOT_FOUND", "old_string is not in the artifact"],
    ["update", { id: "a1", old_string: "o", new_string: "x" }, "NOT_UNIQUE", "add lines around it until it is unique"],
    ["update", { id: "a1", old_string: "one", new_string: "one" }, "NO_CHANGE", "are the same"],
    ["rewrite", { id: "a1", content: report.content }, "NO_CHANGE", "a1 has this very text already"],
    ["rewrite", { id: "a1:b", content: "x" }, "INVALID_ARGUMENT", "a1:b is another session's"],
  ])("%s %j is %s", async (name, args, code, message) => {
    const { call } = sessionWith();
    await call("create", report);
    const { error, metadata } = await call(name, args);
    expect([metadata?.["code"], error]).toEqual([code, expect.stringContaining(message)]);
  });

  it("are refused beyond their limits, which say what to do", async () => {
    const { call, known, takenBack } = sessionWith();
    for (let at = 0; at < 100; at += 1) await call("create", report);
    const refused = {
      error: "there are 100 artifacts, and more are not kept: rewrite one of them",
      metadata: { code: "INVALID_ARGUMENT" },
    };
    expect(await call("create", report)).toMatchObject(refused);
    expect(known()?.at(-1)?.id).toBe("a100");
    // One that the person took back is no more.
    takenBack.add("c50");
    expect((await call("create", report)).output).toContain("a101 is made");
    expect(await call("create", report)).toMatchObject(refused);
    for (let at = 1; at < 500; at += 1) await call("rewrite", { id: "a1", content: `${at}` });
    expect((await call("rewrite", { id: "a1", content: "more" })).error).toBe(
      "a1 has 500 versions, and more are not kept: go on in a new one, by create_artifact",
    );
  });

  it("are refused where their versions are too much together, by what their calls recorded", async () => {
    const tools = createArtifactTools();
    const version = { version: 1, callId: "c1", how: "create" as const, sha: sha256("ab"), at: 0, bytes: 49_999_999 };
    const artifacts: Artifacts = [
      { id: "a1", name: "Report", type: "text", versions: [{ ...version, made: () => ({ text: "ab" }) }] },
    ];
    const workspace = tempTree();
    const call = (name: string, args: JsonObject) => {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no ${name}`);
      return executeTool(tool, args, { workspace, artifacts: () => artifacts });
    };
    const refused = {
      error:
        "all versions of this session's artifacts have 49999999 bytes, and 50000000 are the most: write a file, or change less of the text",
      metadata: { code: "INVALID_ARGUMENT" },
    };
    expect(await call("create_artifact", { ...report, content: "xy" })).toMatchObject(refused);
    expect(await call("rewrite_artifact", { id: "a1", content: "xy" })).toMatchObject(refused);
    expect(await call("update_artifact", { id: "a1", old_string: "a", new_string: "xy" })).toMatchObject(refused);
    expect((await call("update_artifact", { id: "a1", old_string: "a", new_string: "x" })).output).toContain(
      "version 2",
    );
  });

  it("are refused outside of a session, which is what keeps them", async () => {
    const [create] = createArtifactTools();
    if (create === undefined) throw new Error("none");
    const { error } = await executeTool(create, report, { workspace: tempTree() });
    expect(error).toBe("artifacts are kept with a session, and there is none here: write a file");
  });
});
