import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AgentEvent } from "../../src/graph/events.ts";
import { createEventStream } from "../../src/session/event-stream.ts";
import { EventsGone, KeptEvents } from "../../src/session/kept-events.ts";

const notice = (text: string) => ({ type: "notice", code: "test", text }) as const;
const textOf = (event: AgentEvent): string => (event.type === "notice" ? event.text : event.type);
const longest = 30_000;
const noCalls = { success: 0, error: 0, cancelled: 0, interrupted: 0 };

/** Nothing that waits for a while comes to its end in this test. */
function withoutTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

describe("an event is heard", () => {
  it(
    "when its reader reads on, and not while it is at work with it",
    async () => {
      const stream = createEventStream("s", () => 0);
      const said: string[] = [];
      let goOn: () => void = () => undefined;
      const reading = (async () => {
        for await (const event of stream.events()) {
          said.push(textOf(event));
          if (textOf(event) === "a")
            await new Promise<void>((resolve) => {
              goOn = resolve;
            });
        }
      })();
      for (const text of ["a", "b"]) stream.emit(notice(text), () => said.push(`${text} heard`));
      await expect.poll(() => said).toEqual(["a"]);
      const all = stream.allHeard().then(() => said.push("all heard"));
      goOn();
      await all;
      expect(said).toEqual(["a", "a heard", "b", "b heard", "all heard"]);
      stream.end();
      await reading;
    },
    longest,
  );

  it(
    "never where its reader stops at it, nor where nobody reads: that is not waited for",
    async () => {
      withoutTime();
      const stream = createEventStream("s", () => 0);
      const heard: string[] = [];
      for (const text of ["a", "b"]) stream.emit(notice(text), () => heard.push(text));
      await stream.allHeard();
      expect(heard).toEqual([]);
      for await (const event of stream.events()) if (textOf(event) === "b") break;
      await stream.allHeard();
      expect(heard).toEqual(["a"]);
    },
    longest,
  );

  it(
    "in its own time: a reader that waits for the session's end at it is not waited for in turn",
    async () => {
      const stream = createEventStream("s", () => 0);
      const heard: string[] = [];
      stream.emit(notice("a"), () => heard.push("a"));
      for await (const event of stream.events()) {
        await stream.allHeard();
        expect([textOf(event), heard]).toEqual(["a", []]);
        stream.end();
      }
      expect(heard).toEqual(["a"]);
    },
    longest,
  );
});

it(
  "is heard by the reader that is furthest: one that is stuck, or behind, holds up nobody who waits for that",
  async () => {
    withoutTime();
    const stream = createEventStream("s", () => 0);
    const [stuck, quick] = [stream.events(), stream.events()].map((events) => events[Symbol.asyncIterator]());
    for (const text of ["a", "b"]) stream.emit(notice(text));
    await Promise.all([stuck?.next(), quick?.next()]);
    await quick?.next();
    const all = stream.allHeard();
    void quick?.next();
    await all;
    await stuck?.next();
    await stream.allHeard();
    stream.end();
  },
  longest,
);

it("is none after the end: nobody is told of it, whenever they come", async () => {
  const stream = createEventStream("s", () => 0);
  stream.emit(notice("a"));
  stream.end();
  stream.emit(notice("b"));
  const said: string[] = [];
  for await (const event of stream.events()) said.push(textOf(event));
  expect(said).toEqual(["a"]);
});

it("tells of the calls that are not over: those that the model wrote and made, until their end is seen or is not", () => {
  const stream = createEventStream("s", () => 0);
  const of = { session: "s@c9.1", parent: "s", agent: "helper" };
  const progress = () => stream.progress().map(({ session, callId, status }) => [session, callId, status]);
  for (const callId of ["c1", "c2"])
    stream.emit({ type: "tool_progress", callId, phase: "arguments", toolName: "ls", partialArguments: "{" });
  stream.emit({ type: "tool_progress", callId: "c1", phase: "arguments", toolName: "ls" }, undefined, of);
  stream.emit({ type: "assistant_message", id: "m", text: "", calls: ["c1"] });
  expect(progress()).toEqual([
    ["s", "c1", undefined],
    ["s@c9.1", "c1", undefined],
  ]);
  stream.emit({ type: "turn_ended", reason: "failed", exitCode: 1, calls: noCalls }, undefined, of);
  stream.emit({ type: "tool_call", call: { callId: "c1", status: "awaiting_approval", attempt: 1 } });
  stream.emit({ type: "turn_ended", reason: "awaiting_approval", exitCode: 11, calls: noCalls });
  expect(progress()).toEqual([["s", "c1", "awaiting_approval"]]);
  stream.emit({ type: "tool_call", call: { callId: "c1", status: "interrupted", attempt: 1 } });
  expect(progress()).toEqual([]);
});

describe("the readers of a session", () => {
  const seqs = async (events: AsyncIterable<AgentEvent>, most = Number.POSITIVE_INFINITY): Promise<number[]> => {
    const read: number[] = [];
    for await (const { seq } of events) if (read.push(seq) === most) break;
    return read;
  };
  const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const keeping = (count: number, characters = 1_000_000) =>
    createEventStream("s", () => 0, new KeptEvents("s", { count, characters }));

  it("have each all of it in order, from where they ask, however slow another one is", async () => {
    const stream = createEventStream("s", () => 0);
    const stuck = stream.events()[Symbol.asyncIterator]();
    const readers = [stream.events(), stream.events(), stream.events({ after: 0 })].map((events) => seqs(events));
    for (let at = 1; at <= 300; at++) {
      stream.emit(notice(String(at)));
      if (at === 150) await stuck.next();
      if (at === 200) readers.push(seqs(stream.events({ after: 120 })), seqs(stream.events({ after: 200 })));
      if (at % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    stream.end();
    const all = upTo(300);
    expect(await Promise.all(readers)).toEqual([all, all, all, upTo(300, 121), upTo(300, 201)]);
    expect((await stuck.next()).value).toMatchObject({ seq: 2 });
    // Also behind the end.
    expect(await seqs(stream.events({ after: 298 }))).toEqual([299, 300]);
    expect(await seqs(stream.events({ after: 300 }))).toEqual([]);
  });

  it("are told from where on they can read, where what they ask for is not kept, and what to read instead", async () => {
    const stream = keeping(10);
    for (let at = 1; at <= 25; at++) stream.emit(notice(String(at)));
    const wanted = (after: number) => () => stream.events({ after });
    expect(wanted(14)).toThrow(EventsGone);
    expect(wanted(3)).toThrow(
      expect.objectContaining({
        first: 16,
        message: "the events 4 to 15 of session s are no longer kept: read its history, and its events after 15",
      }),
    );
    expect(() => stream.events()).toThrow(EventsGone);
    stream.end();
    expect(await seqs(stream.events({ after: 15 }))).toEqual(upTo(25, 16));
    // The number is of an earlier process.
    expect(wanted(26)).toThrow(
      expect.objectContaining({ first: 16, message: expect.stringContaining("they are counted anew each time") }),
    );
    for (const after of [-1, 1.5, Number.NaN, "3" as never]) expect(wanted(after)).toThrow(TypeError);
  });

  it("that fall behind what is kept are told so where they asked by a number; one that asked for all has all", async () => {
    const stream = keeping(10);
    const [whole, since] = [stream.events(), stream.events({ after: 0 })].map((events) =>
      events[Symbol.asyncIterator](),
    );
    stream.emit(notice("1"));
    expect((await since?.next())?.value).toMatchObject({ seq: 1 });
    for (let at = 2; at <= 11; at++) stream.emit(notice(String(at)));
    expect((await since?.next())?.value).toMatchObject({ seq: 2 });
    for (let at = 12; at <= 30; at++) stream.emit(notice(String(at)));
    await expect(since?.next()).rejects.toThrow(EventsGone);
    stream.end();
    expect(await seqs({ [Symbol.asyncIterator]: () => whole as AsyncIterator<AgentEvent> })).toEqual(upTo(30));
  });

  it("are kept no more characters than the bound, once somebody has read, and the newest event always", async () => {
    const stream = keeping(100, 1_000);
    const long = "x".repeat(600);
    for (let at = 1; at <= 5; at++) stream.emit(notice(long));
    // As long as nobody has come, none of it is lost for its size.
    expect(await seqs(stream.events(), 5)).toEqual([1, 2, 3, 4, 5]);
    stream.emit(notice("y".repeat(5_000)));
    expect(() => stream.events({ after: 4 })).toThrow(EventsGone);
    expect(await seqs(stream.events({ after: 5 }), 1)).toEqual([6]);
    // What was dropped does not count any more.
    for (const text of ["a", "b", "c"]) stream.emit(notice(text));
    expect(await seqs(stream.events({ after: 6 }), 3)).toEqual([7, 8, 9]);
  });

  it("hear an event once, the first that reads on; who stops or comes late keeps none of them from it", async () => {
    const stream = createEventStream("s", () => 0);
    const heard: string[] = [];
    for (const text of ["a", "b"]) stream.emit(notice(text), () => heard.push(text));
    await seqs(stream.events({ after: 1 }), 1);
    expect(heard).toEqual([]);
    stream.end();
    await seqs(stream.events({ after: 1 }));
    expect(heard).toEqual(["b"]);
    await Promise.all([seqs(stream.events()), seqs(stream.events())]);
    expect(heard).toEqual(["b", "a"]);
  });

  it("are not waited for where another one has had all", async () => {
    const stream = createEventStream("s", () => 0);
    const [slow, quick] = [stream.events(), stream.events()].map((events) => events[Symbol.asyncIterator]());
    stream.emit(notice("a"));
    await slow?.next();
    await quick?.next();
    let all = false;
    const heard = stream.allHeard().then(() => {
      all = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(all).toBe(false);
    void quick?.next();
    await heard;
    expect(all).toBe(true);
  });
});
