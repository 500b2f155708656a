import { describe, expect, it } from "vitest";
import { calls, openStage, says, toolOf } from "../support/play.ts";
import { RawStore } from "../support/raw-store.ts";

/** Keeps a store locked, as another process would, until it is released. */
function lock(database: string): () => void {
  const other = new RawStore(database);
  other.exec("BEGIN IMMEDIATE");
  return () => {
    other.exec("ROLLBACK");
    other.close();
  };
}

describe("a turn that fails because the store takes nothing, and a message after it in the same process", () => {
  it("says each prompt once, and counts what was done, where a reply could not be kept", async () => {
    let release = (): void => undefined;
    const stage = await openStage({
      patienceMs: 60,
      lines: [
        calls(["look", {}]),
        { ...says("words that are never kept"), chunks: 4, delayMs: 10 },
        says("Again, then."),
      ],
      tools: [toolOf("look", () => "seen", { effect: "none" })],
    });
    const life = await stage.begin("first", { running: true });
    await life.until((event) => event.type === "text_delta");
    release = lock(stage.database);
    await life.until((event) => event.type === "turn_ended");
    expect(life.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 75, calls: { success: 1 } });
    release();
    await life.session.submit("again");
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Again, then." });
    const said = stage.requests.at(-1)?.messages.filter((message) => message.getType() === "human");
    expect(said?.map(({ content }) => content)).toEqual(["first", "again"]);
  });

  it.each(["ask", "full-auto"] as const)(
    "settles a call that could not be asked about or begun, in mode %s",
    async (mode) => {
      let release: (() => void) | undefined;
      const stage = await openStage({
        patienceMs: 60,
        mode,
        lines: [calls(["act", {}]), says("Then not."), says("Well.")],
        tools: [
          toolOf("act", () => "done", {
            effect: "once",
            plan: async () => {
              release ??= lock(stage.database);
              return { summary: "act", cwd: stage.workspace };
            },
          }),
        ],
      });
      const life = await stage.begin("first", { running: true });
      await life.until((event) => event.type === "turn_ended");
      expect(life.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 75 });
      release?.();
      await life.session.submit("again");
      await life.session.settled();
      expect(life.call("c1")).toMatchObject({ status: "cancelled", ended: { why: "superseded" } });
      const said = stage.requests.at(-1)?.messages.filter((message) => message.getType() === "human");
      expect(said?.map(({ content }) => content)).toEqual(["first", "again"]);
    },
  );
});
