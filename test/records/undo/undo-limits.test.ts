import { describe, expect, it } from "vitest";
import { calls, openStage, says } from "../../support/play.ts";
import { approveAll, changed, diffOf, edit, undo } from "../../support/undone.ts";

describe("undo after the person's own edit", () => {
  const lines = [calls(edit("two", "2")), says("Done.")];
  const text = "one\ntwo\nthree\nfour\nfive\n";

  it("merges what does not touch, and says so", async () => {
    const stage = await openStage({ files: { "a.txt": text }, lines });
    const life = await changed(stage);
    await stage.put("a.txt", "zero\none\n2\nthree\nfour\n5\n");
    await undo(life);
    expect(life.last("approval_requested").calls[0]?.plan.warnings).toEqual([
      "a.txt has changed since: what call c1 changed is taken out, the rest stays",
    ]);
    await approveAll(life);
    expect(stage.text("a.txt")).toBe("zero\none\ntwo\nthree\nfour\n5\n");
  });

  it("refuses what touches, with file and lines", async () => {
    const stage = await openStage({ files: { "a.txt": text }, lines });
    const life = await changed(stage);
    await stage.put("a.txt", "one\n2 of mine\nthree\nfour\nfive\n");
    await undo(life);
    expect(life.call("c2")).toMatchObject({
      status: "error",
      errorMsg: "call c1 cannot be taken back from a.txt: the same place has changed since (line 2 now)",
    });
    expect(stage.text("a.txt")).toBe("one\n2 of mine\nthree\nfour\nfive\n");
  });

  it("asks again when the file changes while the person decides", async () => {
    const stage = await openStage({ files: { "a.txt": text }, lines });
    const life = await changed(stage);
    await undo(life);
    const [first] = life.last("approval_requested").calls;
    await stage.put("a.txt", "one\n2\nthree\nfour\nfive, mine\n");
    await approveAll(life);
    expect(stage.text("a.txt")).toContain("mine");
    expect(stage.text("a.txt")).toContain("2");
    const [again] = life.last("approval_requested").calls;
    expect(again?.changed).toMatchObject({ from: first?.digest });
    await approveAll(life);
    expect(stage.text("a.txt")).toBe("one\ntwo\nthree\nfour\nfive, mine\n");
  });

  it("has nothing to do where the person has put the file back", async () => {
    const stage = await openStage({ files: { "a.txt": text }, lines });
    const life = await changed(stage);
    await stage.put("a.txt", text);
    await undo(life);
    expect(life.call("c2")).toMatchObject({ status: "error", errorCode: "NO_CHANGE" });
  });
});

describe("what cannot be taken back", () => {
  it("is refused in words before a turn is begun", async () => {
    const stage = await openStage({
      files: { "a.txt": "1\n" },
      lines: [calls(["read_file", { file_path: "a.txt" }], edit("1", "2"), edit("none", "x")), says("Done.")],
    });
    const life = await changed(stage);
    const said = async (callIds: string[]) => life.session.undo({ calls: callIds });
    expect(await said(["c9"])).toEqual({ ok: false, message: "this session has no call c9" });
    expect(await said([])).toEqual({ ok: false, message: "no call is named" });
    expect(await said(["c1"])).toEqual({
      ok: false,
      message: "call c1 (read_file) changed no file of the workspace that could be put back",
    });
    expect(await said(["c3"])).toMatchObject({ ok: false, message: expect.stringContaining("ended with an error") });
    expect(await life.session.undo({ turn: 7 })).toEqual({ ok: false, message: "this session has no turn 7" });
    await undo(life, { calls: ["c2", "c2"] });
    expect(await said(["c2"])).toMatchObject({
      ok: false,
      message: expect.stringContaining("c4 (undo_changes) waits for your answer: settle it first with agent resume "),
    });
    await approveAll(life);
    expect(await said(["c2"])).toMatchObject({
      ok: false,
      message: expect.stringContaining("was already taken back by call c4"),
    });
    expect(life.of("user_message")).toHaveLength(2);
  });

  it("is refused clearly when its bytes are pruned", async () => {
    const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [calls(edit("1", "2")), says("Done.")] });
    const life = await changed(stage);
    expect(await life.store.prune(Number.MAX_SAFE_INTEGER)).toMatchObject({ versions: 2 });
    expect(diffOf(stage, life)).toContain("-1\n+2");
    await undo(life);
    expect(life.call("c2")).toMatchObject({
      status: "error",
      errorMsg: "the bytes of a.txt around call c1 are no longer kept, so it cannot be taken back",
    });
    expect(stage.text("a.txt")).toBe("2\n");
  });

  it("is refused while the agent works", async () => {
    const stage = await openStage({
      files: { "a.txt": "1\n" },
      lines: [calls(edit("1", "2")), says("Done."), { text: "slow", delayMs: 60_000 }],
    });
    const life = await changed(stage);
    await life.session.submit("more");
    expect(await life.session.undo({ turn: "last" })).toEqual({
      ok: false,
      message: "the agent is working: stop it, or wait",
    });
    await life.session.stop();
    await undo(life);
    await approveAll(life);
    expect(stage.text("a.txt")).toBe("1\n");
  });

  it("is unknown to the model", async () => {
    const stage = await openStage({
      files: { "a.txt": "1\n" },
      lines: [calls(edit("1", "2")), calls(["undo_changes", { calls: ["c1"] }]), says("Well.")],
    });
    const life = await changed(stage);
    expect(life.call("c2")).toMatchObject({ status: "error", errorCode: "UNKNOWN_TOOL" });
    expect(life.call("c2").status === "error" && JSON.stringify(life.call("c2"))).not.toContain(
      "did you mean undo_changes",
    );
    expect(stage.text("a.txt")).toBe("2\n");
  });
});

describe("policy", () => {
  const stageOf = (mode: "accept-edits" | "full-auto", file = "a.txt") =>
    openStage({ files: { [file]: "1\n" }, lines: [calls(edit("1", "2", file)), says("Done.")], mode });

  it("allows an undo as it allows an edit", async () => {
    const stage = await stageOf("accept-edits");
    const life = await stage.begin("change");
    await undo(life);
    expect(life.of("approval_requested")).toEqual([]);
    expect(stage.text("a.txt")).toBe("1\n");
    expect(life.call("c2")).toMatchObject({ status: "success", by: { actor: "policy", rule: "mode" } });
  });

  it("asks about guarded files in any mode, and denies in read-only mode", async () => {
    const stage = await stageOf("full-auto", "AGENTS.md");
    const life = await stage.begin("change");
    await approveAll(life);
    await undo(life);
    expect(life.last("approval_requested").calls[0]).toMatchObject({
      risk: "high",
      verdict: { rule: { source: "guarded" } },
    });
    await life.session.answer({ session: life.session.id, call: "c2" }, { decision: "deny" });
    await life.session.settled();
    life.session.setMode("read-only");
    await undo(life);
    expect(life.call("c3")).toMatchObject({ status: "cancelled", by: { actor: "policy" } });
    expect(stage.text("AGENTS.md")).toBe("2\n");
  });
});
