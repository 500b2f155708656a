import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import { advance, type CallChange, type CallOf } from "../../../../src/core/call.ts";
import { placesIn } from "../../../../src/graph/talk/room/cut-places.ts";
import type { Journal } from "../../../../src/store/types.ts";
import { begin, drive, open, pendingCall } from "../../../store/support.ts";

const digest = "a".repeat(64);
const prose = (characters: number): string => "a word or two ".repeat(characters / 14);

type Course = (journal: Journal, call: CallOf<"pending">) => Promise<unknown>;

const ask: (...given: Parameters<Course>) => Promise<CallOf<"awaiting_approval">> = async (journal, before) => {
  const after = advance<"pending", "awaiting_approval">(before, { status: "awaiting_approval", digest });
  await journal.move([{ before, after }]);
  return after;
};

type EndOf<T extends "success" | "error" | "interrupted"> = { status: T } & CallChange<T>;

/** The call is begun, and then ends so. */
const ends =
  <T extends "success" | "error" | "interrupted">(change: EndOf<T>): Course =>
  async (journal, call) => {
    const before = await begin(journal, call);
    await journal.move([{ before, after: advance<"executing", T>(before, change) }]);
  };

const succeeds = ends<"success">({ status: "success", result: { output: prose(700) } });

/** Everything that a call may be before its end. */
const whileOpen: Readonly<Record<string, Course>> = {
  "is proposed": async () => undefined,
  "waits for the person": ask,
  "is approved": async (journal, call) => {
    const before = await ask(journal, call);
    const change = { status: "pending", by: { actor: "person" } } as const;
    await journal.move([{ before, after: advance<"awaiting_approval", "pending">(before, change) }]);
  },
  runs: begin,
  "has an end that nobody saw": ends<"interrupted">({ status: "interrupted", ended: { why: "unseen" } }),
};

const onceEnded: Readonly<Record<string, Course>> = {
  succeeded: succeeds,
  failed: ends<"error">({ status: "error", errorCode: "EIO", errorMsg: "it failed" }),
  "was denied": async (journal, before) => {
    const change = { status: "cancelled", by: { actor: "person" }, ended: { why: "denied" } } as const;
    await journal.move([{ before, after: advance<"pending", "cancelled">(before, change) }]);
  },
};

/** The messages with calls: the call of a course is the second one of its message, beside one that has succeeded. */
const steps = ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"];

interface Talk {
  /** Where the call of the course is. */
  step: string;
  /** The last turn has not ended. */
  isUnderWay: boolean;
  /** There is one in each later message too. */
  goesOn: boolean;
}

/** A talk of three turns, two messages with two calls in each and then words. */
async function talkWith({ step, isUnderWay, goesOn }: Talk, course: Course) {
  const { journal } = await drive(await open({ file: ":memory:" }));
  const messages: BaseMessage[] = [];
  for (const turn of [1, 2, 3]) {
    const words = new HumanMessage({ id: `h${turn}`, content: prose(140) });
    await journal.addTurn({ text: words.text, message: words, queued: false });
    messages.push(words);
    for (const id of steps.filter((one) => one.startsWith(`${turn}.`))) {
      const calls = [pendingCall(`c${id}a`), pendingCall(`c${id}b`)];
      const [first, second] = calls as [CallOf<"pending">, CallOf<"pending">];
      const message = new AIMessage({
        id: `m${id}`,
        content: prose(280),
        tool_calls: calls.map(({ callId, toolName }) => ({ id: callId, name: toolName, args: {} })),
      });
      const [at, number] = id.split(".").map(Number) as [number, number];
      await journal.commitReply({ stepId: { turn: at, step: number }, after: messages.at(-1), message, calls });
      await succeeds(journal, first);
      await (id === step || (goesOn && id > step) ? course : succeeds)(journal, second);
      messages.push(message, ...calls.map(({ callId }) => new ToolMessage(prose(700), callId)));
    }
    if (turn === 3 && isUnderWay) break;
    messages.push(new AIMessage({ id: `w${turn}`, content: prose(280) }));
    await journal.setTurn(turn, "done", "done");
  }
  return {
    places: placesIn(journal, messages, messages),
    messages,
    at: messages.findIndex(({ id }) => id === `m${step}`),
  };
}

/** From one in which nothing has room to one that takes all of the talk, by less than its smallest message. */
const rooms = [...Array.from({ length: 40 }, (_, n) => n * 75), 1e9];

/** The furthest places that a summary, and a cut of outputs, come to in any room. */
async function furthest(talk: Talk, course: Course) {
  const { places, messages, at } = await talkWith(talk, course);
  const folded = rooms.map((room) => (places.staysFrom(room) ?? 0) - 1);
  const cut = rooms.map((room) => messages.findIndex(({ id }) => id === (places.outputsUpTo(room)?.id ?? "")));
  return { summary: Math.max(...folded), outputs: Math.max(...cut), at };
}

const talks: Talk[] = steps.flatMap((step) =>
  [false, true].flatMap((isUnderWay) => [false, true].map((goesOn) => ({ step, isUnderWay, goesOn }))),
);

it.each(Object.entries(whileOpen))("no cut reaches a call that %s, wherever in the talk it is", async (_, course) => {
  for (const talk of talks) {
    const { summary, outputs, at } = await furthest(talk, course);
    expect({ ...talk, summary: summary < at, outputs: outputs < at }).toEqual({
      ...talk,
      summary: true,
      outputs: true,
    });
  }
});

it.each(Object.entries(onceEnded))(
  "a cut may reach a call that %s, once the model has read of it",
  async (_, course) => {
    for (const talk of talks.filter(({ step }) => step !== steps.at(-1))) {
      const { summary, outputs, at } = await furthest(talk, course);
      expect({ ...talk, summary: summary >= at, outputs: outputs >= at }).toEqual({
        ...talk,
        summary: true,
        outputs: true,
      });
    }
  },
);
