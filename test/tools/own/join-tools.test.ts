import { expect, it } from "vitest";
import { joinTools } from "../../../src/tools/own/join-tools.ts";
import { toolOf } from "../../support/play.ts";

const own = (name: string, origin: "user" | "project") => ({
  tool: toolOf(name, () => "done"),
  file: { path: `/x/${name}.mjs`, shown: `${name}.mjs`, origin },
});

it("leaves the agent's own names to the agent, whoever brings a tool of them", () => {
  for (const name of ["undo_changes", "run_command", "stop_job", "present_plan"]) {
    const { tools, leftOut } = joinTools([], [own(name, "user"), own(name, "project"), own(`my_${name}`, "user")]);
    expect(tools.map((tool) => tool.name)).toEqual([`my_${name}`]);
    expect(leftOut.map(({ why }) => why)).toEqual([
      "no tool but the agent's own may have this name",
      "the agent itself has a tool of this name",
    ]);
  }
});
