import { describe, expect, it } from "vitest";
import { z } from "zod";
import { goalLines } from "../../src/core/goal-lines.ts";
import { goalsOf } from "../../src/core/goals.ts";
import { defineTool } from "../../src/core/tool.ts";
import { recordedGoals } from "../../src/graph/ended-calls.ts";
import { forkBefore, forkSession } from "../../src/records/fork.ts";
import { createAgentTool } from "../../src/tools/agents/agent-tool.ts";
import { apart } from "../support/models-apart.ts";
import { calls, type Life, openStage, type Stage, says } from "../support/play.ts";

const add = (text: string, parent?: string): [string, Record<string, string>] => [
  "goal",
  { action: "add", text, ...(parent === undefined ? {} : { parent }) },
];
const goal = (action: string, more: Record<string, string> = {}): [string, Record<string, string>] => [
  "goal",
  { action, ...more },
];

const treeOf = (life: Pick<Life, "journal">): string[] => goalLines(goalsOf(life.journal().allCalls()));

/** What the model was told of the plan with its newest request, by the message before it. */
const toldOf = ({ requests }: Stage, back = 1): (readonly [unknown, string])[] => {
  const { messages = [] } = requests.at(-back) ?? {};
  return messages.flatMap(({ content }, at) => {
    const [, plan] = /^\(This is from the agent, not from the person\.\) (Plan [\s\S]*)$/.exec(String(content)) ?? [];
    return plan === undefined ? [] : [[messages[at - 1]?.content, plan] as const];
  });
};

describe("a session's goals", () => {
  it("are told with each new message of the person while something is open, and what was told once stays so", async () => {
    const stage = await openStage({
      lines: [
        calls(add("read the parser"), add("mend it"), goal("start", { id: "g1" })),
        says("Planned."),
        calls(goal("done", { summary: "it is clear" }), goal("start", { id: "g2" })),
        says("Read."),
        calls(goal("done")),
        says("Mended."),
        says("Hello."),
      ],
    });
    const life = await stage.begin("mend the parser");
    expect(toldOf(stage)).toEqual([]);
    for (const words of ["go on", "and on", "hi"]) {
      await life.session.submit(words);
      await life.session.settled();
    }
    expect(toldOf(stage)).toEqual([
      ["go on", "Plan of this session, 0 of 2 done:\ng1 active: read the parser\ng2 pending: mend it"],
      ["and on", "Plan of this session, 1 of 2 done:\ng2 active: mend it"],
    ]);
    for (let at = 1; at < stage.requests.length; at += 1) {
      const before = stage.requests[at - 1]?.messages.map(({ content }) => content) ?? [];
      expect(stage.requests[at]?.messages.slice(0, before.length).map(({ content }) => content)).toEqual(before);
    }
    await life.close();
    const again = await stage.resume(life.session.id, { still: true });
    expect(treeOf(again)).toEqual(["g1 done: read the parser → it is clear", "g2 done: mend it"]);
  });

  it("are kept by a summary as they are when it is written, and told no more as they were before it", async () => {
    const stage = await openStage({
      lines: [
        calls(add("one"), add("two"), goal("start", { id: "g1" })),
        says(`Planned. ${"A plain word or two. ".repeat(200)}`),
        calls(goal("done"), goal("start", { id: "g2" })),
        says("On it."),
        says("Here."),
      ],
      summaries: ["## Goal\nto go on"],
    });
    const life = await stage.begin("plan");
    await life.session.submit("go on");
    await life.session.settled();
    await life.session.compact();
    await life.session.submit("and now?");
    await life.session.settled();
    const [, first] = stage.requests.at(-1)?.messages ?? [];
    expect(String(first?.content)).toContain("\n| Plan of this session, 1 of 2 done:\n| g2 active: two\n");
    expect(toldOf(stage)).toEqual([["and now?", "Plan of this session, 1 of 2 done:\ng2 active: two"]]);
    await life.close();
    expect(treeOf(await stage.resume(life.session.id, { still: true }))).toEqual(["g1 done: one", "g2 active: two"]);
  });

  it("go with a fork as far as its calls do, and each goes on alone", async () => {
    const stage = await openStage({
      lines: [
        calls(add("one")),
        says("One."),
        calls(add("two"), goal("drop", { id: "g1" })),
        says("Two."),
        calls(add("more")),
        says("M."),
      ],
    });
    const life = await stage.begin("plan");
    await life.session.submit("plan on");
    await life.session.settled();
    const { store, session } = life;
    const row = store.sessions.get(session.id);
    if (row === undefined) throw new Error("no session");
    const [whole, part, rewound] = [
      await forkSession(store, row),
      await forkSession(store, row, "c2"),
      await forkBefore(store, row, 2),
    ].map((fork) => fork?.id ?? "");
    await life.close();
    const trees: string[][] = [];
    for (const id of [whole, part, rewound]) {
      const other = await stage.resume(id ?? "", { still: true });
      trees.push(treeOf(other));
      if (id === whole) {
        await other.session.submit("and more");
        await other.session.settled();
        trees.push(treeOf(other));
      }
      await other.close();
    }
    const both = ["g1 dropped: one", "g2 pending: two"];
    expect(trees).toEqual([both, [...both, "g3 pending: more"], both, ["g1 pending: one"]]);
    expect(treeOf(await stage.resume(session.id, { still: true }))).toEqual(both);
  });

  it("name the helpers that calls had work for them, to tools too; a fork has none of these", async () => {
    const heard: unknown[] = [];
    const told = defineTool({
      name: "tell_goals",
      ...{ description: "tells its goals", args: z.strictObject({}), risk: "low" as const, effect: "none" as const },
      execute: (_, { goals }) => {
        heard.push(goals?.());
        return "told";
      },
    });
    const own = defineTool({
      name: "own_helpers",
      ...{
        description: "has helpers of its own",
        args: z.strictObject({}),
        risk: "low" as const,
        effect: "child" as const,
      },
      execute: async (_, { runChild }) => {
        await runChild?.({ task: "for g2", kind: "delegate", goal: "g2" });
        await runChild?.({ task: "for none that there is", kind: "delegate", goal: "g9" });
        const end = await runChild?.({ task: "in a way of its own", kind: "sweep", goal: "g2" });
        return String(end?.status);
      },
    });
    const tasks = ["no goal yet", "a", "b", "for g2", "for none that there is", "in a way of its own"];
    const stage = await openStage({
      lines: [
        calls(["agent", { task: "no goal yet" }], add("one"), add("two"), goal("start", { id: "g1" })),
        calls(["agent", { task: ["a", "b"] }], goal("start", { id: "g2" }), ["own_helpers", {}], ["tell_goals", {}]),
        says("Done."),
      ],
      tools: [createAgentTool(), told, own],
      wrapModel: apart(Object.fromEntries(tasks.map((task) => [task, [says(`${task}: done`)]]))),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    const [explored, delegated] = [/@explore-5-\S+-00[12]$/u, /@delegate-7-\S+-001$/u];
    const goals = [
      {
        ...{ id: "g1", text: "one", state: "pending", type: "agent_call", agentCallMode: "explore" },
        subSessionIds: [expect.stringMatching(explored), expect.stringMatching(explored)],
      },
      {
        ...{ id: "g2", text: "two", state: "active", type: "agent_call", agentCallMode: "delegate" },
        subSessionIds: [expect.stringMatching(delegated)],
      },
    ];
    expect(heard).toEqual([goals]);
    expect(recordedGoals(life.store, id)).toEqual(goals);
    const row = life.store.sessions.get(id);
    const fork = row && (await forkSession(life.store, row));
    expect(recordedGoals(life.store, fork?.id ?? "")).toEqual([
      { id: "g1", text: "one", state: "pending" },
      { id: "g2", text: "two", state: "active" },
    ]);
  });

  it("give each tool the one that was active when the model made its call, as a hidden parameter too", async () => {
    const seen: unknown[] = [];
    const look = defineTool({
      name: "look",
      description: "looks at its context",
      args: z.strictObject({ goal: z.string().default("none") }),
      hidden: ["goal"],
      risk: "low",
      effect: "none",
      execute: ({ goal }, ctx) => {
        seen.push([goal, ctx.goal, ctx.goalId, ctx.goals?.().length]);
        return "seen";
      },
    });
    const stage = await openStage({
      lines: [
        calls(["look", {}], add("one"), goal("start", { id: "g1" }), ["look", {}]),
        calls(["look", {}]),
        calls(goal("done"), ["look", {}]),
        calls(["look", {}]),
        says("Done."),
      ],
      tools: [look],
    });
    await stage.begin("look");
    expect(seen).toEqual([
      ["none", undefined, undefined, 0],
      ["none", undefined, undefined, 1],
      ["one", "one", "g1", 1],
      ["one", "one", "g1", 1],
      ["none", undefined, undefined, 1],
    ]);
  });

  it("are changed in read-only mode without a question, where a memory is not saved", async () => {
    const stage = await openStage({
      lines: [calls(add("one"), ["save_memory", { fact: "otters swim" }]), says("Planned.")],
      mode: "read-only",
    });
    const life = await stage.begin("plan");
    expect([life.call("c1").status, life.call("c2").status]).toEqual(["success", "cancelled"]);
    expect(treeOf(life)).toEqual(["g1 pending: one"]);
  });

  it("are denied by a rule like any other call", async () => {
    const rules = [
      {
        tool: "goal",
        decision: "deny" as const,
        why: "no plans",
        origin: { source: "user" as const, file: "policy.json", line: 1 },
      },
    ];
    const stage = await openStage({ lines: [calls(add("one")), says("No.")], rules });
    const life = await stage.begin("plan");
    expect([life.call("c1").status, treeOf(life)]).toEqual(["cancelled", []]);
  });
});
