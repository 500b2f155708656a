import { describe, expect, it } from "vitest";
import { historyOf } from "../../../src/records/history.ts";
import {
  finishRewind,
  isRewinding,
  openRewind,
  type RewindPoint,
  rewindPoints,
  rewindTo,
} from "../../../src/records/undo/rewind.ts";
import { askHelpers } from "../../support/ask-helpers.ts";
import { apart } from "../../support/models-apart.ts";
import { calls, type Life, openStage, type Stage, says } from "../../support/play.ts";

const edit = (from: string, to: string) =>
  calls(["edit_file", { file_path: "a.txt", old_string: from, new_string: to }]);

/** Three turns: one looks, one changes a file, one changes it again and makes another. */
async function talk(): Promise<{ stage: Stage; life: Life }> {
  const stage = await openStage({
    files: { "a.txt": "1\n" },
    lines: [
      calls(["read_file", { file_path: "a.txt" }]),
      says("It says 1."),
      edit("1", "2"),
      says("Now 2."),
      edit("2", "3"),
      calls(["write_file", { file_path: "b.txt", content: "b\n" }]),
      says("Now 3."),
      says("Gone on."),
    ],
  });
  const life = await stage.begin("look", { mode: "accept-edits" });
  for (const text of ["make it 2", "make it 3"]) {
    await life.session.submit(text);
    await life.session.settled();
  }
  life.session.setMode("ask");
  return { stage, life };
}

const pointAt = (life: Life, text: string): RewindPoint => {
  const found = rewindPoints({ store: life.store, journal: life.journal() }).find((point) => point.text === text);
  if (found === undefined) throw new Error(`no message ${text}`);
  return found;
};

const rowOf = (life: Life, id = life.session.id) => {
  const row = life.store.sessions.get(id);
  if (row === undefined) throw new Error(`no session ${id}`);
  return row;
};

async function answer(life: Life, decision: "approve" | "deny"): Promise<void> {
  const [call] = life.last("approval_requested").calls;
  if (call === undefined) throw new Error("nothing waits");
  await life.session.answer(
    { session: life.session.id, call: call.callId },
    decision === "deny" ? { decision } : { decision, digest: call.digest },
  );
  await life.session.settled();
}

const saidIn = (life: Life, id: string): string[] =>
  historyOf(life.store.readJournal(id)).transcript.flatMap((entry) => (entry.role === "call" ? [] : [entry.text]));

describe("going on from an earlier message", () => {
  it("offers the person's messages, newest first, each with what was changed since", async () => {
    const { stage, life } = await talk();
    expect(
      rewindPoints({ store: life.store, journal: life.journal() }).map(({ text, files, calls: ids }) => [
        text,
        files,
        ids,
      ]),
    ).toEqual([
      ["make it 3", [stage.path("a.txt"), stage.path("b.txt")], ["c3", "c4"]],
      ["make it 2", [stage.path("a.txt"), stage.path("b.txt")], ["c2", "c3", "c4"]],
      ["look", [stage.path("a.txt"), stage.path("b.txt")], ["c2", "c3", "c4"]],
    ]);
  });

  it("takes the files back once that is approved, and forks the talk before the message; the old session stays", async () => {
    const { stage, life } = await talk();
    const point = pointAt(life, "make it 3");
    const to = rewindTo(point);
    expect(await life.session.undo({ calls: point.calls, rewind: to })).toEqual({ ok: true, calls: ["c3", "c4"] });
    await life.session.settled();
    expect(stage.text("a.txt")).toBe("3\n");
    expect([openRewind(life.store, life.journal()), isRewinding(life.journal())]).toEqual([undefined, true]);
    await answer(life, "approve");
    expect(isRewinding(life.journal())).toBe(false);
    expect(stage.text("a.txt")).toBe("2\n");
    expect(() => stage.text("b.txt")).toThrow();
    expect(openRewind(life.store, life.journal())).toEqual(to);
    const done = await finishRewind(life.store, rowOf(life), to);
    expect(done).toEqual({ draft: "make it 3", id: to.fork });
    expect(openRewind(life.store, life.journal())).toBeUndefined();
    expect(saidIn(life, to.fork)).toEqual(["look", "", "It says 1.", "make it 2", "", "Now 2."]);
    expect(saidIn(life, life.session.id)).toContain("make it 3");
    const fork = await stage.resume(to.fork);
    await fork.session.submit("make it 4");
    await fork.session.settled();
    const told = stage.requests.at(-1)?.messages.filter((message) => message.getType() === "human");
    expect(told?.map(({ content }) => content)).toEqual(["look", "make it 2", "make it 4"]);
    // Both ways back: what the undo took back comes again in the old session, and the fork's own change goes in the fork.
    expect(await life.session.undo({ calls: ["c5"] })).toMatchObject({ ok: true });
    await life.session.settled();
    expect(isRewinding(life.journal())).toBe(false);
    await answer(life, "approve");
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["3\n", "b\n"]);
  });

  it("leaves all as it is where the undo is denied", async () => {
    const { stage, life } = await talk();
    const point = pointAt(life, "make it 2");
    await life.session.undo({ calls: point.calls, rewind: rewindTo(point) });
    await life.session.settled();
    await answer(life, "deny");
    expect(openRewind(life.store, life.journal())).toBeUndefined();
    expect(stage.text("a.txt")).toBe("3\n");
    expect(life.store.sessions.list()).toHaveLength(1);
  });

  it("from the first message begins a new session", async () => {
    const { life } = await talk();
    expect(await finishRewind(life.store, rowOf(life), rewindTo(pointAt(life, "look")))).toEqual({ draft: "look" });
  });

  it("counts no change that was taken back since, and takes back an undo of what came before", async () => {
    const { stage, life } = await talk();
    await life.session.undo({ calls: ["c4"] });
    await life.session.settled();
    await answer(life, "approve");
    expect(pointAt(life, "make it 3")).toMatchObject({ files: [stage.path("a.txt")], calls: ["c3"] });
    await life.session.submit("go on");
    await life.session.settled();
    await life.session.undo({ calls: ["c3"] });
    await life.session.settled();
    await answer(life, "approve");
    expect(pointAt(life, "go on")).toMatchObject({ files: [stage.path("a.txt")], calls: ["c6"] });
    expect(pointAt(life, "make it 3")).toMatchObject({ files: [], calls: [] });
    await life.session.undo({ calls: ["c6"] });
    await life.session.settled();
    await answer(life, "approve");
    expect(pointAt(life, "make it 3")).toMatchObject({ files: [stage.path("a.txt")], calls: ["c3"] });
  });
});

describe("a rewind whose process dies", () => {
  it("between the undo and the fork, or in the middle of the fork, says so, is gone on with, and forks once", async () => {
    const { stage, life } = await talk();
    const point = pointAt(life, "make it 3");
    const to = rewindTo(point);
    await life.session.undo({ calls: point.calls, rewind: to });
    await life.session.settled();
    await answer(life, "approve");
    // The messages of the fork are laid down, and the process dies before the session is made of them.
    let removals = 0;
    const dying = new Proxy(life.store, {
      get(target, key) {
        if (key === "fork") return () => Promise.reject(new Error("dead"));
        if (key === "saver")
          return new Proxy(target.saver, {
            get(saver, name) {
              const value: unknown = Reflect.get(saver, name);
              // What cleans up after a failure is not done by the dead.
              if (name === "deleteThread")
                return async (thread: string) => (removals++ === 0 ? saver.deleteThread(thread) : undefined);
              return typeof value === "function" ? value.bind(saver) : value;
            },
          });
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await expect(finishRewind(dying, rowOf(life), to)).rejects.toThrow("dead");
    const { id } = life.session;
    await life.close();
    const again = await stage.resume(id);
    await again.session.settled();
    expect(again.of("notice").map(({ code }) => code)).toEqual(["rewind_unfinished"]);
    expect(again.last("session_restored").rewind).toEqual({ ...to, text: "make it 3" });
    expect(await finishRewind(again.store, rowOf(again, id), to)).toEqual({ id: to.fork, draft: "make it 3" });
    expect(await finishRewind(again.store, rowOf(again, id), to)).toEqual({ id: to.fork, draft: "make it 3" });
    expect(again.store.sessions.list()).toHaveLength(2);
    expect(saidIn(again, to.fork)).toEqual(["look", "", "It says 1.", "make it 2", "", "Now 2."]);
    expect(again.store.verify(to.fork).problem).toBeUndefined();
  });

  it("takes back what helpers changed since, too", async () => {
    const stage = await openStage({
      files: { "a.txt": "1\n" },
      lines: [calls(["ask_helpers", { tasks: ["mend a", "write b"] }]), edit("2", "3"), says("Done.")],
      tools: [askHelpers()],
      wrapModel: apart({
        "mend a": [edit("1", "2"), says("Mended.")],
        "write b": [calls(["write_file", { file_path: "b.txt", content: "b\n" }]), says("Written.")],
      }),
    });
    const life = await stage.begin("look", { mode: "accept-edits" });
    const { id } = life.session;
    life.session.setMode("ask");
    const point = pointAt(life, "look");
    expect(point.files.toSorted()).toEqual([stage.path("a.txt"), stage.path("b.txt")]);
    expect(point.calls.toSorted()).toEqual(["c2", `${id}@c1.1:c1`, `${id}@c1.2:c1`].toSorted());
    expect((await life.session.undo({ calls: point.calls })).ok).toBe(true);
    await life.session.settled();
    await answer(life, "approve");
    expect(stage.text("a.txt")).toBe("1\n");
    expect(() => stage.text("b.txt")).toThrow();
    expect(pointAt(life, "look").calls).toEqual([]);
  });
});
