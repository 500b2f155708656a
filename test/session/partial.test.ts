import { expect, it } from "vitest";
import { calls, openStage, says } from "../support/play.ts";
import { write } from "../support/undone.ts";

const text = `${"x".repeat(99)}\n`.repeat(10_001);

it("a partial call is approved by its digest only, whoever asks: without one it goes on waiting, and says so", async () => {
  const stage = await openStage({ lines: [calls(write("big.txt", text)), says("Done.")] });
  const life = await stage.begin("write it");
  const [call] = life.last("approval_requested").calls;
  expect(call?.partial).toEqual({ lines: 1, bytes: 100, why: "size" });
  const refused = await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" });
  expect(refused).toMatchObject({ ok: false, code: "partial" });
  expect(life.last("notice")).toMatchObject({ code: "partial", text: refused.ok ? "" : refused.message });
  expect(life.call("c1")?.status).toBe("awaiting_approval");
  expect(
    await life.session.answer(
      { session: life.session.id, call: "c1" },
      { decision: "approve", digest: call?.digest ?? "" },
    ),
  ).toEqual({ ok: true });
  await life.session.settled();
  expect(stage.text("big.txt")).toBe(text);
});

it("what is shown whole is approved without a digest by who was shown it", async () => {
  const stage = await openStage({ lines: [calls(write("big.txt", text.slice(100))), says("Done.")] });
  const life = await stage.begin("write it");
  expect(life.last("approval_requested").calls[0]?.partial).toBeUndefined();
  expect(await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" })).toEqual({
    ok: true,
  });
  await life.session.settled();
  expect(stage.text("big.txt")).toHaveLength(1_000_000);
});
