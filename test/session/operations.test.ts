import { describe, expect, it } from "vitest";
import type { Brought } from "../../src/session/said.ts";
import { type Life, openStage, says } from "../support/play.ts";
import { approve, askedStage, openCalls } from "./steering.ts";

const nothing: Brought = { images: [], problems: [] };

/** Who finds what comes with a message, and never ends by itself. */
function hanging() {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const find = (signal: AbortSignal): Promise<Brought> =>
    new Promise((_, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      begin();
    });
  return { find, begun };
}

/** The person's yes to the call that waits. */
function yes({ last, session }: Life) {
  const [call] = last("approval_requested").calls;
  if (call === undefined) throw new Error("nothing waits");
  return session.answer({ session: session.id, call: call.callId }, { decision: "approve", digest: call.digest });
}

/** What became of a message. */
const fate = (sent: Promise<void>): Promise<string> =>
  sent.then(
    () => "taken",
    (error: Error) => error.message,
  );

describe("a message that waits for what comes with it", () => {
  it("holds up neither an answer nor what that leads to, and comes back when the person stops", async () => {
    const stage = await askedStage();
    const life = await stage.begin("change it");
    const { find, begun } = hanging();
    const sent = fate(life.session.submit("and this", find));
    await begun;
    expect(await yes(life)).toEqual({ ok: true });
    await life.until(({ type }) => type === "turn_ended");
    expect(stage.text("a.txt")).toBe("two\n");
    await life.session.stop();
    expect(await sent).toBe("stopped by the person");
    expect(life.journal().turns()).toHaveLength(1);
  });

  it("stops asking when it is taken back, or its session closes", async () => {
    const stage = await openStage({ lines: [says("One.")] });
    const life = await stage.begin("first");
    const one = hanging();
    const sent = fate(life.session.submit("second", one.find));
    await one.begun;
    expect(await life.session.takeBack()).toEqual([]);
    expect(await sent).toBe("it was taken back");
    const other = hanging();
    const last = fate(life.session.submit("third", other.find));
    await other.begun;
    const closed = life.close();
    const late = fate(life.session.submit("fourth", hanging().find));
    await closed;
    expect([await last, await late]).toEqual(["the session is being closed", "the session is being closed"]);
  });

  it("that is found all the same is taken back behind it, and is not sent", async () => {
    const stage = await openStage({ lines: [says("One."), says("Two.")] });
    const life = await stage.begin("first");
    let find: (found: Brought) => void = () => undefined;
    const found = new Promise<Brought>((resolve) => {
      find = resolve;
    });
    const sent = life.session.submit("second", () => found);
    const taken = life.session.takeBack();
    const stopped = life.session.stop();
    find(nothing);
    expect(await taken).toEqual(["second"]);
    await Promise.all([stopped, sent]);
    await life.session.settled();
    expect(life.of("turn_ended")).toHaveLength(1);
  });

  it("comes before those that were said after it, and a session is not settled before", async () => {
    const stage = await openStage({ lines: [says("One."), says("Two."), says("Three.")] });
    const life = await stage.begin("first");
    let find: (found: Brought) => void = () => undefined;
    const found = new Promise<Brought>((resolve) => {
      find = resolve;
    });
    const sent = [life.session.submit("second", () => found), life.session.submit("third")];
    const settled = life.session.settled();
    find({ ...nothing, stands: { text: "second, in full", calls: [] } });
    await settled;
    await Promise.all(sent);
    expect(life.journal().turns()).toMatchObject([
      { text: "first", state: "done" },
      { text: "second, in full", state: "done" },
      { text: "third", state: "done" },
    ]);
  });

  it("gives up no question that is another one by the time it comes", async () => {
    const stage = await askedStage([[["edit_file", { file_path: "a.txt", old_string: "two", new_string: "three" }]]]);
    const life = await stage.begin("change it");
    let find: (found: Brought) => void = () => undefined;
    const found = new Promise<Brought>((resolve) => {
      find = resolve;
    });
    const sent = life.session.submit("leave it", () => found);
    await yes(life);
    await life.until((event) => event.type === "approval_requested" && event.calls[0]?.callId === "c2");
    find(nothing);
    await sent;
    expect(openCalls(life)).toMatchObject([{ callId: "c2", status: "awaiting_approval" }]);
    await approve(life);
    expect(life.journal().turns()).toMatchObject([{ state: "done" }, { text: "leave it" }]);
  });
});
