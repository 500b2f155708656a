import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../src/core/json.ts";
import type { Tool, ToolContext } from "../../src/core/tool.ts";
import type { AgentEvent } from "../../src/graph/events.ts";
import { openGrantBook } from "../../src/policy/files/grant-book.ts";
import type { ResumedSession } from "../../src/session/open-agent.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/types.ts";
import { drive } from "../store/support.ts";
import { heldSpeech } from "../support/held-speech.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, openStage, type Stage, says, toolOf } from "../support/play.ts";

const edit = (from: string, to: string): [string, { [key: string]: string }] => [
  "edit_file",
  { file_path: "a.txt", old_string: from, new_string: to },
];

describe("a turn", () => {
  it("ends with the last word, and its message stands once in the store", async () => {
    const words = "say hello to the otter 4711";
    const stage = await openStage({ lines: [says("Hello, otter.")] });
    const life = await stage.begin(words);
    expect(life.events.map((event) => event.type)).toEqual([
      "session_started",
      "user_message",
      ...life.of("text_delta").map((event) => event.type),
      "assistant_message",
      "turn_ended",
    ]);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0, text: "Hello, otter." });
    await life.close();
    const bytes = readFileSync(stage.database).toString("latin1");
    expect(bytes.split("Hello, otter.")).toHaveLength(2);
    const again = await stage.resume(life.session.id);
    expect(again.last("session_restored").messages).toMatchObject([
      { role: "user", text: words },
      { role: "assistant", text: "Hello, otter." },
    ]);
  });

  it("of fifty steps goes through, and the fifty-first waits for the person", async () => {
    const look = calls(["ls", {}]);
    const stage = await openStage({ lines: [...Array.from({ length: 51 }, () => look), says("Enough.")] });
    const life = await stage.begin("look long");
    expect(life.last("turn_ended")).toMatchObject({ reason: "max_steps", exitCode: 53, calls: { success: 50 } });
    await life.close();
    const on = await stage.resume(life.session.id);
    expect(on.last("turn_ended")).toMatchObject({ reason: "done", text: "Enough.", calls: { success: 51 } });
  });

  it("works a tool's description and arguments out once, for its requests and its calls alike", async () => {
    const worked: string[] = [];
    const probe: Tool = {
      ...toolOf("probe", () => "seen", { effect: "none", risk: "low" }),
      description: ({ stepId }) => {
        worked.push(`description at ${stepId}`);
        return "looks";
      },
      args: ({ stepId }) => {
        worked.push(`args at ${stepId}`);
        return z.strictObject({});
      },
    };
    const look = calls(["probe", {}], ["probe", {}]);
    const stage = await openStage({ tools: [probe], lines: [look, look, says("Well."), look, says("Again.")] });
    const life = await stage.begin("look");
    expect(worked.sort()).toEqual(["args at 1.1", "description at 1.1"]);
    await life.session.submit("again");
    await life.session.settled();
    expect(worked.sort()).toEqual(["args at 1.1", "args at 2.1", "description at 1.1", "description at 2.1"]);
  });

  it("is ended by a tool that says so, without the model's last word", async () => {
    const finish = toolOf("finish", () => "Finished.", { endsTurn: (result) => result.output === "Finished." });
    const fail = toolOf("fail", () => ({ output: "", error: "no", metadata: { code: "NOT_FOUND" } }), {
      endsTurn: true,
    });
    const stage = await openStage({
      tools: [finish, fail],
      lines: [calls(["fail", {}]), calls(["finish", {}], ["ls", {}]), says("Next turn.")],
    });
    const life = await stage.begin("finish");
    expect(stage.requests).toHaveLength(2);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Finished." });
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0, calls: { success: 2, error: 1 } });
    await life.session.submit("and now?");
    await life.session.settled();
    expect(life.last("turn_ended").text).toBe("Next turn.");
    expect(stage.observation(1)).toBe("Finished.");
  });

  it("that a tool breaks off by throwing goes on with the error", async () => {
    const bang = toolOf("bang", () => {
      throw new Error("it broke");
    });
    const stage = await openStage({ tools: [bang], lines: [calls(["bang", {}]), says("I see.")] });
    const life = await stage.begin("bang");
    expect(stage.observation()).toBe("Error FAILED: it broke");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", calls: { error: 1 } });
  });
});

describe("the calls of one message", () => {
  it("run side by side where they only read, and one after the other where they do more", async () => {
    const order: string[] = [];
    let bothRead: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => {
      bothRead = resolve;
    });
    const read = async ({ n }: JsonObject) => {
      order.push(`+${n}`);
      if (n === 2) bothRead();
      await reading;
      order.push(`-${n}`);
      return String(n);
    };
    const stage = await openStage({
      tools: [toolOf("peek", read, { effect: "none" }), toolOf("poke", read, { effect: "once" })],
      lines: [
        calls(["peek", { n: 1 }], ["peek", { n: 2 }], ["poke", { n: 3 }], ["poke", { n: 4 }], ["peek", { n: 5 }]),
        says("Done."),
      ],
    });
    const life = await stage.begin("go");
    expect(order.slice(0, 4).toSorted()).toEqual(["+1", "+2", "-1", "-2"]);
    expect(order.slice(0, 2)).toEqual(["+1", "+2"]);
    expect(order.slice(4)).toEqual(["+3", "-3", "+4", "-4", "+5", "-5"]);
    expect([4, 3, 2, 1, 0].map((back) => stage.observation(back))).toEqual(["1", "2", "3", "4", "5"]);
    expect(life.last("turn_ended").calls.success).toBe(5);
  });

  it("are planned each over what those before it will have done", async () => {
    const stage = await openStage({
      files: { "a.txt": "1\n" },
      lines: [calls(edit("1", "2"), edit("2", "3"), edit("3", "4")), says("Four.")],
    });
    const life = await stage.begin("count up");
    const waiting = life.last("approval_requested").calls;
    expect(waiting.map((call) => call.plan.diff?.match(/^[-+]\d/gm)?.join(""))).toEqual(["-1+2", "-2+3", "-3+4"]);
    for (const { callId, digest } of waiting)
      expect(
        await life.session.answer({ session: life.session.id, call: callId }, { decision: "approve", digest }),
      ).toEqual({ ok: true });
    await life.session.settled();
    expect(stage.text("a.txt")).toBe("4\n");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", calls: { success: 3 } });
    expect(life.of("approval_requested")).toHaveLength(1);
  });

  it("are asked anew after one before them was edited", async () => {
    const stage = await openStage({
      files: { "a.txt": "1 x\n" },
      lines: [calls(edit("1", "2"), edit("x", "y")), says("So.")],
    });
    const life = await stage.begin("both");
    const [, second] = life.last("approval_requested").calls;
    await life.session.answer(
      { session: life.session.id, call: "c1" },
      { decision: "edit", arguments: { ...edit("1", "7")[1] } },
    );
    const [first, changed] = life.last("approval_requested").calls;
    expect(first).toMatchObject({ callId: "c1", changed: { why: "edited by you" } });
    expect(changed).toMatchObject({ callId: "c2", changed: { from: second?.digest, to: changed?.digest } });
    expect(changed?.plan.diff).toContain("-7 x");
    expect(
      await life.session.answer(
        { session: life.session.id, call: "c2" },
        { decision: "approve", digest: second?.digest ?? "" },
      ),
    ).toMatchObject({
      ok: false,
      code: "stale",
    });
    await life.session.answer(
      { session: life.session.id, call: "c1" },
      { decision: "approve", digest: first?.digest ?? "" },
    );
    await life.session.answer(
      { session: life.session.id, call: "c2" },
      { decision: "approve", digest: changed?.digest ?? "" },
    );
    await life.session.settled();
    expect(stage.text("a.txt")).toBe("7 y\n");
  });

  it("that a grant reaches over need no answer of their own", async () => {
    const write = (file: string): [string, { file_path: string; content: string }] => [
      "write_file",
      { file_path: file, content: "x\n" },
    ];
    const stage = await openStage({
      lines: [calls(write("src/a"), write("src/b"), write("other")), calls(write("src/c")), says("Done.")],
    });
    const life = await stage.begin("write");
    const [first] = life.last("approval_requested").calls;
    expect(first, "offers are worked out for who looks at them").not.toHaveProperty("grants");
    const { grants } = await life.session.offersOf({ session: life.session.id, call: "c1" });
    const grant = grants.find((offer) => offer.text.includes("src/**"));
    if (first === undefined || grant === undefined) throw new Error("no grant for the folder is offered");
    await life.session.answer(
      { session: life.session.id, call: "c1" },
      { decision: "approve", digest: first.digest, grant },
    );
    const [{ id } = { id: "" }] = await openGrantBook(join(stage.database, "..", "grants.json")).all();
    expect(life.of("decision")).toMatchObject([
      { callId: "c1", decision: "approve", by: "person", rule: `grant:${id}`, reason: `from now on ${grant.text}` },
      { callId: "c2", decision: "allow", by: "policy", rule: `grant:${id}` },
    ]);
    expect(
      life
        .journal()
        .openCalls()
        .filter((call) => call.status === "awaiting_approval"),
    ).toMatchObject([{ callId: "c3" }]);
    await life.session.answer({ session: life.session.id, call: "c3" }, { decision: "deny" });
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({
      reason: "done",
      exitCode: 10,
      calls: { success: 3, cancelled: 1 },
    });
    expect(life.of("approval_requested")).toHaveLength(1);
  });

  const grantedWhileOneWaits = async (wrap?: (store: Store) => Store) => {
    const stage = await openStage({
      lines: [
        calls(
          ["write_file", { file_path: "src/a", content: "x\n" }],
          ["write_file", { file_path: "other", content: "x\n" }],
        ),
        says("Done."),
      ],
    });
    const life = await stage.begin("write", wrap === undefined ? {} : { wrap });
    const [first] = life.last("approval_requested").calls;
    const { grants } = await life.session.offersOf({ session: life.session.id, call: "c1" });
    const grant = grants.find((offer) => offer.scope === "project");
    if (first === undefined || grant === undefined) throw new Error("no grant for the project is offered");
    await life.session
      .answer({ session: life.session.id, call: "c1" }, { decision: "approve", digest: first.digest, grant })
      .catch(() => undefined);
    return { stage, life };
  };
  const bookOf = (stage: Stage) => openGrantBook(join(stage.database, "..", "grants.json"));
  const grantsOf = (stage: Stage) => bookOf(stage).inForce("none", stage.workspace);

  it("whose grant was revoked before the session is gone on with do not bring it back", async () => {
    const { stage, life } = await grantedWhileOneWaits();
    await life.close();
    const [grant] = await grantsOf(stage);
    await bookOf(stage).revoke(grant?.id ?? "");
    expect(await grantsOf(stage)).toEqual([]);
    const next = await stage.resume(life.session.id);
    expect(next.last("approval_requested").calls).toMatchObject([{ callId: "c2" }]);
    expect(await grantsOf(stage)).toEqual([]);
  });

  it("whose process died between the answer and its grant have it when the session is gone on with", async () => {
    for (let write = 1; ; write++) {
      const fate = fateOf({ write, when: "after" });
      const { stage, life } = await grantedWhileOneWaits(fate.wrap).catch(() => ({
        stage: undefined,
        life: undefined,
      }));
      if (stage === undefined || life.journal().answersOf("c1").length === 0) continue;
      expect(fate.writes.at(-1)).toBe("move");
      expect(await grantsOf(stage)).toEqual([]);
      const next = await stage.resume(life.session.id, { takeOver: true });
      expect(await grantsOf(stage)).toHaveLength(1);
      expect(next.journal().answersOf("c1")).toMatchObject([{ grantKept: expect.any(Number) }]);
      return;
    }
  });
});

describe("an answer", () => {
  it("to a call that does not wait decides nothing", async () => {
    const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [calls(edit("1", "2")), says("Done.")] });
    const life = await stage.begin("edit");
    const no = { ok: false, code: "not_waiting" };
    expect(await life.session.answer({ session: life.session.id, call: "c9" }, { decision: "approve" })).toMatchObject(
      no,
    );
    expect(await life.session.recover({ session: life.session.id, call: "c1" }, "retry")).toMatchObject(no);
    const elsewhere = { session: "brisk-otter-0000", call: "c1" };
    expect(await life.session.answer(elsewhere, { decision: "approve" })).toMatchObject(no);
    expect(await life.session.recover(elsewhere, "retry")).toMatchObject(no);
    expect(
      await life.session.answer(
        { session: life.session.id, call: "c1" },
        { decision: "edit", arguments: { file_path: 7 } },
      ),
    ).toMatchObject({
      code: "invalid",
    });
    expect(life.call("c1").status).toBe("awaiting_approval");
    const [one, two] = await Promise.all([
      life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" }),
      life.session.answer({ session: life.session.id, call: "c1" }, { decision: "deny" }),
    ]);
    expect([one, two]).toMatchObject([{ ok: true }, no]);
    await life.session.settled();
    expect(await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" })).toMatchObject(
      no,
    );
    expect(stage.text("a.txt")).toBe("2\n");
  });

  it("may not edit what the tool locks, nor into what policy denies", async () => {
    const tool = toolOf("send", () => "sent", { risk: "medium", editable: ["body"] });
    const stage = await openStage({
      tools: [tool],
      lines: [calls(["send", { to: "ada", body: "hi" }]), says("Done.")],
    });
    const life = await stage.begin("send");
    expect(life.last("approval_requested").calls[0]?.editable).toEqual(["body"]);
    expect(
      await life.session.answer(
        { session: life.session.id, call: "c1" },
        { decision: "edit", arguments: { to: "eve", body: "hi" } },
      ),
    ).toMatchObject({
      code: "invalid",
      message: expect.stringContaining("to of send"),
    });
    await life.session.answer(
      { session: life.session.id, call: "c1" },
      { decision: "edit", arguments: { to: "ada", body: "hello" } },
    );
    await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" });
    await life.session.settled();
    expect(stage.observation()).toBe(
      '(The arguments were changed by the person, or by a hook of theirs, before it ran: {"to":"ada","body":"hello"})\nsent',
    );
  });
});

describe("a message of the person", () => {
  it("while the agent works is queued, and answered after it", async () => {
    const { wrapModel, goOn } = heldSpeech();
    const stage = await openStage({ lines: [says("First answer."), says("Second.")], wrapModel });
    const life = await stage.begin("one", { running: true });
    await life.until((event) => event.type === "text_delta");
    await life.session.submit("two");
    expect(life.last("user_message")).toMatchObject({ text: "two", queued: true });
    expect(await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" })).toMatchObject({
      ok: false,
      code: "not_waiting",
    });
    goOn();
    await life.session.settled();
    expect(life.of("turn_ended").map((end) => end.text)).toEqual(["First answer.", "Second."]);
    expect(life.of("user_message").map((event) => [event.text, event.queued])).toEqual([
      ["one", undefined],
      ["two", true],
      ["two", undefined],
    ]);
  });

  it("instead of an answer cancels what waits, says so, and goes on", async () => {
    const stage = await openStage({
      files: { "a.txt": "1\n" },
      lines: [calls(edit("1", "2"), ["ls", {}]), says("Other.")],
    });
    const life = await stage.begin("edit");
    await life.session.submit("no, something else");
    await life.session.settled();
    expect(life.last("notice")).toMatchObject({ code: "superseded" });
    expect(stage.text("a.txt")).toBe("1\n");
    expect(stage.observation(1)).toBe("Not run: the person sent a new message instead of an answer");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Other." });
  });
});

describe("two sessions in one store", () => {
  it("live side by side, each with its own calls and words", async () => {
    const write = calls(["write_file", { file_path: "a.txt", content: "mine\n" }]);
    const stage = await openStage({ lines: [write, says("Done.")] });
    const [one, two] = await Promise.all([stage.begin("first"), stage.begin("second")]);
    expect(one.session.id).not.toBe(two.session.id);
    await one.session.answer({ session: one.session.id, call: "c1" }, { decision: "approve" });
    await two.session.answer({ session: two.session.id, call: "c1" }, { decision: "deny", reason: "one is enough" });
    await Promise.all([one.session.settled(), two.session.settled()]);
    expect(one.last("turn_ended")).toMatchObject({ exitCode: 0, calls: { success: 1, cancelled: 0 } });
    expect(two.last("turn_ended")).toMatchObject({ exitCode: 10, calls: { success: 0, cancelled: 1 } });
    expect(
      one
        .journal()
        .turns()
        .map((turn) => turn.text),
    ).toEqual(["first"]);
    expect(
      two
        .journal()
        .turns()
        .map((turn) => turn.text),
    ).toEqual(["second"]);
  });

  it("are not one session twice: the second is refused, or takes over and the first writes nothing more", async () => {
    const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [calls(edit("1", "2")), says("Done.")] });
    const one = await stage.begin("edit");
    await expect(stage.resume(one.session.id)).rejects.toThrow(/driven by process \d+/);
    const two = await stage.resume(one.session.id, { takeOver: true });
    await expect(one.session.answer({ session: one.session.id, call: "c1" }, { decision: "approve" })).rejects.toThrow(
      /taken over/,
    );
    expect(stage.text("a.txt")).toBe("1\n");
    await two.session.answer({ session: two.session.id, call: "c1" }, { decision: "approve" });
    await two.session.settled();
    expect(stage.text("a.txt")).toBe("2\n");
  });

  it("one of which was taken over while the person answered says so once", async () => {
    const lines = [calls(["write_file", { file_path: "a.txt", content: "1\n" }]), says("Done.")];
    const stage = await openStage({ lines });
    const { book, file } = { book: openGrantBook(join(stage.database, "..", "grants.json")), file: "grants.json" };
    let takeOver = async (): Promise<void> => undefined;
    // Between the answer, which is kept, and the note that its grant is.
    const add: typeof book.add = async (grant) => {
      await book.add(grant);
      await takeOver();
    };
    const one = await stage.begin("write", { parts: { grants: { book: { ...book, add }, file } } });
    takeOver = async () => void (await stage.resume(one.session.id, { takeOver: true, still: true }));
    const [asked] = one.last("approval_requested").calls;
    const [grant] = (await one.session.offersOf({ session: one.session.id, call: asked?.callId ?? "" })).grants;
    if (asked === undefined || grant === undefined) throw new Error("no grant is offered");
    await one.session.answer(
      { session: one.session.id, call: asked.callId },
      { decision: "approve", digest: asked.digest, grant },
    );
    await one.session.settled();
    await one.close();
    expect(one.of("error").map(({ code }) => code)).toEqual(["SESSION_TAKEN"]);
    expect(one.of("turn_ended").map(({ reason }) => reason)).toEqual(["failed"]);
  });

  it("one of which was taken over and removed while it ran ends, and says that it was removed", async () => {
    let open = (): void => undefined;
    const opened = new Promise<string>((resolve) => {
      open = () => resolve("it waited");
    });
    const wait = toolOf("wait_here", () => opened, { effect: "none", risk: "low" });
    const stage = await openStage({ lines: [calls(["wait_here", {}]), says("Done.")], tools: [wait] });
    const one = await stage.begin("wait", { running: true });
    await one.until((event) => event.type === "tool_call" && event.call.status === "executing");
    const other = await openStore({ file: stage.database });
    onTestFinished(() => other.close());
    (await other.acquire(one.session.id, { takeOver: true })).release();
    await other.sessions.remove(one.session.id);
    const next = await drive(other, "next-one-0002");
    open();
    await one.session.settled();
    const message = `session ${one.session.id} is gone: it was removed`;
    expect(one.last("error")).toMatchObject({
      code: "SESSION_TAKEN",
      message,
      hint: "what it changed stays, and is in no record: look at it, then begin a new session",
    });
    expect(one.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 75 });
    await one.close();
    expect([next.journal.turns(), next.journal.allCalls()]).toEqual([[], []]);
    expect(other.sessions.list().map(({ id }) => id)).toEqual(["next-one-0002"]);
  });
});

it("a session that is gone on with while it works goes on once", async () => {
  const { wrapModel, goOn } = heldSpeech();
  const stage = await openStage({ lines: [says("Hello."), says("Second.")], wrapModel });
  const first = await stage.begin("hi", { running: true });
  await first.until(({ type }) => type === "text_delta");
  const closed = first.close();
  goOn();
  await closed;
  const life = await stage.resume(first.session.id, { still: true });
  const session = life.session as ResumedSession;
  expect(await Promise.all([session.proceed(), session.proceed()])).toEqual([true, true]);
  await session.settled();
  expect(life.of("turn_ended").map(({ reason }) => reason)).toEqual(["done"]);
  expect(stage.requests).toHaveLength(2);
});

describe("a session that is being closed", () => {
  it("ends what is asked of it meanwhile, and says how before its last word", async () => {
    const lines = [calls(["write_file", { file_path: "a.txt", content: "1\n" }]), says("Done.")];
    const stage = await openStage({ lines });
    const life = await stage.begin("write");
    const args = { file_path: "a.txt", content: "2\n" };
    const answers = [
      life.session.answer({ session: life.session.id, call: "c1" }, { decision: "edit", arguments: args }),
    ];
    const closed = life.close();
    // Behind the edit, which the close waits for.
    answers.push(life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" }));
    expect(await Promise.all(answers)).toEqual([{ ok: true }, { ok: true }]);
    await closed;
    expect(life.events.at(-1)).toMatchObject({ type: "turn_ended", reason: "cancelled" });
    await expect(life.session.submit("too late")).rejects.toThrow(`session ${life.session.id} is closed`);
    const again = await stage.resume(life.session.id);
    expect(again.call("c1")).toMatchObject({ status: "success", attempt: 1 });
    expect(stage.text("a.txt")).toBe("2\n");
  });
});

describe("the model", () => {
  it("may be changed between two turns, and the session keeps it", async () => {
    const stage = await openStage({ lines: [says("One."), says("Two."), says("Three.")] });
    const life = await stage.begin("first");
    await life.session.setModel("other-script");
    await life.session.submit("second");
    await life.session.settled();
    expect(life.last("turn_ended").text).toBe("Two.");
    await life.close();
    const on = await stage.resume(life.session.id);
    expect(on.last("session_restored").model).toBe("other-script");
  });
});

describe("stopping", () => {
  const untilStopped = async (_: unknown, ctx: ToolContext) => {
    ctx.progress({ text: "at it" });
    await new Promise((_resolve, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason)));
    return "never";
  };
  const isRunning = (event: AgentEvent) => event.type === "tool_progress" && event.phase === "running";

  it("ends a tool in its middle: cancelled, seen, with nothing run after it", async () => {
    let after = 0;
    const stage = await openStage({
      tools: [toolOf("slow", untilStopped), toolOf("after", () => String(++after))],
      lines: [calls(["slow", {}], ["after", {}]), says("Well.")],
    });
    const life = await stage.begin("go", { running: true });
    await life.until(isRunning);
    await life.session.stop();
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "CANCELLED" });
    expect(life.call("c2")).toMatchObject({ status: "cancelled", by: { actor: "person" } });
    expect(life.last("turn_ended")).toMatchObject({ reason: "cancelled", exitCode: 130 });
    expect(after).toBe(0);
    await life.session.submit("go on");
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Well." });
    expect(stage.observation(1)).toBe("Error CANCELLED: slow was cancelled");
    expect(stage.observation()).toBe("Not run: the person stopped the turn before it ran");
  });

  it("ends reads that run side by side, each with its own end", async () => {
    let ended: () => void = () => undefined;
    const quickEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const quick = () => {
      ended();
      return "here";
    };
    const slow = async (args: JsonObject, ctx: ToolContext) => {
      await quickEnded;
      return untilStopped(args, ctx);
    };
    const stage = await openStage({
      tools: [toolOf("slow", slow, { effect: "none" }), toolOf("quick", quick, { effect: "none" })],
      lines: [calls(["slow", {}], ["quick", {}])],
    });
    const life = await stage.begin("go", { running: true });
    await life.until(isRunning);
    await life.session.stop();
    expect(
      life
        .journal()
        .allCalls()
        .map((call) => call.status),
    ).toEqual(["error", "success"]);
    expect(life.journal().openCalls()).toEqual([]);
  });

  it("while calls wait keeps them waiting", async () => {
    const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [calls(edit("1", "2")), says("Done.")] });
    const life = await stage.begin("edit");
    await life.session.stop();
    expect(life.last("turn_ended")).toMatchObject({ reason: "awaiting_approval", exitCode: 11 });
    await life.close();
    const on = await stage.resume(life.session.id);
    expect(on.last("approval_requested").calls).toMatchObject([{ callId: "c1" }]);
    expect(on.last("approval_requested").calls[0]).not.toHaveProperty("changed");
  });

  it("by closing the session in the middle of a turn keeps what was said and done", async () => {
    const stage = await openStage({
      tools: [toolOf("slow", untilStopped)],
      lines: [calls(["ls", {}], ["slow", {}]), says("Back again.")],
    });
    const life = await stage.begin("go", { running: true });
    await life.until(isRunning);
    await life.close();
    expect(life.last("turn_ended")).toMatchObject({ reason: "cancelled", calls: { success: 1, error: 1 } });
    expect(life.events.at(-1)?.type).toBe("turn_ended");
    const on = await stage.resume(life.session.id, { still: true });
    await on.session.submit("go on");
    await on.session.settled();
    expect(on.last("turn_ended")).toMatchObject({ reason: "done", text: "Back again." });
  });
});
