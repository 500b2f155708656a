import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { calls, openStage, says } from "../../support/play.ts";
import { approveAll, changed, diffOf, edit, undo, write } from "../../support/undone.ts";

describe("undo of an edit", () => {
  it("is a call of its own: planned, asked about, applied, and told to the model with the next message", async () => {
    const stage = await openStage({
      files: { "a.txt": "one\ntwo\n" },
      lines: [calls(edit("two", "2")), says("Done."), says("I see.")],
    });
    const life = await changed(stage);
    await undo(life);
    const [asked] = life.last("approval_requested").calls;
    expect(asked).toMatchObject({
      callId: "c2",
      toolName: "undo_changes",
      arguments: { calls: ["c1"] },
      risk: "medium",
      verdict: { decision: "ask" },
      editable: [],
    });
    expect(await life.session.offersOf({ session: life.session.id, call: "c2" })).toEqual({ grants: [] });
    expect(asked?.plan.summary).toBe("take back call c1: a.txt (+1 -1)");
    expect(asked?.plan.diff).toContain("-2\n+two");
    expect(life.last("user_message").text).toBe("(undo) Take back call c1: edit a.txt (+1 -1)");
    expect(stage.text("a.txt")).toBe("one\n2\n");

    await approveAll(life);
    expect(stage.text("a.txt")).toBe("one\ntwo\n");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0, calls: { success: 1 } });
    expect(stage.requests).toHaveLength(2);
    expect(diffOf(stage, life)).toBe("");

    await life.session.submit("go on");
    await life.session.settled();
    expect(stage.observation()).toMatch(/^Taken back at the person's command\. a\.txt is put back to before call c1/);
    expect(stage.requests.at(-1)?.tools.map((tool) => tool.name)).not.toContain("undo_changes");
    expect(life.last("turn_ended").text).toBe("I see.");
  });

  it("changes nothing when it is denied, and can be asked for again", async () => {
    const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [calls(edit("1", "2")), says("Done.")] });
    const life = await changed(stage);
    await undo(life);
    await life.session.answer({ session: life.session.id, call: "c2" }, { decision: "deny", reason: "no" });
    await life.session.settled();
    expect(stage.text("a.txt")).toBe("2\n");
    expect(life.call("c2")).toMatchObject({ status: "cancelled", ended: { why: "denied" }, reason: "no" });
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 10 });
    expect(stage.requests).toHaveLength(2);
    await undo(life);
    await approveAll(life);
    expect(stage.text("a.txt")).toBe("1\n");
  });

  it("puts line endings, byte order mark, a missing last newline and the mode back byte for byte", async () => {
    const before = Buffer.from("\uFEFFone\r\ntwo\r\nthree", "utf8");
    const stage = await openStage({ lines: [calls(edit("two", "2")), says("Done.")] });
    writeFileSync(stage.path("a.txt"), before);
    chmodSync(stage.path("a.txt"), 0o751);
    const life = await changed(stage);
    await undo(life);
    await approveAll(life);
    expect(readFileSync(stage.path("a.txt")).equals(before)).toBe(true);
    expect(statSync(stage.path("a.txt")).mode & 0o777).toBe(0o751);
  });

  it("puts a binary file back that was overwritten, without showing it", async () => {
    const before = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 13, 10]);
    const stage = await openStage({ lines: [calls(write("a.png", "text\n")), says("Done.")] });
    writeFileSync(stage.path("a.png"), before);
    const life = await changed(stage);
    expect(diffOf(stage, life)).toBe(
      "--- a/a.png\n+++ b/a.png\n\\ not shown: the old content is not text, 10 bytes\n@@ -0,0 +1,1 @@\n+text\n",
    );
    await undo(life);
    const [asked] = life.last("approval_requested").calls;
    expect(asked?.partial).toEqual({ lines: 0, bytes: 10, why: "binary" });
    expect(asked?.plan.warnings).toEqual(["a.png is no text: it is put back whole, its content is not shown"]);
    await approveAll(life);
    expect(readFileSync(stage.path("a.png")).equals(before)).toBe(true);
  });
});

describe("undo of a new file", () => {
  it("removes it, and undoing that makes it again with its mode", async () => {
    const stage = await openStage({ lines: [calls(write("sub/new.txt", "hello\n")), says("Done.")] });
    const life = await changed(stage);
    chmodSync(stage.path("sub/new.txt"), 0o600);
    await undo(life);
    expect(life.last("approval_requested").calls[0]?.plan).toMatchObject({
      summary: "take back call c1: remove sub/new.txt (+0 -1)",
      files: [{ kind: "delete", after: null }],
    });
    await approveAll(life);
    expect(existsSync(stage.path("sub/new.txt"))).toBe(false);
    rmSync(stage.path("sub"), { recursive: true });
    await undo(life, { calls: ["c2"] });
    await approveAll(life);
    expect(stage.text("sub/new.txt")).toBe("hello\n");
    expect(statSync(stage.path("sub/new.txt")).mode & 0o777).toBe(0o600);
    // What was put again can be taken back again.
    await undo(life, { calls: ["c1"] });
    await approveAll(life);
    expect(existsSync(stage.path("sub/new.txt"))).toBe(false);
  });

  it("is refused once it has changed", async () => {
    const stage = await openStage({ lines: [calls(write("new.txt", "hello\n")), says("Done.")] });
    const life = await changed(stage);
    await stage.put("new.txt", "mine\n");
    await undo(life);
    expect(life.call("c2")).toMatchObject({
      status: "error",
      errorCode: "STALE",
      errorMsg:
        "call c1 cannot be taken back from new.txt: it made the file, which has changed since: remove it yourself",
    });
    expect(life.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 1 });
    expect(life.last("turn_ended")).not.toHaveProperty("resume");
    expect(stage.text("new.txt")).toBe("mine\n");
  });
});

describe("undo of a turn", () => {
  const three = calls(edit("1", "2"), write("b.txt", "new\n"), edit("2", "3"));

  it("takes back all its calls, each file to what it was before the first", async () => {
    const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [three, says("Done.")] });
    const life = await changed(stage);
    expect(stage.text("a.txt")).toBe("3\n");
    await undo(life, { turn: 1 });
    expect(life.last("approval_requested").calls[0]?.plan.summary).toBe("take back calls c1, c2, c3: 2 files (+1 -2)");
    await approveAll(life);
    expect(stage.text("a.txt")).toBe("1\n");
    expect(existsSync(stage.path("b.txt"))).toBe(false);
    expect(await life.session.undo({ turn: 1 })).toEqual({
      ok: false,
      message: "turn 1 changed no file and no artifact, or was already taken back",
    });
  });

  it("takes back one call of several, and keeps what the later one did", async () => {
    const stage = await openStage({
      files: { "a.txt": "1\n-\n-\n2\n" },
      lines: [calls(edit("1", "one"), edit("2", "two")), says("Done.")],
    });
    const life = await changed(stage);
    await undo(life, { calls: ["c1"] });
    const [asked] = life.last("approval_requested").calls;
    expect(asked?.plan.warnings).toEqual([
      "a.txt has changed since: what call c1 changed is taken out, the rest stays",
    ]);
    await approveAll(life);
    expect(stage.text("a.txt")).toBe("1\n-\n-\ntwo\n");
    await undo(life);
    await approveAll(life);
    expect(stage.text("a.txt")).toBe("1\n-\n-\n2\n");
  });

  it("goes further back each time, and never to an undo by itself", async () => {
    const stage = await openStage({
      files: { "a.txt": "1\n" },
      lines: [calls(edit("1", "2")), says("Done."), calls(edit("2", "3")), says("Done.")],
    });
    const life = await changed(stage);
    await life.session.submit("more");
    await life.session.settled();
    await approveAll(life);
    for (const expected of ["2\n", "1\n"]) {
      await undo(life);
      await approveAll(life);
      expect(stage.text("a.txt")).toBe(expected);
    }
    expect(await life.session.undo({ turn: "last" })).toEqual({
      ok: false,
      message: "this session has changed no file and no artifact, or all of it was already taken back",
    });
    // Taking back an undo by its turn is a redo.
    await undo(life, { turn: 4 });
    await approveAll(life);
    expect(stage.text("a.txt")).toBe("2\n");
  });
});
