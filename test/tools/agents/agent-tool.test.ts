import { expect, it } from "vitest";
import type { ChildSpec } from "../../../src/core/child-session.ts";
import { createAgentTool } from "../../../src/tools/agents/agent-tool.ts";
import { createToolContext } from "../../../src/tools/use/run-tool.ts";

it("a helper that is begun no more has the name of the agent that is gone, also where it was to go on from another one", async () => {
  const specs: ChildSpec[] = [];
  const ctx = createToolContext({
    workspace: "/",
    goesOn: true,
    runChild: async (spec) => {
      specs.push(spec);
      return {
        ...{ session: "", agent: "", status: "no_agent", text: "", files: [] },
        ...{ steps: 0, inputTokens: 0, outputTokens: 0 },
      };
    },
  });
  await createAgentTool().execute({ task: "look", agent: "worker", continue_from: "otter@c1.1" }, ctx);
  expect(specs).toMatchObject([{ agent: "worker", continues: "otter@c1.1", begins: false }]);
});

it.each([0, -1, 2.5, Number.NaN])("is not made where %d helpers are to work at once", (maxChildren) => {
  expect(() => createAgentTool({ maxChildren })).toThrow(
    new TypeError(`maxChildren must be a whole number from 1 on, not ${maxChildren}`),
  );
});

it.each([1, 40, Number.POSITIVE_INFINITY])("is made where %d may work at once", (maxChildren) => {
  expect(createAgentTool({ maxChildren }).name).toBe("agent");
});
