import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool, type Tool } from "../../../src/core/tool.ts";
import { asBuiltIn } from "../../../src/tools/built-in.ts";
import { calls, type Life, openStage, type Stage, says } from "../../support/play.ts";

interface Told {
  /** How often arguments were parsed: what is hidden is filled in once each time. */
  parsed: number;
  planned: string[][];
  ran: string[][];
}

/** It is planned again before it runs, for it does not check its plan itself. @param writes into what it is given, as a program's own tool may */
function listing(writes: boolean): { tool: Tool; told: Told } {
  const told: Told = { parsed: 0, planned: [], ran: [] };
  const tool = defineTool({
    name: "list",
    description: "lists",
    effect: "once",
    risk: "medium",
    args: z.object({ words: z.array(z.string()), who: z.string() }),
    hidden: ["who"],
    inject: { who: () => `person ${++told.parsed}` },
    editable: ["words"],
    plan: async ({ words }, { cwd }) => {
      told.planned.push([...words]);
      if (writes) words.push("written by its plan");
      return { summary: "list", cwd };
    },
    execute: async ({ words }) => {
      told.ran.push(words.slice(0, 1));
      return { output: "listed" };
    },
  });
  return { tool: writes ? tool : asBuiltIn(tool), told };
}

const stageOf = (tool: Tool): Promise<Stage> =>
  openStage({ tools: [tool], lines: [calls(["list", { words: ["a"] }]), says("Done.")] });

const answer = async (life: Life, decision: Parameters<Life["session"]["answer"]>[1]): Promise<void> => {
  expect(await life.session.answer({ session: life.session.id, call: "c1" }, decision)).toEqual({ ok: true });
  await life.session.settled();
};

describe("the arguments of a call", () => {
  it("are parsed once, though it is planned again before it runs", async () => {
    const { tool, told } = listing(false);
    const life = await (await stageOf(tool)).begin("list");
    await answer(life, { decision: "approve" });
    expect(told).toEqual({ parsed: 1, planned: [["a"], ["a"]], ran: [["a"]] });
  });

  it("are parsed anew after the person edited them, and run as edited", async () => {
    const { tool, told } = listing(false);
    const life = await (await stageOf(tool)).begin("list");
    await answer(life, { decision: "edit", arguments: { words: ["b"] } });
    await answer(life, { decision: "approve" });
    expect(told).toEqual({ parsed: 2, planned: [["a"], ["b"], ["b"]], ran: [["b"]] });
    expect(life.call("c1")).toMatchObject({ status: "success", arguments: { words: ["b"] } });
  });

  it("are parsed anew in another process", async () => {
    const { tool, told } = listing(false);
    const stage = await stageOf(tool);
    const life = await stage.begin("list");
    await life.close();
    const later = await stage.resume(life.session.id);
    await answer(later, { decision: "approve" });
    expect(told).toMatchObject({ parsed: 2, ran: [["a"]] });
  });

  it("are none that a plan has written into, where the tool is none of the program's own", async () => {
    const { tool, told } = listing(true);
    const life = await (await stageOf(tool)).begin("list");
    await answer(life, { decision: "approve" });
    expect(told).toEqual({ parsed: 2, planned: [["a"], ["a"]], ran: [["a"]] });
  });
});
