import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../src/core/tool.ts";
import { pastOf } from "../../src/graph/calls/read-before.ts";
import type { CallDecision } from "../../src/graph/decisions.ts";
import { type Model, taskMark } from "../../src/model/port.ts";
import type { Rule } from "../../src/policy/types.ts";
import { askHelpers } from "../support/ask-helpers.ts";
import { apart } from "../support/models-apart.ts";
import { calls, type Line, openStage, says } from "../support/play.ts";

const bare = { description: "of the test", args: z.strictObject({}), risk: "low" as const };

/** A read that waits until it is stopped, and from its second run on does not. */
const waiting = (heard: string[] = []): Tool => {
  let runs = 0;
  return defineTool({
    name: "wait_for_stop",
    ...bare,
    effect: "none",
    execute: async (_, { signal }) => {
      heard.push("wait");
      runs += 1;
      if (runs === 1) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      signal.throwIfAborted();
      return "waited";
    },
  });
};

/** A tool that drives children in the way of the test. */
const driving = (name: string, execute: (ctx: ToolContext) => string | Promise<string>): Tool =>
  defineTool({ name, ...bare, effect: "child", execute: (_, ctx) => execute(ctx) });

const recorder = (name: string, note: () => void): Tool =>
  defineTool({
    name,
    ...bare,
    effect: "once",
    execute: () => {
      note();
      return "noted";
    },
  });

/** Its end is not seen. */
const unseenSend: Tool = defineTool({
  name: "send_it",
  ...bare,
  effect: "once",
  timeoutMs: 20,
  execute: () => new Promise<never>(() => undefined),
});

const writes = (file: string, content: string) => calls(["write_file", { file_path: file, content }]);

it("the task of a session that a call drives is not told to its model as the person's words", async () => {
  const firsts: (readonly [text: string, isTask: boolean])[] = [];
  const answering = apart({ "look at a": [says("Seen.")] });
  await (
    await openStage({
      lines: [calls(["ask_helpers", { tasks: ["look at a"] }]), says("All done.")],
      tools: [askHelpers()],
      wrapModel: (inner) => {
        const model = answering(inner);
        const stream: Model["stream"] = (request, signal) => {
          const first = request.messages.find((one) => one.getType() === "human");
          if (first !== undefined) firsts.push([String(first.content), taskMark in first.additional_kwargs]);
          return model.stream(request, signal);
        };
        return { ...model, stream };
      },
    })
  ).begin("go");
  expect(firsts).toEqual([
    ["go", false],
    ["look at a", true],
    ["go", false],
  ]);
});

describe("a session that a call drives", () => {
  it("does its work and tells what it came to", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["look at a"] }]), says("All done.")],
      files: { "a.txt": "hello\n" },
      tools: [askHelpers()],
      wrapModel: apart({ "look at a": [calls(["read_file", { file_path: "a.txt" }]), says("It says hello.")] }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "done", text: "All done." });
    expect(stage.observation()).toBe(`${id}@c1.1: done: It says hello.`);
    const ofChild = life.events.filter(({ parent }) => parent === id);
    expect(ofChild.map(({ type }) => type)).toContain("turn_ended");
    expect(new Set(ofChild.map(({ session }) => session))).toEqual(new Set([`${id}@c1.1`]));
    expect(life.events.map(({ seq }) => seq)).toEqual(life.events.map((_, i) => i + 1));
    await life.close();
  });

  it("asks beside its parent, and goes on once it is answered", async () => {
    const ran: string[] = [];
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["write a", "write b"] }]), says("All done.")],
      tools: [askHelpers({ ran })],
      wrapModel: apart({
        "write a": [writes("a.txt", "a\n"), says("Wrote a.")],
        "write b": [writes("b.txt", "b\n"), says("Wrote b.")],
      }),
    });
    const life = await stage.begin("go");
    const { id, answer } = { id: life.session.id, answer: life.session.answer.bind(life.session) };
    expect(life.call("c1")).toMatchObject({ status: "executing", attempt: 1 });
    const asked = life.last("approval_requested");
    expect(asked.session).toBe(id);
    expect(asked.calls.map(({ session, agent, callId }) => [session, agent, callId])).toEqual([
      [`${id}@c1.1`, "helper 1", "c1"],
      [`${id}@c1.2`, "helper 2", "c1"],
    ]);
    expect(life.store.sessions.get(id)?.state).toBe("awaiting_approval");
    expect(await answer({ session: `${id}@c1.1`, call: "c1" }, { decision: "approve" })).toEqual({ ok: true });
    expect(await answer({ session: `${id}@c1.2`, call: "c1" }, { decision: "deny", reason: "no b" })).toEqual({
      ok: true,
    });
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "done", text: "All done." });
    expect(stage.text("a.txt")).toBe("a\n");
    expect(stage.observation()).toBe(`${id}@c1.1: done: Wrote a.\n${id}@c1.2: done: Wrote b.`);
    expect(life.call("c1")).toMatchObject({ status: "success", attempt: 1 });
    expect(ran).toEqual(["c1", "c1"]);
    await life.close();
  });

  it("is gone on with by another process", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["write a"] }]), says("All done.")],
      tools: [askHelpers()],
      wrapModel: apart({ "write a": [writes("a.txt", "a\n"), says("Wrote a.")] }),
    });
    const first = await stage.begin("go");
    const { id } = first.session;
    await first.close();
    expect(first.last("turn_ended")).toMatchObject({ reason: "awaiting_approval", exitCode: 11 });
    const later = await stage.resume(id);
    expect(later.last("session_restored").waiting).toEqual([`${id}@c1.1:c1`]);
    const [call] = later.last("approval_requested").calls;
    expect(await later.session.answer({ session: call?.session ?? "", call: "c1" }, { decision: "approve" })).toEqual({
      ok: true,
    });
    await later.session.settled();
    expect(later.last("turn_ended")).toMatchObject({ session: id, reason: "done" });
    expect(stage.text("a.txt")).toBe("a\n");
    await later.close();
  });

  it("is ended by Esc with all that it runs, and what it came to is told", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["write a", "wait"] }]), says("Stopped.")],
      tools: [askHelpers(), waiting()],
      wrapModel: apart({
        "write a": [writes("a.txt", "a\n"), says("Wrote a.")],
        wait: [calls(["wait_for_stop", {}]), says("never")],
      }),
    });
    const life = await stage.begin("go", { running: true });
    const { id } = life.session;
    await life.until(
      (event) => event.type === "tool_call" && event.call.status === "executing" && event.session === `${id}@c1.2`,
    );
    await life.until(
      (event) =>
        event.type === "tool_call" && event.call.status === "awaiting_approval" && event.session === `${id}@c1.1`,
    );
    await life.session.stop();
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "cancelled", exitCode: 130 });
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "CANCELLED" });
    const ends = ["@c1.1", "@c1.2"].map((end) => life.store.readJournal(`${id}${end}`));
    expect(ends.map((journal) => journal.allCalls().map(({ status }) => status))).toEqual([["cancelled"], ["error"]]);
    expect(ends.map((journal) => journal.turns()[0])).toMatchObject([
      { state: "done" },
      { state: "done", reason: "cancelled" },
    ]);
    expect(existsSync(stage.path("a.txt"))).toBe(false);
    expect(JSON.stringify(life.call("c1"))).toContain(`${id}@c1.2: cancelled`);
    // Their graphs took it in: what the model would read of them next.
    const heard = await Promise.all(
      ["@c1.1", "@c1.2"].map((end) => life.store.saver.getTuple({ configurable: { thread_id: `${id}${end}` } })),
    );
    expect(
      heard.map((tuple) => (tuple?.checkpoint.channel_values["messages"] as unknown[] | undefined)?.length),
    ).toEqual([3, 3]);
    await life.close();
  });

  it("is given up for a new message, with what waits in it", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["write a"] }]), says("Something else.")],
      tools: [askHelpers()],
      wrapModel: apart({ "write a": [writes("a.txt", "a\n"), says("never")] }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    await life.session.submit("leave it");
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "done", text: "Something else." });
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "CANCELLED" });
    const child = life.store.readJournal(`${id}@c1.1`);
    expect([child.allCalls()[0]?.status, child.turns()[0]?.state]).toEqual(["cancelled", "done"]);
    expect(life.store.sessions.get(`${id}@c1.1`)?.state).toBe("idle");
    expect(await life.session.answer({ session: `${id}@c1.1`, call: "c1" }, { decision: "approve" })).toMatchObject({
      ok: false,
      code: "not_waiting",
    });
    expect(existsSync(stage.path("a.txt"))).toBe(false);
    await life.close();
  });

  it("is left where it is by a process that is closed, and gone on with by the next one", async () => {
    const ran: string[] = [];
    const tool = askHelpers({ ran });
    const lines = [calls(["ask_helpers", { tasks: ["count", "wait"], inTurn: true }]), says("All done.")];
    const heard: string[] = [];
    const count = recorder("count_up", () => heard.push("count"));
    const stage = await openStage({
      lines,
      tools: [tool, waiting(heard), count],
      wrapModel: apart({
        count: [calls(["count_up", {}]), says("Counted.")],
        wait: [calls(["wait_for_stop", {}]), says("Waited.")],
      }),
    });
    const first = await stage.begin("go", { running: true });
    const { id } = first.session;
    await first.until(
      (event) => event.type === "tool_call" && event.call.status === "executing" && event.session === `${id}@c1.2`,
    );
    await first.close();
    const later = await stage.resume(id);
    // A read that was left in the middle is run again; what was done before is not.
    expect(later.last("turn_ended")).toMatchObject({ session: id, reason: "done", text: "All done." });
    expect(heard).toEqual(["count", "wait", "wait"]);
    expect(later.call("c1")).toMatchObject({ status: "success", attempt: 1 });
    expect(stage.observation()).toBe(`${id}@c1.1: done: Counted.\n${id}@c1.2: done: Waited.`);
    await later.close();
  });

  it("has its unseen ends recovered by the person beside its parent's", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["send"] }]), says("All done.")],
      tools: [askHelpers(), unseenSend],
      wrapModel: apart({ send: [calls(["send_it", {}]), says("Sent.")] }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    const ref = { session: `${id}@c1.1`, call: "c1" };
    expect(life.last("recovery_requested")).toMatchObject({
      session: id,
      calls: [{ session: ref.session, agent: "helper 1", callId: "c1", choices: ["retry", "done", "cancel"] }],
    });
    expect(life.store.sessions.get(id)?.state).toBe("awaiting_recovery");
    expect(await life.session.recover(ref, "done")).toEqual({ ok: true });
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "done" });
    expect(stage.observation()).toBe(`${id}@c1.1: done: Sent.`);
    await life.close();
  });

  it("ends with its call where a rule says no to that meanwhile", async () => {
    const rules: Rule[] = [];
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["write a"] }]), says("Then not.")],
      tools: [askHelpers()],
      rules,
      wrapModel: apart({ "write a": [writes("a.txt", "a\n"), says("never")] }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    const origin = { source: "user" as const, file: "/rules.json", line: 1 };
    rules.push({ tool: "ask_helpers", decision: "deny", why: "no helpers today", origin });
    expect(await life.session.answer({ session: `${id}@c1.1`, call: "c1" }, { decision: "approve" })).toEqual({
      ok: true,
    });
    await life.session.settled();
    expect(life.call("c1")).toMatchObject({
      status: "error",
      errorCode: "DENIED",
      errorMsg: expect.stringContaining("no helpers today"),
    });
    expect(existsSync(stage.path("a.txt"))).toBe(false);
    expect(life.store.readJournal(`${id}@c1.1`).allCalls()[0]?.status).toBe("cancelled");
    await life.close();
  });

  it("has no children of its own, and of the tools those that it was given", async () => {
    const stage = await openStage({
      lines: [
        calls(["ask_helpers", { tasks: ["try"], tools: ["read_file", "ask_helpers", "raed"] }]),
        says("All done."),
      ],
      tools: [askHelpers()],
      files: { "a.txt": "hello\n" },
      wrapModel: apart({
        try: [
          calls(["ask_helpers", { tasks: ["x"] }], ["grep", { pattern: "x" }], ["read_file", { file_path: "a.txt" }]),
          says("Tried."),
        ],
      }),
    });
    const life = await stage.begin("go");
    const child = life.store.readJournal(`${life.session.id}@c1.1`);
    expect(child.allCalls()).toMatchObject([
      { status: "error", errorCode: "UNKNOWN_TOOL" },
      { status: "error", errorCode: "UNKNOWN_TOOL" },
      { status: "success" },
    ]);
    expect(life.of("notice").map(({ session, code, text }) => [session, code, text])).toEqual([
      [`${life.session.id}@c1.1`, "unknown_tools", "helper 1 was to have tools that there are not: raed"],
    ]);
    await life.close();
  });

  it("shares what is granted to one of the tree", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["write a", "write b"], inTurn: true }]), says("All done.")],
      tools: [askHelpers()],
      wrapModel: apart({
        "write a": [writes("out/a.txt", "a\n"), says("Wrote a.")],
        "write b": [writes("out/b.txt", "b\n"), says("Wrote b.")],
      }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    const { grants } = await life.session.offersOf({ session: `${id}@c1.1`, call: "c1" });
    const grant = grants.find(({ scope, text }) => scope === "session" && text.includes("out/**"));
    expect(grant?.text).toContain(" for this session and all its helpers");
    await life.session.answer({ session: `${id}@c1.1`, call: "c1" }, { decision: "approve", ...(grant && { grant }) });
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "done" });
    expect(life.of("approval_requested")).toHaveLength(1);
    expect([stage.text("out/a.txt"), stage.text("out/b.txt")]).toEqual(["a\n", "b\n"]);
    await life.close();
  });

  it("is not let do more by a mode that is set while it works, nor asked whether that is to be; less counts at once", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["write a"] }]), writes("own.txt", "x"), says("All done.")],
      tools: [askHelpers()],
      wrapModel: apart({
        "write a": [writes("a.txt", "x"), writes("b.txt", "x"), writes("c.txt", "x"), says("Wrote.")],
      }),
    });
    const life = await stage.begin("go");
    const ref = (call: string) => ({ session: `${life.session.id}@c1.1`, call });
    expect((await life.session.offersOf(ref("c1"))).mode).toBeUndefined();
    life.session.setMode("full-auto");
    await life.session.answer(ref("c1"), { decision: "approve" });
    await life.session.settled();
    expect(life.last("approval_requested").calls).toMatchObject([ref("c2").call].map((callId) => ({ callId })));
    life.session.setMode("read-only");
    await life.session.answer(ref("c2"), { decision: "approve" });
    await life.session.settled();
    expect(["a.txt", "b.txt", "c.txt", "own.txt"].map((file) => existsSync(stage.path(file)))).toEqual([
      ...[true, false, false, false],
    ]);
    await life.close();
  });

  it("whose own request is refused is told as failed, and its parent goes on", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["fail"] }]), says("It failed.")],
      tools: [askHelpers()],
      wrapModel: apart({ fail: [{ error: { status: 400, body: "not that picture" } } as unknown as Line] }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    expect(stage.observation()).toBe(`${id}@c1.1: failed: `);
    const [end] = life.of("turn_ended");
    expect([end?.session, end?.reason, end?.resume]).toEqual([`${id}@c1.1`, "failed", undefined]);
    expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "done", text: "It failed." });
    await life.close();
  });

  it("is waited for by its call, also where the tool does not wait for it", async () => {
    const stage = await openStage({
      lines: [calls(["have_done", {}]), says("All done.")],
      tools: [
        driving("have_done", (ctx) => {
          void ctx.runChild?.({ task: "write a" });
          return "begun";
        }),
      ],
      wrapModel: apart({ "write a": [writes("a.txt", "a\n"), says("Wrote a.")] }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    expect(life.call("c1").status).toBe("executing");
    await life.session.answer({ session: `${id}@c1.1`, call: "c1" }, { decision: "approve" });
    await life.session.settled();
    const [childEnd, callEnd] = [
      life.events.findIndex(({ type, parent }) => type === "turn_ended" && parent === id),
      life.events.findIndex(
        (event) => event.type === "tool_call" && event.call.status === "success" && event.session === id,
      ),
    ];
    expect(childEnd).toBeGreaterThan(0);
    expect(callEnd).toBeGreaterThan(childEnd);
    expect([stage.text("a.txt"), stage.observation()]).toEqual(["a\n", "begun"]);
    await life.close();
  });

  it("is ended with its call where the tool, run anew, does not ask for it again", async () => {
    let runs = 0;
    const stage = await openStage({
      lines: [calls(["have_done", {}]), says("All done.")],
      tools: [
        driving("have_done", async (ctx) => {
          runs += 1;
          const tasks = runs === 1 ? ["write a", "write b"] : ["write a"];
          await Promise.all(tasks.map((task) => ctx.runChild?.({ task })));
          return `run ${runs}`;
        }),
      ],
      wrapModel: apart({
        "write a": [writes("a.txt", "a\n"), says("Wrote a.")],
        "write b": [writes("b.txt", "b\n"), says("Wrote b.")],
      }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    for (const nth of [1, 2])
      await life.session.answer({ session: `${id}@c1.${nth}`, call: "c1" }, { decision: "approve" });
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "done" });
    const left = life.store.readJournal(`${id}@c1.2`);
    expect([left.allCalls()[0]?.status, left.turns()[0]?.state]).toEqual(["cancelled", "done"]);
    expect([stage.text("a.txt"), existsSync(stage.path("b.txt"))]).toEqual(["a\n", false]);
    await life.close();
  });

  it("is ended alone by the signal that it was begun with", async () => {
    const stage = await openStage({
      lines: [calls(["have_done", {}]), says("All done.")],
      files: { "a.txt": "hello\n" },
      tools: [
        waiting(),
        driving("have_done", async (ctx) => {
          const enough = new AbortController();
          const long = ctx.runChild?.({ task: "wait" }, enough.signal);
          const short = await ctx.runChild?.({ task: "look" });
          enough.abort();
          return `${short?.status} ${(await long)?.status}`;
        }),
      ],
      wrapModel: apart({
        wait: [calls(["wait_for_stop", {}]), says("never")],
        look: [calls(["read_file", { file_path: "a.txt" }]), says("Looked.")],
      }),
    });
    const life = await stage.begin("go");
    expect(stage.observation()).toBe("done cancelled");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", session: life.session.id });
    await life.close();
  });

  it("has heard what its parent heard, and its parent what it heard", async () => {
    const stage = await openStage({
      lines: [calls(["ask_helpers", { tasks: ["read it"] }]), says("All done.")],
      files: { ".env": "KEY=secret\n" },
      tools: [askHelpers()],
      wrapModel: apart({ "read it": [calls(["read_file", { file_path: ".env" }]), says("Read.")] }),
    });
    const life = await stage.begin("go");
    const { id } = life.session;
    await life.session.answer({ session: `${id}@c1.1`, call: "c1" }, { decision: "approve" });
    await life.session.settled();
    const facts = [id, `${id}@c1.1`].map((session) => pastOf(life.store.readJournal(session)));
    expect(facts).toMatchObject([{ guarded: ".env" }, { guarded: ".env" }]);
    await life.close();
  });

  it("that is left tells its tool nothing: it has come to no end", async () => {
    const told: unknown[] = [];
    const stage = await openStage({
      lines: [calls(["have_done", {}]), says("All done.")],
      tools: [
        waiting(),
        driving("have_done", async (ctx) => {
          const end = await ctx.runChild?.({ task: "wait" });
          told.push(end?.status);
          return "done";
        }),
      ],
      wrapModel: apart({ wait: [calls(["wait_for_stop", {}]), says("Waited.")] }),
    });
    const life = await stage.begin("go", { running: true });
    await life.until(
      (event) => event.type === "tool_call" && event.call.status === "executing" && event.parent !== undefined,
    );
    await life.close();
    expect(told).toEqual([]);
    const later = await stage.resume(life.session.id);
    expect([told, later.last("turn_ended").reason]).toEqual([["done"], "done"]);
    await later.close();
  });

  it.each(["approve", "deny"] as const)(
    "goes on only where the person lets its call, which they are asked about by now: %s",
    async (decision) => {
      const rules: Rule[] = [];
      const stage = await openStage({
        lines: [calls(["ask_helpers", { tasks: ["write a"] }]), says("All done.")],
        tools: [askHelpers()],
        rules,
        wrapModel: apart({ "write a": [writes("a.txt", "a\n"), says("Wrote a.")] }),
      });
      const first = await stage.begin("go");
      const { id } = first.session;
      await first.close();
      rules.push({
        tool: "ask_helpers",
        decision: "ask",
        why: "helpers cost",
        origin: { source: "user", file: "/rules.json", line: 1 },
      });
      const life = await stage.resume(id);
      await life.session.answer({ session: `${id}@c1.1`, call: "c1" }, { decision: "approve" });
      await life.session.settled();
      const [asked] = life.last("approval_requested").calls;
      expect(asked).toMatchObject({
        session: id,
        callId: "c1",
        toolName: "ask_helpers",
        verdict: { why: expect.stringContaining("helpers cost") },
      });
      expect(asked).not.toHaveProperty("agent");
      expect(existsSync(stage.path("a.txt"))).toBe(false);
      await life.session.answer({ session: id, call: "c1" }, {
        decision,
        ...(decision === "approve" && { digest: asked?.digest ?? "" }),
      } as CallDecision);
      await life.session.settled();
      expect(life.last("turn_ended")).toMatchObject({ session: id, reason: "done" });
      const child = life.store.readJournal(`${id}@c1.1`);
      expect([life.call("c1").status, child.allCalls()[0]?.status, child.turns()[0]?.state]).toEqual(
        decision === "approve" ? ["success", "success", "done"] : ["cancelled", "cancelled", "done"],
      );
      expect(existsSync(stage.path("a.txt"))).toBe(decision === "approve");
      await life.close();
    },
  );
});
