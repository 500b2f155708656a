import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import type { ResumedSession } from "../../src/session/open-agent.ts";
import { begins, type Fate, fateOf } from "../support/mortal.ts";
import { calls, type Life, openStage, type Stage, says, toolOf } from "../support/play.ts";

const prose = (characters: number): string => "a plain word or two. ".repeat(Math.ceil(characters / 21));

/** So long that nobody would leave the message as it is, were its calls not open. */
const asked = { text: prose(8_000), ...calls(["ring", { bell: 1 }], ["ring", { bell: 2 }]) };

interface Rung {
  stage: Stage;
  rings: string[];
  /** The first life, up to the third message, which asks for two calls; its process may die at a write. */
  begin(fate?: Fate): Promise<Life>;
  again(life: Life, still: boolean): Promise<Life>;
}

async function openRung(): Promise<Rung> {
  const rings: string[] = [];
  const ring = toolOf("ring", (_, { callId }) => `ring ${rings.push(callId)}`, { effect: "once", risk: "medium" });
  const lines = [says(prose(4_000)), says(prose(4_000)), asked, says("Done.")];
  const stage = await openStage({ lines, tools: [ring], summaries: ["## Goal\nto ring"] });
  return {
    ...{ stage, rings },
    async begin(fate = fateOf()) {
      const life = await stage.begin("The goal: ring twice.", { wrap: fate.wrap });
      for (const text of ["go on", "now ring"]) {
        await life.session.submit(text).catch(() => undefined);
        await life.session.settled();
      }
      return life;
    },
    again: (life, still) => stage.resume(life.session.id, { takeOver: true, still }),
  };
}

async function approveAll(life: Life): Promise<void> {
  for (const { callId, digest } of life.last("approval_requested").calls)
    await life.session.answer({ session: life.session.id, call: callId }, { decision: "approve", digest });
  await life.session.settled();
}

const proposes = (name: string, [reply]: readonly unknown[]): boolean =>
  name === "commitReply" && (reply as { calls: readonly unknown[] }).calls.length > 0;

/** Brings the session to where its calls are so. */
const scenes: Readonly<Record<string, (rung: Rung) => Promise<Life>>> = {
  "pending pending": async (rung) => rung.again(await rung.begin(fateOf({ write: proposes, when: "after" })), true),
  "awaiting_approval awaiting_approval": (rung) => rung.begin(),
  "pending awaiting_approval": async (rung) => {
    const life = await rung.begin();
    const [first] = life.last("approval_requested").calls;
    await life.session.answer(
      { session: life.session.id, call: "c1" },
      { decision: "approve", digest: first?.digest ?? "" },
    );
    return life;
  },
  "executing pending": async (rung) => {
    const dying = await rung.begin(fateOf({ write: begins, when: "after" }));
    await approveAll(dying);
    return rung.again(dying, true);
  },
  "interrupted pending": async (rung) => {
    const dying = await rung.begin(fateOf({ write: begins, when: "after" }));
    await approveAll(dying);
    return rung.again(dying, false);
  },
};

it.each(Object.entries(scenes))(
  "a talk is summed up while its calls are %s: they stay, and are told",
  async (now, bring) => {
    const rung = await openRung();
    const life = await bring(rung);
    const before = life.journal().openCalls();
    expect(before.map(({ status }) => status).join(" ")).toBe(now);
    expect(await life.session.compact()).toMatchObject({ ok: true });
    expect(life.journal().openCalls()).toEqual(before);

    await (life.session as ResumedSession).proceed();
    await life.session.settled();
    if (life.call("c1").status === "interrupted")
      await life.session.recover({ session: life.session.id, call: "c1" }, "cancel");
    await life.session.settled();
    if (life.call("c2").status === "awaiting_approval") await approveAll(life);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Done." });

    const told = rung.stage.requests.at(-1)?.messages ?? [];
    const ofCalls = told.flatMap((one) =>
      AIMessage.isInstance(one) ? (one.tool_calls ?? []).map(({ id }) => id) : [],
    );
    const results = told.flatMap((one) => (ToolMessage.isInstance(one) ? [one.tool_call_id] : []));
    expect([ofCalls, results]).toEqual([
      ["c1", "c2"],
      ["c1", "c2"],
    ]);
    expect(told.some(({ content }) => String(content).includes("\n| to ring\n"))).toBe(true);
    expect(new Set(rung.rings).size).toBe(rung.rings.length);
  },
);
