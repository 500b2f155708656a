import { describe, expect, it } from "vitest";
import { textOf } from "../../../src/core/artifacts.ts";
import { refOf } from "../../../src/core/call-ref.ts";
import { recordedArtifacts } from "../../../src/records/artifacts.ts";
import type { UndoTarget } from "../../../src/records/undo/changes.ts";
import { createAgentTool } from "../../../src/tools/agents/agent-tool.ts";
import { createArtifactTools } from "../../../src/tools/artifacts/artifact-tools.ts";
import { apart } from "../../support/models-apart.ts";
import { calls, type Life, type Line, openStage, says } from "../../support/play.ts";

const create = (content: string): [string, Record<string, string>] => [
  "create_artifact",
  { name: "Report", type: "text", content },
];
const rewrite = (content: string): [string, Record<string, string>] => ["rewrite_artifact", { id: "a1", content }];

const versionsIn = ({ store }: Pick<Life, "store">, session: string) =>
  recordedArtifacts(store, session).flatMap((artifact) =>
    artifact.versions.map(
      (version) => `${version.takenBack ? "-" : ""}${version.version} ${textOf(artifact, version)}`,
    ),
  );

/** What the person is asked, or what came of it where they are not. */
async function undone(life: Life, target: UndoTarget): Promise<string | undefined> {
  const asked = life.of("approval_requested").length;
  const begun = await life.session.undo(target);
  if (!begun.ok) return begun.message;
  await life.session.settled();
  const [call] = life.of("approval_requested").at(asked)?.calls ?? [];
  if (call === undefined) {
    const end = life.journal().allCalls().at(-1);
    return end?.status === "error" ? end.errorMsg : end?.status === "success" ? end.result.title : end?.status;
  }
  await life.session.answer(refOf(call), { decision: "approve", digest: call.digest });
  await life.session.settled();
  return call.plan.summary;
}

const play = (...lines: Line[]) => openStage({ lines, tools: createArtifactTools(), files: { "a.txt": "one\n" } });

describe("an undo of artifacts", () => {
  it("takes the last turn's version back, then the one before, and itself; numbers are never given again", async () => {
    const stage = await play(
      calls(create("one")),
      says("One."),
      calls(rewrite("two")),
      says("Two."),
      calls(rewrite("three")),
      says("3."),
    );
    const life = await stage.begin("go");
    const { id } = life.session;
    await life.session.submit("on");
    await life.session.settled();
    expect(await undone(life, { turn: "last" })).toBe('take back call c2: artifact a1 "Report" is at version 1 again');
    expect(life.call("c3")).toMatchObject({
      status: "success",
      result: {
        output: 'Taken back at the person\'s command. artifact a1 "Report" is at version 1 again.',
        metadata: { added: 1, removed: 1, diff: expect.stringContaining("-two") },
      },
    });
    expect(versionsIn(life, id)).toEqual(["1 one", "-2 two"]);
    expect(await undone(life, { turn: "last" })).toBe('take back call c1: artifact a1 "Report" is no more');
    expect(versionsIn(life, id)).toEqual(["-1 one", "-2 two"]);
    expect(await undone(life, { calls: ["c4"] })).toBe('take back call c4: artifact a1 "Report" is at version 1 again');
    await life.session.submit("and on");
    await life.session.settled();
    expect(versionsIn(life, id)).toEqual(["1 one", "-2 two", "3 three"]);
    expect(await undone(life, { calls: ["c3"] })).toBe(
      "call c3 cannot be taken back from a1: version 3 came after it, by call c6: take that back too",
    );
  });

  it("goes with that of files in one step, and says of a later version what is in the way", async () => {
    const stage = await play(
      calls(create("one"), ["write_file", { file_path: "b.txt", content: "b\n" }]),
      says("One."),
      calls(rewrite("two")),
      says("Two."),
    );
    const life = await stage.begin("go", { mode: "accept-edits" });
    await life.session.submit("on");
    await life.session.settled();
    expect(await undone(life, { turn: 1 })).toMatch(
      /^call c1 cannot be taken back from a1: version 2 came after it, by call c3/u,
    );
    expect(await undone(life, { calls: ["c1", "c2", "c3"] })).toBe(
      'took back calls c1, c2, c3: b.txt, artifact a1 "Report" is no more (+0 -2)',
    );
    expect(versionsIn(life, life.session.id)).toEqual(["-1 one", "-2 two"]);
    expect(() => stage.text("b.txt")).toThrow("ENOENT");
  });

  it("names the redo whose version is in the way of, and takes back what else was asked for", async () => {
    const stage = await play(
      calls(create("one")),
      says("One."),
      calls(rewrite("two")),
      says("Two."),
      calls(rewrite("three"), rewrite("four"), create("other")),
      says("3."),
    );
    const life = await stage.begin("go");
    await life.session.submit("on");
    await life.session.settled();
    // Taken back, put again, and both once more.
    for (const call of ["c2", "c3", "c4", "c5"]) await undone(life, { calls: [call] });
    await life.session.submit("and on");
    await life.session.settled();
    expect(versionsIn(life, life.session.id)).toEqual(["1 one", "2 two", "3 three", "4 four", "1 other"]);
    const why = (call: string, version: number, by: string) =>
      `call ${call} cannot be taken back from a1: version ${version} came after it, by call ${by}: take that back too`;
    expect(await undone(life, { calls: ["c6"] })).toBe(why("c6", 3, "c7"));
    expect(await undone(life, { calls: ["c6", "c7"] })).toContain(why("c6", 4, "c8"));
    expect(await undone(life, { calls: ["c6", "c9"], rest: true })).toBe(
      'take back call c9: artifact a2 "Report" is no more',
    );
    await undone(life, { calls: ["c6", "c7", "c8"] });
    expect(versionsIn(life, life.session.id)).toEqual(["1 one", "-2 two", "-3 three", "-4 four", "-1 other"]);
  });

  it("reaches those of helpers", async () => {
    const stage = await openStage({
      lines: [calls(["agent", { task: "draft" }]), says("Drafted.")],
      tools: [...createArtifactTools(), createAgentTool()],
      wrapModel: apart({ draft: [calls(create("by a helper")), says("Made.")] }),
    });
    const life = await stage.begin("go");
    const [child] = life.store.sessions.children(life.session.id);
    expect(await undone(life, { calls: ["c1"] })).toContain(`artifact ${child?.id}:a1 "Report" is no more`);
    expect(versionsIn(life, child?.id ?? "")).toEqual(["-1 by a helper"]);
  });
});
