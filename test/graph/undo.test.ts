import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/graph/events.ts";
import { sessionDiff } from "../../src/graph/session-diff.ts";
import { sha256 } from "../../src/tools/contract/json.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, type Stage, says, toolOf } from "../support/play.ts";

const edit = (from: string, to: string, file = "a.txt") =>
  ["edit_file", { file_path: file, old_string: from, new_string: to }] as [string, Record<string, string>];
const write = (file: string, content: string) =>
  ["write_file", { file_path: file, content }] as [string, Record<string, string>];

/** Answers all that waits with yes, until nothing waits. */
async function approveAll(life: Life): Promise<void> {
  for (const call of life.last("approval_requested").calls) {
    expect(await life.session.answer(call.callId, { decision: "approve", digest: call.digest })).toEqual({ ok: true });
  }
  await life.session.settled();
}

/** A session in which one message of the model has been approved and applied. */
async function changed(stage: Stage): Promise<Life> {
  const life = await stage.begin("change it");
  await approveAll(life);
  expect(life.last("turn_ended").reason).toBe("done");
  return life;
}

async function undo(life: Life, target: Parameters<Life["session"]["undo"]>[0] = { turn: "last" }): Promise<void> {
  expect(await life.session.undo(target)).toMatchObject({ ok: true });
  await life.session.settled();
}

const diffOf = (stage: Stage, life: Life): string =>
  sessionDiff(life.journal(), stage.workspace)
    .map(({ diff }) => diff)
    .join("");

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
    await life.session.answer("c2", { decision: "deny", reason: "no" });
    await life.session.settled();
    expect(stage.text("a.txt")).toBe("2\n");
    expect(life.call("c2")).toMatchObject({ status: "cancelled", reason: "denied by the person: no" });
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
    expect(diffOf(stage, life)).toBe("--- a/a.png\n+++ b/a.png\n\\ not shown: no text, 10 -> 5 bytes\n");
    await undo(life);
    const [asked] = life.last("approval_requested").calls;
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
      message: "turn 1 changed no file, or is taken back already",
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
      message: "this session has changed no file, or all of it is taken back already",
    });
    // Taking back an undo by its turn is a redo.
    await undo(life, { turn: 4 });
    await approveAll(life);
    expect(stage.text("a.txt")).toBe("2\n");
  });
});

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
      message: expect.stringContaining("c4 (undo_changes) is awaiting_approval"),
    });
    await approveAll(life);
    expect(await said(["c2"])).toMatchObject({
      ok: false,
      message: expect.stringContaining("is taken back already, by call c4"),
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
      errorMsg: "the bytes of a.txt around call c1 are not kept any more, so it cannot be taken back",
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
    await life.session.answer("c2", { decision: "deny" });
    await life.session.settled();
    life.session.setMode("read-only");
    await undo(life);
    expect(life.call("c3")).toMatchObject({ status: "cancelled", by: { actor: "policy" } });
    expect(stage.text("AGENTS.md")).toBe("2\n");
  });
});

const waits = (event: AgentEvent): boolean => event.type === "approval_requested";

describe("after a death", () => {
  const two = calls(edit("1", "2"), write("b.txt", "new\n"));
  const openTwo = () => openStage({ files: { "a.txt": "1\n" }, lines: [two, says("Done.")] });

  it("a waiting undo is asked about again, and then done", async () => {
    const stage = await openTwo();
    const life = await changed(stage);
    await undo(life);
    await life.until(waits);
    await life.close();
    const next = await stage.resume(life.session.id);
    expect(next.last("approval_requested").calls[0]).toMatchObject({ callId: "c3", toolName: "undo_changes" });
    await approveAll(next);
    expect(stage.text("a.txt")).toBe("1\n");
    expect(existsSync(stage.path("b.txt"))).toBe(false);
  });

  /** Undo in a life that dies at this write of the store. */
  async function dying(stage: Stage, id: string, write: number) {
    const fate = fateOf({ write, when: "after" });
    const life = await stage.resume(id, { still: true, wrap: fate.wrap });
    try {
      await life.session.undo({ turn: "last" });
      await life.session.settled();
      if (life.of("approval_requested").length > 0) await approveAll(life);
    } catch (error) {
      if (!fate.dead) throw error;
    }
    return { fate, life };
  }

  /** The same session at the same point as often as wanted. */
  async function repeatable(): Promise<{ stage: Stage; id: string; rewind(): Promise<void> }> {
    const stage = await openTwo();
    const life = await changed(stage);
    await life.close();
    const saved = readFileSync(stage.database);
    const rewind = async (): Promise<void> => {
      // A new file: SQLite knows those of one process by their inode.
      for (const end of ["", "-wal", "-shm"]) rmSync(`${stage.database}${end}`, { force: true });
      writeFileSync(stage.database, saved);
      await stage.put("a.txt", "2\n");
      await stage.put("b.txt", "new\n");
    };
    return { stage, id: life.session.id, rewind };
  }

  it("at any write of the store: done once, or never asked for", async () => {
    const { stage, id, rewind } = await repeatable();
    for (let write = 1; ; write++) {
      await rewind();
      const { fate, life } = await dying(stage, id, write);
      if (!fate.dead) {
        expect(write).toBeGreaterThan(8);
        return;
      }
      const last = await stage.resume(id, { takeOver: true });
      if (last.of("approval_requested").length > 0) await approveAll(last);
      const asked = last.journal().turns().length === 2;
      expect([stage.text("a.txt"), existsSync(stage.path("b.txt"))], `write ${write}`).toEqual(
        asked ? ["1\n", false] : ["2\n", true],
      );
      const undos = last
        .journal()
        .allCalls()
        .filter((call) => call.toolName === "undo_changes");
      expect(undos.map((call) => call.status)).toEqual(asked ? ["success"] : []);
      expect(stage.requests).toHaveLength(2);
      await last.close();
      await life.close();
    }
  });

  it("between two files, the rest is another plan: it is asked about anew", async () => {
    const { stage, id, rewind } = await repeatable();
    for (let write = 1; ; write++) {
      await rewind();
      const { fate, life: dead } = await dying(stage, id, write);
      expect(fate.dead).toBe(true);
      const begun = dead.journal().call("c3")?.status === "executing";
      await dead.close();
      if (!begun) continue;
      await stage.put("a.txt", "1\n");
      const next = await stage.resume(id, { takeOver: true });
      const [asked] = next.last("approval_requested").calls;
      expect(asked).toMatchObject({
        plan: { summary: "take back calls c1, c2: remove b.txt (+0 -1)", files: [{ kind: "delete" }] },
        changed: { why: "part of it was done when its process ended" },
      });
      expect(existsSync(stage.path("b.txt"))).toBe(true);
      await approveAll(next);
      expect(existsSync(stage.path("b.txt"))).toBe(false);
      expect(next.call("c3")).toMatchObject({ status: "success", attempt: 2 });
      return;
    }
  });

  /** A session whose undo of two files died after the first; it is asked about the rest. */
  async function halfDone(): Promise<{ stage: Stage; next: Life }> {
    const { stage, id, rewind } = await repeatable();
    for (let write = 1; ; write++) {
      await rewind();
      const { life: dead } = await dying(stage, id, write);
      const begun = dead.journal().call("c3")?.status === "executing";
      await dead.close();
      if (!begun) continue;
      await stage.put("a.txt", "1\n");
      return { stage, next: await stage.resume(id, { takeOver: true }) };
    }
  }

  it("between two files, a no to the rest is told as partly done, and what was done counts", async () => {
    const { stage, next } = await halfDone();
    expect(diffOf(stage, next)).not.toContain("a.txt");
    await next.session.answer("c3", { decision: "deny", reason: "enough" });
    await next.session.settled();
    expect(next.call("c3")).toMatchObject({
      status: "cancelled",
      by: { actor: "person", rule: "partly" },
      reason: "a.txt was put back; the rest was not: denied by the person: enough",
    });
    expect(diffOf(stage, next)).toContain("b.txt");
    expect(diffOf(stage, next)).not.toContain("a.txt");
    await next.session.submit("go on");
    await next.session.settled();
    expect(stage.observation()).toBe("Partly done: a.txt was put back; the rest was not: denied by the person: enough");
    await undo(next, { calls: ["c3"] });
    await approveAll(next);
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["2\n", "new\n"]);
    expect(diffOf(stage, next)).toContain("-1\n+2");
  });

  it("between two files, a new message instead of an answer tells the same", async () => {
    const { stage, next } = await halfDone();
    await next.session.submit("something else");
    await next.session.settled();
    expect(stage.observation()).toMatch(/^Partly done: a\.txt was put back; the rest was not: the person sent a new/);
  });

  it("between two files, a yes to the rest forgets neither: both are in the diff and can be taken back", async () => {
    const { stage, next } = await halfDone();
    await approveAll(next);
    expect(next.call("c3")).toMatchObject({ status: "success" });
    expect(diffOf(stage, next)).toBe("");
    await next.session.submit("go on");
    await next.session.settled();
    expect(stage.observation()).toMatch(/Before that, a\.txt was put back\.$/);
    await undo(next, { calls: ["c3"] });
    expect(next.last("approval_requested").calls[0]?.plan.files).toHaveLength(2);
    await approveAll(next);
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["2\n", "new\n"]);
  });

  it("between two files, with another's save in the second: what was put back counts, the rest is not known", async () => {
    const { stage, id, rewind } = await repeatable();
    for (let write = 1; ; write++) {
      await rewind();
      const { life: dead } = await dying(stage, id, write);
      const begun = dead.journal().call("c3")?.status === "executing";
      await dead.close();
      if (!begun) continue;
      await stage.put("a.txt", "1\n");
      await stage.put("b.txt", "mine\n");
      const next = await stage.resume(id, { takeOver: true });
      expect(await next.session.recover("c3", "cancel")).toEqual({ ok: true });
      await next.session.settled();
      expect(next.call("c3")).toMatchObject({
        status: "cancelled",
        by: { actor: "person", rule: "recovery" },
        reason: expect.stringMatching(/^a\.txt was put back; of the rest: its process ended/),
      });
      expect(diffOf(stage, next)).not.toContain("a.txt");
      return;
    }
  });
});

describe("a call that stops between two files", () => {
  const fileOf = (stage: Stage, file: string) =>
    ({
      asked: file,
      real: stage.path(file),
      kind: "modify",
      before: sha256("1\n"),
      after: sha256("2\n"),
      mode: 0o644,
      eol: "lf",
      bom: false,
      encoding: "utf-8",
    }) as const;

  it("is an error, and what it changed before that is in the diff and can be taken back", async () => {
    let files: ReturnType<typeof fileOf>[] = [];
    const tool = toolOf(
      "two",
      async () => {
        writeFileSync(files[0]?.real ?? "", "2\n");
        return { output: "", error: "b.txt was saved", metadata: { code: "STALE", filesDone: files.slice(0, 1) } };
      },
      {
        effect: "file",
        plan: async (_, ctx) => {
          for (const { real } of files) ctx.overlay?.write(real, Buffer.from("2\n"));
          return { summary: "two files", cwd: ctx.cwd, files };
        },
      },
    );
    const stage = await openStage({
      files: { "a.txt": "1\n", "b.txt": "1\n" },
      tools: [tool],
      mode: "full-auto",
      lines: [calls(["two", {}]), says("Done.")],
    });
    files = [fileOf(stage, "a.txt"), fileOf(stage, "b.txt")];
    const life = await stage.begin("go");
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "STALE", errorMsg: "b.txt was saved" });
    expect(sessionDiff(life.journal(), stage.workspace)).toMatchObject([
      { path: "a.txt", diff: expect.stringContaining("-1\n+2") },
    ]);
    await undo(life, { calls: ["c1"] });
    expect(life.call("c2")).toMatchObject({ status: "success" });
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["1\n", "1\n"]);
    expect(diffOf(stage, life)).toBe("");
  });
});
