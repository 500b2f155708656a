import { mkdir, rename } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { stopElsewhere } from "../../src/records/ask-driver.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Journal, Store } from "../../src/store/types.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { gate } from "../support/gate.ts";
import { apart } from "../support/models-apart.ts";
import { calls, type Life, openStage, says } from "../support/play.ts";

const writes = (file: string, content: string) => calls(["write_file", { file_path: file, content }]);

const twoThatWrite = () =>
  openStage({
    lines: [calls(["ask_helpers", { tasks: ["write a", "write b"] }]), says("All done.")],
    tools: [askHelpers()],
    wrapModel: apart({
      "write a": [writes("a.txt", "a\n"), says("Wrote a.")],
      "write b": [writes("b.txt", "b\n"), says("Wrote b.")],
    }),
  });

/** A store whose root's journal has this done before it writes down that the session waits for the person: its question is made, and not asked. */
const beforeItAsks =
  (work: () => Promise<unknown>) =>
  (store: Store): Store =>
    new Proxy(store, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (key !== "journal") return typeof value === "function" ? value.bind(target) : value;
        return (lease: Parameters<Store["journal"]>[0]): Journal => {
          const journal = target.journal(lease);
          if (journal.session.includes("@")) return journal;
          const setState: Journal["setState"] = async (state) => {
            if (state === "awaiting_approval") await work();
            await journal.setState(state);
          };
          return new Proxy(journal, {
            get: (of, name) => {
              const own: unknown = name === "setState" ? setState : Reflect.get(of, name);
              return typeof own === "function" ? own.bind(of) : own;
            },
          });
        };
      },
    });

/** Begins, and has these stopped while the root's question is made and not asked. */
async function stoppedBeforeItAsks(children: readonly number[]): Promise<Life> {
  const stage = await twoThatWrite();
  const begun = gate<Life>();
  const stopping = async () => {
    const { session } = await begun.opened;
    for (const nth of children) expect(await session.stopChild(`${session.id}@c1.${nth}`)).toEqual({ ok: true });
  };
  const life = await stage.begin("go", { wrap: beforeItAsks(stopping), running: true });
  begun.open(life);
  await life.session.settled();
  return life;
}

describe("a child that is stopped just as its session is about to ask for it", () => {
  it("is asked about no more, and the session goes on", async () => {
    const life = await stoppedBeforeItAsks([1, 2]);
    expect(life.of("approval_requested")).toEqual([]);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", session: life.session.id, text: "All done." });
    expect(life.call("c1")).toMatchObject({ status: "success" });
    await life.close();
  });

  it("leaves the question of another one, which can be answered", async () => {
    const life = await stoppedBeforeItAsks([1]);
    const { id } = life.session;
    const asked = life.of("approval_requested");
    expect(asked.map(({ calls: of }) => of.map(({ session }) => session))).toEqual([[`${id}@c1.2`]]);
    const ref = { session: `${id}@c1.2`, call: "c1" };
    expect(await life.session.answer(ref, { decision: "approve" })).toEqual({ ok: true });
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", session: id });
    await life.close();
  });
});

describe("a child whose folder is another one by now", () => {
  it("is not stopped, and the turn ends with the reason, once; another process's stop is told as such only where it was one", async () => {
    const stage = await twoThatWrite();
    const life = await stage.begin("go");
    const { id } = life.session;
    const store = await openStore({ file: stage.database });
    onTestFinished(() => store.close());
    await rename(stage.workspace, `${stage.workspace}-gone`);
    await mkdir(stage.workspace);
    expect(await life.session.stopChild(`${id}@c1.1`)).toMatchObject({ ok: false });
    expect(life.of("turn_ended").filter(({ session }) => session === id)).toMatchObject([{ reason: "failed" }]);
    expect(await stopElsewhere(store, `${id}@c1.1`)).toMatchObject({ became: "idle" });
    expect(life.of("notice").filter(({ code }) => code === "stopped_elsewhere")).toEqual([]);
    await life.close();
  });
});
