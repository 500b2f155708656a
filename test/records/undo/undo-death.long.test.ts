import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { calls, openStage, says } from "../../support/play.ts";
import { approveAll, changed, edit, openRepeatable, undo, undoUntil, write } from "../../support/undone.ts";

describe("an undo whose process dies", () => {
  it("while it waits is asked about again, and then done", async () => {
    const lines = [calls(edit("1", "2"), write("b.txt", "new\n")), says("Done.")];
    const stage = await openStage({ files: { "a.txt": "1\n" }, lines });
    const life = await changed(stage);
    await undo(life);
    await life.until((event) => event.type === "approval_requested");
    await life.close();
    const next = await stage.resume(life.session.id);
    expect(next.last("approval_requested").calls[0]).toMatchObject({ callId: "c3", toolName: "undo_changes" });
    await approveAll(next);
    expect(stage.text("a.txt")).toBe("1\n");
    expect(existsSync(stage.path("b.txt"))).toBe(false);
  });

  it("at any write of the store is done once, or was never asked for", async () => {
    const repeatable = await openRepeatable();
    const { stage, id } = repeatable;
    for (let write = 1; ; write++) {
      const database = await repeatable.again();
      const { fate, life } = await undoUntil(repeatable, database, write);
      if (!fate.dead) {
        expect(write).toBeGreaterThan(8);
        return;
      }
      const last = await stage.resume(id, { takeOver: true, database });
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
});
