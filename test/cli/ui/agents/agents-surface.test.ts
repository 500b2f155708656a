import { expect, test } from "vitest";
import type { AgentLine } from "../../../../src/cli/services/session-services.ts";
import { type AgentList, newAgentList, openedTalk } from "../../../../src/cli/ui/agents/agents-state.ts";
import { agentsSurface } from "../../../../src/cli/ui/agents/agents-surface.ts";
import type { Hands } from "../../../../src/cli/ui/surface/hands.ts";
import { servicesWith } from "../../../support/fake-services.ts";
import { FakeSession } from "../../../support/fake-session.ts";
import { start } from "../../../support/views.ts";

const agent = (mark: string): AgentLine => ({
  ...{ session: "s@1", agent: "explorer 1", call: "c1", task: "look", state: "running", mark },
  ...{ steps: 0, inputTokens: 0, outputTokens: 0, filesChanged: 0 },
});

test("the talk that is open is read anew only where its helper has moved", async () => {
  const marks = ["1", "1", "2", "2"];
  const read: string[] = [];
  let looks = 0;
  let list: AgentList | undefined = openedTalk(newAgentList([agent("1")], 7), "s@1", []);
  const agents = async () => {
    const mark = marks[looks] ?? "";
    looks += 1;
    return [agent(mark)];
  };
  const talk = async () => {
    read.push(marks[looks - 1] ?? "");
    return { transcript: [{ role: "user" as const, id: "u1", text: `said at ${looks}` }], earlier: 0 };
  };
  await agentsSurface.effects.follow_agents({ do: "follow_agents", look: 7 }, {
    ...{ services: servicesWith({ about: { agents, talk } }), session: () => new FakeSession(), view: () => start },
    state: () => (looks < marks.length ? list : undefined),
    set: (change: (before: AgentList) => AgentList) => {
      list = list && change(list);
    },
  } as unknown as Hands<AgentList>);
  expect(read).toEqual(["1", "2"]);
  expect(list?.talk?.items).toMatchObject([{ kind: "user", text: "said at 3" }]);
}, 30_000);
