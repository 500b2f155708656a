import { describe, expect, it } from "vitest";
import {
  IllegalPhase,
  type Move,
  moved,
  type OpenPhase,
  openPhase,
  type Phase,
  turnIsOpen,
} from "../../src/session/phase.ts";

const over = Promise.resolve();
const later = Promise.resolve();
const work = new AbortController();
const fresh = new AbortController();

const idle: OpenPhase = { at: "idle", work };
const running: OpenPhase = { at: "running", work, over };
const asking: OpenPhase = { at: "asking", work, over };
const recovering: OpenPhase = { at: "recovering", work, over };
const halting = (to: "stop" | "close", during: OpenPhase): Phase => ({ at: "halting", to, during });
const closed: Phase = { at: "closed" };

const moves: Record<Move["do"], Move> = {
  begin: { do: "begin", work: fresh, over: later },
  ask_approval: { do: "ask_approval", over: later },
  ask_recovery: { do: "ask_recovery", over: later },
  end: { do: "end" },
  stop: { do: "stop" },
  close: { do: "close" },
  release: { do: "release", work: fresh },
  closed: { do: "closed" },
};

const begun: OpenPhase = { at: "running", work: fresh, over: later };
const asks: OpenPhase = { at: "asking", work, over: later };
const recovers: OpenPhase = { at: "recovering", work, over: later };
const refused = "refused";
type Row = [Phase, Record<Move["do"], Phase | typeof refused>];

const open = (from: OpenPhase): Row => [
  from,
  {
    begin: from.at === "running" ? refused : begun,
    ask_approval: asks,
    ask_recovery: recovers,
    end: idle,
    stop: halting("stop", from),
    close: halting("close", from),
    release: refused,
    closed: refused,
  },
];
const halted = (to: "stop" | "close", during: OpenPhase): Row => [
  halting(to, during),
  {
    begin: during.at === "running" ? refused : halting(to, begun),
    ask_approval: halting(to, asks),
    ask_recovery: halting(to, recovers),
    end: halting(to, idle),
    stop: halting(to, during),
    close: halting("close", during),
    release: to === "close" ? refused : during.at === "running" ? during : { ...during, work: fresh },
    closed,
  },
];
const opens = [idle, running, asking, recovering];
const table: Row[] = [
  ...opens.map(open),
  ...opens.flatMap((during) => [halted("stop", during), halted("close", during)]),
  [
    closed,
    {
      begin: refused,
      ask_approval: refused,
      ask_recovery: refused,
      end: refused,
      stop: refused,
      close: refused,
      release: refused,
      closed: refused,
    },
  ],
];

const nameOf = (phase: Phase): string =>
  phase.at === "halting" ? `${phase.at} (${phase.to}) while ${phase.during.at}` : phase.at;

describe.each(table.map(([from, row]) => [nameOf(from), from, row] as const))(
  "a session that is %s",
  (_, from, row) => {
    it.each(Object.values(moves).map((move) => [move.do, move] as const))("is asked to %s", (name, move) => {
      const to = row[name];
      if (to === refused) expect(() => moved(from, move)).toThrow(IllegalPhase);
      else expect(moved(from, move)).toEqual(to);
    });
  },
);

it("has a turn open from its first run to its last word, halted or not", () => {
  const openTurns = table.map(([phase]) => phase).filter(turnIsOpen);
  expect(openTurns.map(nameOf)).toEqual([
    "running",
    "asking",
    "recovering",
    ...["running", "asking", "recovering"].flatMap((at) => [
      `halting (stop) while ${at}`,
      `halting (close) while ${at}`,
    ]),
  ]);
  expect([openPhase(closed), openPhase(halting("stop", asking))]).toEqual([undefined, asking]);
});
