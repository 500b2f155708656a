import { describe, expect, it } from "vitest";
import type { Brought, Pictures } from "../../src/session/sent-message.ts";
import { type Life, openStage, says } from "../support/play.ts";
import { approve, askedStage, edit, openCalls } from "./steering.ts";

/** Who finds what comes with a message, until the test gives it. @param heeds the signal: else it goes on past a stop */
function finder(heeds = true) {
  let give: (found: Brought) => void = () => undefined;
  const asked: AbortSignal[] = [];
  const pictures: Pictures = (signal) => {
    asked.push(signal);
    return new Promise((resolve, reject) => {
      give = resolve;
      if (heeds) signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  };
  const found = (text?: string) =>
    give({ images: [], problems: [], ...(text === undefined ? {} : { stands: { text, calls: [], isServed: true } }) });
  return { pictures, asked, found, begun: () => expect.poll(() => asked.length).toBe(1) };
}

const turns = (life: Life) =>
  life
    .journal()
    .turns()
    .map(({ text }) => text);

const isOver = async (work: Promise<unknown>): Promise<boolean> => {
  let over = false;
  void work.then(
    () => {
      over = true;
    },
    () => {
      over = true;
    },
  );
  for (let tick = 0; tick < 20; tick += 1) await new Promise(setImmediate);
  return over;
};

describe("while it is found what a message brings", () => {
  it("an answer counts at once", async () => {
    const stage = await askedStage();
    const life = await stage.begin("change it");
    const { pictures, begun, found } = finder();
    const sent = life.session.submit("/hub:review", pictures);
    await begun();
    const [call] = life.last("approval_requested").calls;
    const ref = { session: life.session.id, call: call?.callId ?? "" };
    expect(await life.session.answer(ref, { decision: "approve", digest: call?.digest ?? "" })).toEqual({ ok: true });
    await expect.poll(() => stage.text("a.txt")).toBe("two\n");
    expect(turns(life)).toEqual(["change it"]);
    found("Review all.");
    await sent;
    await life.session.settled();
    expect(turns(life)).toEqual(["change it", "Review all."]);
  });

  it("a message that was meant in the place of one question gives up none that is asked later", async () => {
    const stage = await openStage({
      files: { "a.txt": "one\n" },
      lines: [edit, edit, says("Done."), says("Then.")],
    });
    const life = await stage.begin("change it");
    const { pictures, begun, found } = finder();
    const sent = life.session.submit("rather this", pictures, false);
    await begun();
    const [call] = life.last("approval_requested").calls;
    const ref = { session: life.session.id, call: call?.callId ?? "" };
    await life.session.answer(ref, { decision: "deny" });
    await expect.poll(() => openCalls(life).map(({ status }) => status)).toEqual(["awaiting_approval"]);
    expect(openCalls(life)[0]?.callId).not.toBe(call?.callId);
    found();
    await sent;
    expect(openCalls(life)).toMatchObject([{ status: "awaiting_approval" }]);
    await approve(life);
    expect(stage.text("a.txt")).toBe("two\n");
    expect(turns(life)).toEqual(["change it", "rather this"]);
  });

  it("what is typed after it waits for it: messages, steers and an undo", async () => {
    const stage = await openStage({ lines: Array.from({ length: 6 }, (_, at) => says(`Answer ${at}.`)) });
    const life = await stage.begin("first");
    const { session } = life;
    const { pictures, begun, found } = finder();
    const sent = session.submit("named", pictures);
    await begun();
    const later = [session.submit("plain"), session.steer("steered")];
    const undone = session.undo({ turns: 1 } as never);
    expect(await isOver(Promise.race([...later, undone]))).toBe(false);
    found("What it stands for.");
    await Promise.all([sent, ...later]);
    expect(await undone).toMatchObject({ ok: false, message: expect.stringContaining("the agent is working") });
    await session.settled();
    expect(turns(life).slice(0, 3)).toEqual(["first", "What it stands for.", "plain"]);
    const told = JSON.stringify(stage.requests.at(-1)?.messages);
    expect(told.indexOf("What it stands for.")).toBeLessThan(told.indexOf("plain"));
    expect(told).toContain("steered");
  });

  it("taken back, all come back in their order, with what was stored before, and none is said", async () => {
    const stage = await askedStage();
    const life = await stage.begin("change it");
    await life.session.submit("queued", undefined, true);
    const { pictures, begun, found } = finder(false);
    const sent = [life.session.submit("named", pictures, true), life.session.submit("plain", undefined, true)];
    await begun();
    expect(await life.session.takeBack()).toEqual(["queued", "named", "plain"]);
    await Promise.all(sent);
    found();
    await approve(life);
    expect(turns(life)).toEqual(["change it"]);
  });

  it("a stop gives it up and says so; what is typed then does not wait for who goes on finding", async () => {
    const stage = await openStage({ lines: [says("One."), says("Two."), says("Three.")] });
    const life = await stage.begin("first");
    const { session } = life;
    const [deaf, second] = [finder(false), finder()];
    const sent = session.submit("named", deaf.pictures);
    const behind = session.submit("named too", second.pictures);
    const plain = session.submit("plain");
    await deaf.begun();
    const refused = Promise.all([
      expect(sent).rejects.toThrow("stopped by the person"),
      expect(behind).rejects.toThrow("stopped by the person"),
    ]);
    await session.stop();
    await refused;
    await plain;
    await session.settled();
    await session.submit("after");
    await session.settled();
    deaf.found();
    expect(second.asked).toEqual([]);
    expect(deaf.asked[0]?.aborted).toBe(true);
    expect(turns(life)).toEqual(["first", "plain", "after"]);
  });

  it("the session's end waits until nobody finds anything any more, and nobody begins to", async () => {
    const stage = await openStage({ lines: [says("One.")] });
    const life = await stage.begin("first");
    const [deaf, late] = [finder(false), finder()];
    const sent = life.session.submit("named", deaf.pictures);
    await deaf.begun();
    const refused = expect(sent).rejects.toThrow("the session is being closed");
    const closed = life.session.close();
    await refused;
    await expect(life.session.submit("late", late.pictures)).rejects.toThrow("the session is being closed");
    expect(await isOver(closed)).toBe(false);
    await life.session.takeBack().catch(() => undefined);
    await expect(life.session.submit("later", late.pictures)).rejects.toThrow("the session is being closed");
    deaf.found();
    await closed;
    expect(late.asked).toEqual([]);
  });
});
