import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool, type ToolContext } from "../../src/core/tool.ts";
import { createAgentTool } from "../../src/tools/agents/agent-tool.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import { apart } from "../support/models-apart.ts";
import { calls, says as ends, type Life, openStage } from "../support/play.ts";

const sessionsOf = ({ store, session }: Life) => store.sessions.children(session.id);
const stepsOf = ({ store, session }: Life): number =>
  [session.id, ...sessionsOf({ store, session } as Life).map(({ id }) => id)]
    .map((id) => store.readJournal(id).steps().length)
    .reduce((all, one) => all + one);

const sixteen = Array.from({ length: 16 }, () => "look");
const explore: [string, { task: string[] }] = ["agent", { task: sixteen }];

/** A place whose model answers by who asks: the session with these first words, or a helper. */
const placeOf = (answer: Answer): Promise<Place> => openPlace(Array.from({ length: 80 }, () => answer));
/** A thousand tokens cost a hundredth. */
async function priced({ home }: Place): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const config = { models: { "openai:*": { price: { input: 10, output: 10 } } } };
  await writeFile(`${home}/config.json`, JSON.stringify(config), { mode: 0o600 });
}
const said = ({ messages }: { messages: readonly { role: string; content?: unknown }[] }) => ({
  first: String(messages.find(({ role }) => role === "user")?.content),
  last: String(messages.at(-1)?.content),
  spoken: messages.filter(({ role }) => role === "assistant").length,
});

describe("a tree that grows without end", () => {
  it("ends at the steps of the turn where lists of sixteen are asked for again and again, several in each message", async () => {
    const stage = await openStage({
      lines: Array.from({ length: 40 }, () => calls(explore, explore, explore)),
      maxSteps: 24,
      tools: [createAgentTool()],
      wrapModel: apart({ look: Array.from({ length: 40 }, () => calls(["ls", {}])) }),
    });
    const life = await stage.begin("go");
    expect(life.last("turn_ended")).toMatchObject({ session: life.session.id, reason: "max_steps", exitCode: 53 });
    expect(stepsOf(life)).toBe(24);
    // Those of one call that work at once: no other one was begun.
    expect(sessionsOf(life)).toHaveLength(4);
    await life.close();
  });

  it("ends at the cost of the turn, which all of them spend", async () => {
    const usage = { input: 1000, output: 0 };
    const place = await placeOf(({ body }) => {
      const { first } = said(body);
      return first === "go" ? asks("agent", { task: sixteen }, { usage }) : asks("ls", {}, { usage });
    });
    await priced(place);
    const ran = await place.json(["run", "go", "--max-cost", "0.1"]);
    expect([ran.code, ran.end.reason]).toEqual([53, "max_cost"]);
    // Ten requests cost as much: those under way count by what the dearest before them has cost.
    expect(place.server.requests).toHaveLength(10);
    expect(ran.end.helpers).toHaveLength(4);
  });

  it("costs no more than one reply above it where helpers ask side by side whose replies are dearer than all before", async () => {
    const place = await placeOf(({ body }) =>
      said(body).first === "go"
        ? asks("agent", { task: ["look", "look", "look", "look"] }, { usage: { input: 1000, output: 0 } })
        : says("Seen.", { usage: { input: 100_000, output: 0 } }),
    );
    await priced(place);
    const ran = await place.json(["run", "go", "--max-cost", "1"]);
    expect([ran.code, ran.end.reason, place.server.requests.length]).toEqual([53, "max_cost", 2]);
  });

  it("is ended by an interrupt where helpers wait until another one has its reply, and is gone on from", async () => {
    let isHeld = true;
    const place = await placeOf(({ body }) => {
      if (said(body).first === "go" && said(body).spoken === 0)
        return asks("agent", { task: ["look", "look", "look"] });
      return isHeld && said(body).first !== "go" ? { hangAfter: 0 } : says("Seen.");
    });
    await priced(place);
    const running = place.spawn(["run", "go", "--max-cost", "1", "--json"]);
    await running.shows('-003"');
    await expect.poll(() => place.server.requests.length).toBe(2);
    running.child.kill("SIGINT");
    expect((await running.done).code).toBe(130);
    expect(place.server.requests).toHaveLength(2);
    isHeld = false;
    const session = (JSON.parse(running.stdout().split("\n")[0] ?? "") as { session: string }).session;
    const ran = await place.json(["resume", session, "and now?", "--max-cost", "1"]);
    expect(ran.code).toBe(0);
  });

  it("has no circle of continue_from: each goes on with one that has ended, and is told no more than so much of it", async () => {
    const long = "found ".repeat(20_000);
    let newest = "";
    const place = await placeOf(({ body }) => {
      const { first, last, spoken } = said(body);
      if (first !== "go") return says(`${long}the end`);
      newest = /\((\S+@delegate-\S+)\)/u.exec(last)?.[1] ?? newest;
      const next: Record<string, Reply> = {
        0: asks("agent", { task: "look", continue_from: "own@delegate-1-20260101T0000-001" }),
        1: asks("agent", { task: "look" }),
      };
      if (spoken < 2) return next[spoken] as Reply;
      return asks("agent", { task: "look", continue_from: newest });
    });
    const ran = await place.json(["run", "go", "--max-steps", "14"]);
    expect(ran.end.reason).toBe("max_steps");
    const told = place.server.requests
      .map(({ body }) => said(body).first)
      .filter((first) => first !== "go")
      .map(({ length }) => length);
    expect(told.length).toBeGreaterThan(4);
    expect(Math.max(...told)).toBeLessThan(70_000);
    const ended = ran.of("tool_call").flatMap(({ call }) => ("errorMsg" in call ? [call.errorMsg] : []));
    expect(ended[0]).toContain("no helper of this session that has ended");
  });

  it("is one deep, by whatever name a helper asks for more", async () => {
    const wanted = [
      "agent",
      "Agent",
      "new_task",
      "call_subagent",
      "task",
      "spawn_agent",
      "mcp__agents__spawn",
      "ask_it",
    ];
    const stage = await openStage({
      lines: [calls(["agent", { task: "do it" }]), ends("All done.")],
      tools: [
        createAgentTool(),
        defineTool({
          name: "ask_it",
          description: "of the test",
          args: z.looseObject({}),
          effect: "child",
          execute: async (_, { runChild }) => (await runChild?.({ task: "more" }))?.status ?? "none",
        }),
      ],
      wrapModel: apart({
        "do it": [
          calls(...wanted.map((name): [string, { task: string }] => [name, { task: "more" }])),
          ends("I could not."),
        ],
      }),
    });
    const life = await stage.begin("go", { mode: "full-auto" });
    const [child, ...more] = sessionsOf(life);
    expect(more).toEqual([]);
    const made = life.store.readJournal(child?.id ?? "").allCalls();
    expect(made.map(({ toolName, status }) => [toolName, status])).toEqual(wanted.map((name) => [name, "error"]));
    expect(new Set(made.map((call) => (call.status === "error" ? call.errorCode : "")))).toEqual(
      new Set(["UNKNOWN_TOOL"]),
    );
    await life.close();
  });

  it("has no more children through what a tool of the program's has kept of runChild, in a child or after the call", async () => {
    let kept: ToolContext["runChild"];
    const got: unknown[] = [];
    const tool = (name: string, effect: "child" | "once", run: (ctx: ToolContext) => Promise<string>) =>
      defineTool({
        name,
        description: "of the test",
        args: z.looseObject({}),
        risk: "low",
        effect,
        execute: (_, ctx) => run(ctx),
      });
    const stage = await openStage({
      lines: [calls(["begin_it", {}]), calls(["try_it", {}]), ends("All done.")],
      maxSteps: 10,
      tools: [
        tool("begin_it", "child", async (ctx) => {
          kept = ctx.runChild;
          return (await ctx.runChild?.({ task: "do it" }))?.status ?? "none";
        }),
        tool("try_it", "once", async (ctx) => {
          got.push(ctx.runChild);
          got.push(await kept?.({ task: "again" }).then(({ status }) => status, String));
          return "tried";
        }),
      ],
      wrapModel: apart({
        "do it": [calls(["try_it", {}]), ends("Done.")],
        again: Array.from({ length: 40 }, () => calls(["try_it", {}])),
      }),
    });
    const life = await stage.begin("go", { mode: "full-auto" });
    expect(stepsOf(life)).toBeLessThanOrEqual(10);
    expect(got.every((one) => one === undefined || typeof one === "string")).toBe(true);
    expect(sessionsOf(life).map(({ parent }) => parent)).toEqual(sessionsOf(life).map(() => life.session.id));
    await life.close();
    await expect(kept?.({ task: "late" })).rejects.toThrow("has come to its end");
  });
});
