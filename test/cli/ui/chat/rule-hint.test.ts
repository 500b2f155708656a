import { expect, it } from "vitest";
import { RuleHint } from "../../../../src/cli/ui/chat/rule-hint.ts";
import type { AgentEvent } from "../../../../src/graph/events.ts";
import type { Session } from "../../../../src/session/session.ts";

const offer = { line: "allow shell: npm test", times: 3, text: "", file: "/policy.json", write: async () => undefined };
const event = (body: object): AgentEvent =>
  ({ v: 1, seq: 1, at: "", session: "brisk-otter-4f2a", ...body }) as AgentEvent;
const decided = (by: string) => event({ type: "decision", callId: "c1", decision: "approve", by });
const ended = event({ type: "turn_ended", reason: "done", exitCode: 0, calls: {} });
const childEnded = event({ ...ended, parent: "calm-fox-0001" });

/** A chat that is free or not, and asks for offers so often. */
function place(offered: typeof offer | undefined) {
  const state = { free: true, session: "brisk-otter-4f2a", asked: 0, said: [] as string[], fails: false };
  const hint = new RuleHint({
    session: () => ({ id: state.session, workspace: "/w" }) as Session,
    about: {
      ruleOffer: async () => {
        state.asked += 1;
        if (state.fails) throw new Error("broken");
        return offered;
      },
    },
    isFree: () => state.free,
    say: (item) => void state.said.push(item.kind === "notice" ? item.text : ""),
  });
  const turn = async (...events: AgentEvent[]) => {
    hint.heard(events);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { state, turn };
}

const line = "you answered alike 3 times: /suggest shows a rule for it (allow shell: npm test)";

it("is given after a turn in which the person answered, once a session", async () => {
  const { state, turn } = place(offer);
  await turn(ended);
  await turn(decided("policy"), decided("script"), ended);
  await turn(decided("person"), childEnded);
  expect(state).toMatchObject({ asked: 0, said: [] });
  await turn(ended);
  await turn(decided("person"), ended);
  expect(state).toMatchObject({ asked: 1, said: [line] });
  state.session = "calm-fox-0001";
  await turn(decided("person"), ended);
  expect(state.said).toEqual([line, line]);
});

it("waits for another turn where something is typed, asked or run by then, and is silent where there is none", async () => {
  const { state, turn } = place(offer);
  state.free = false;
  await turn(decided("person"), ended);
  expect(state.said).toEqual([]);
  state.free = true;
  state.fails = true;
  await turn(decided("person"), ended);
  expect(state.said).toEqual([]);
  state.fails = false;
  await turn(decided("person"), ended);
  expect(state.said).toEqual([line]);
  const none = place(undefined);
  await none.turn(decided("person"), ended);
  expect(none.state).toMatchObject({ asked: 1, said: [] });
});
