import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/core/tool.ts";
import { forkSession } from "../../src/records/fork.ts";
import type { ResumedSession } from "../../src/session/open-agent.ts";
import type { Journal, Lease, Store } from "../../src/store/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { fateOf, succeeds } from "../support/mortal.ts";
import {
  calls,
  type EventOf,
  type Life,
  type LifeOptions,
  openStage,
  type Stage,
  says,
  toolOf,
} from "../support/play.ts";

const command = "echo half; while [ ! -e done ]; do sleep 0.02; done; echo whole; exit 3";
const build = calls(["shell", { command }]);

async function untilThere(file: string): Promise<string> {
  while (!existsSync(file)) await setTimeout(20);
  return "it is there";
}

/** Commands in no sandbox, which are ended with their life, and a call that waits for the file `on`. */
async function openShell(...lines: Parameters<typeof openStage>[0]["lines"]): Promise<Stage> {
  const stage: Stage = await openStage({
    lines,
    mode: "full-auto",
    parts: {
      openTools: async () => {
        const tools: Tool[] = createDefaultTools({ workspace: stage.workspace, shell: { sandbox: "off" } });
        tools.push(toolOf("wait", () => untilThere(stage.path("on")), { effect: "once" }));
        const close = async (): Promise<void> => {
          for (const tool of tools) await tool.dispose?.();
        };
        return { tools, services: {}, close };
      },
    },
  });
  return stage;
}

async function building(stage: Stage, more: LifeOptions = {}): Promise<Life> {
  const life = await stage.begin("build", { running: true, ...more });
  const tells = (wanted: (told: EventOf<"tool_progress">) => boolean): Promise<void> =>
    life.until((event) => event.type === "tool_progress" && wanted(event));
  await tells(({ mayGoAside }) => mayGoAside === true);
  await tells(({ text }) => text === "half\n");
  return life;
}

/** The first such write fails, and the process lives. */
function oneFailure(write: typeof succeeds): (store: Store) => Store {
  let isDue = true;
  const failing = (journal: Journal): Journal =>
    new Proxy(journal, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return (...given: unknown[]): unknown => {
          if (!isDue || !write(String(key), given)) return value.apply(target, given);
          isDue = false;
          return Promise.reject(new Error("the disk is full"));
        };
      },
    });
  return (store) =>
    new Proxy(store, {
      get(target, key) {
        if (key === "journal") return (lease: Lease) => failing(store.journal(lease));
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
}

const c1 = ({ session }: Life) => ({ session: session.id, call: "c1" });
const jobNotices = (life: Life): (string | undefined)[] =>
  life.of("notice").flatMap(({ code }) => (code?.startsWith("job_") ? [code] : []));

/** Its process dies on the way. What a dead one had started is ended by its watchdog; here it is alive, and its child ends so. @returns the session */
async function diedSending(stage: Stage, fate: ReturnType<typeof fateOf>): Promise<string> {
  const life = await building(stage, { wrap: fate.wrap });
  await life.session.sendAside(c1(life));
  await expect.poll(() => fate.dead).toBe(true);
  await stage.put("done", "");
  await life.session.settled().catch(() => undefined);
  await life.close().catch(() => undefined);
  return life.session.id;
}

describe("a call that is sent to the background", () => {
  it("ends as a success that says so, is a job, and its end is told once", async () => {
    const stage = await openShell(build, says("It builds."), says("I see."));
    const life = await building(stage);
    expect(await life.session.sendAside(c1(life))).toEqual({ ok: true });
    await life.session.settled();
    expect(life.call("c1")).toMatchObject({ status: "success", result: { metadata: { job: "c1" } } });
    expect(life.journal().runningJobs()).toEqual(["c1"]);
    expect(stage.observation()).toMatch(/^half\n\(the person sent it to the background, where it runs on as c1; /u);
    expect(await life.session.sendAside(c1(life))).toEqual({ ok: false, message: "call c1 does not run" });
    await stage.put("done", "");
    await life.until((event) => event.type === "notice" && event.code === "job_ended");
    expect(life.journal().runningJobs()).toEqual([]);
    await life.session.submit("and?");
    await life.session.settled();
    expect(JSON.stringify(stage.requests.at(-1))).toContain("has ended: exit code 3");
    expect(Buffer.from(life.journal().outputOf("c1")?.bytes ?? []).toString()).toBe("half\nwhole\n(exit code 3)\n");
    await life.close();
    expect(jobNotices(life)).toEqual(["job_ended"]);
  });

  it.each(["shell_output", "shell_stop"])("is told to the model once where %s tells of its end first", async (tool) => {
    const stage = await openShell(
      build,
      calls(["wait", {}], [tool, { id: "c1" }]),
      says("It has ended."),
      says("I see."),
      says("Yes."),
      says("Still yes."),
    );
    const life = await building(stage);
    await life.session.sendAside(c1(life));
    await life.until(
      (event) => event.type === "tool_call" && event.call.callId === "c2" && event.call.status === "executing",
    );
    await stage.put("done", "");
    await life.until((event) => event.type === "notice" && event.code === "job_ended");
    await stage.put("on", "");
    await life.session.settled();
    expect(stage.observation()).toContain("exit code 3");
    await life.session.submit("and?");
    await life.session.settled();
    const row = life.store.sessions.get(life.session.id);
    const fork = row && (await forkSession(life.store, row, "c1"));
    expect(JSON.stringify(stage.requests.at(-1)?.messages)).not.toContain("has ended: exit code 3");
    await life.close();
    expect(jobNotices(life)).toEqual(["job_ended"]);
    // A fork that has not that call is told.
    const copy = await stage.resume(fork?.id ?? "", { still: true });
    await copy.session.submit("and here?");
    await copy.session.settled();
    expect(JSON.stringify(stage.requests.at(-1)?.messages)).toContain("has ended: exit code 3");
    await copy.close();
    expect(jobNotices(copy)).toEqual([]);
    // And the next process tells it no more than this one did.
    const next = await stage.resume(life.session.id, { still: true });
    await next.session.submit("sure?");
    await next.session.settled();
    expect(JSON.stringify(stage.requests.at(-1)?.messages)).not.toContain("has ended: exit code 3");
    await next.close();
  });

  it("is told to the model once where the person stops it by its name, and it had ended by itself", async () => {
    const stage = await openShell(build, says("It builds."), says("I see."), says("Yes."));
    const life = await building(stage);
    await life.session.sendAside(c1(life));
    await life.session.settled();
    await stage.put("done", "");
    await life.until((event) => event.type === "notice" && event.code === "job_ended");
    expect(await life.session.stopJob(c1(life))).toEqual({ ok: true });
    await life.session.settled();
    await life.session.submit("and?");
    await life.session.settled();
    const told = JSON.stringify(stage.requests.at(-1)?.messages);
    expect([told.includes("it had ended before: exit code 3"), told.includes("has ended: exit code 3")]).toEqual([
      ...[true, false],
    ]);
    await life.close();
    expect(jobNotices(life)).toEqual(["job_ended"]);
  });

  it("stays told where it was, though a call reads it afterwards, and in the next process too", async () => {
    const stage = await openShell(
      build,
      says("It builds."),
      calls(["shell_output", { id: "c1" }]),
      says("It has ended."),
      says("Yes."),
      says("Still yes."),
    );
    const life = await building(stage);
    await life.session.sendAside(c1(life));
    await life.session.settled();
    await stage.put("done", "");
    await life.until((event) => event.type === "notice" && event.code === "job_ended");
    await life.session.submit("and?");
    await life.session.settled();
    await life.session.submit("really?");
    await life.session.settled();
    await life.close();
    const next = await stage.resume(life.session.id, { still: true });
    await next.session.submit("sure?");
    await next.session.settled();
    await next.close();
    const requests = stage.requests.slice(2).map(({ messages }) => messages.map(({ content }) => content));
    expect(requests).toHaveLength(4);
    expect(JSON.stringify(requests[0])).toContain("has ended: exit code 3");
    // The system prompt is each process's own.
    for (const [at, before] of requests.slice(0, -1).entries())
      expect(requests[at + 1]?.slice(1, before.length)).toEqual(before.slice(1));
  });

  it("asked twice at once, goes once", async () => {
    const stage = await openShell(build, says("It builds."));
    const life = await building(stage);
    const both = await Promise.all([life.session.sendAside(c1(life)), life.session.sendAside(c1(life))]);
    expect(both).toEqual([{ ok: true }, { ok: true }]);
    await life.session.settled();
    expect(life.journal().jobs()).toEqual(["c1"]);
    await life.close();
    expect(jobNotices(life)).toEqual(["job_gone"]);
  });

  it("and stopped in the same instant, is stopped: it is no success, and no job runs", async () => {
    const stage = await openShell(build, says("Never."));
    const life = await building(stage);
    await Promise.all([life.session.sendAside(c1(life)), life.session.stop()]);
    await life.session.settled();
    const { status } = life.call("c1");
    const running = life.journal().runningJobs();
    expect([status, running]).toEqual(["error", []]);
    await life.close();
    expect(jobNotices(life)).toEqual([]);
  });

  it("that cannot go there, of another session, or that does not run is refused", async () => {
    let go: (() => void) | undefined;
    const waits = toolOf("wait", () => new Promise<string>((resolve) => (go = () => resolve("done"))), {
      effect: "once",
    });
    const stage = await openStage({ lines: [calls(["wait", {}]), says("So.")], tools: [waits], mode: "full-auto" });
    const life = await stage.begin("wait", { running: true });
    await expect.poll(() => go).toBeDefined();
    const { sendAside } = life.session;
    expect(await sendAside(c1(life))).toEqual({ ok: false, message: "call c1 cannot go on in the background" });
    expect(await sendAside({ session: "other-owl-0001", call: "c1" })).toMatchObject({ ok: false });
    expect(await sendAside({ session: life.session.id, call: "c9" })).toEqual({
      ok: false,
      message: "call c9 does not run",
    });
    go?.();
    await life.session.settled();
    expect(life.call("c1").status).toBe("success");
    await life.close();
  });

  it.each([
    [
      "before it is kept as a job",
      (name: string, [, , job]: readonly unknown[]) => name === "keepOutput" && job === "running",
      "before",
      [],
    ],
    [
      "after it was kept as a job",
      (name: string, [, , job]: readonly unknown[]) => name === "keepOutput" && job === "running",
      "after",
      ["job_gone"],
    ],
    ["before its call is settled", succeeds, "before", ["job_gone"]],
    ["after its call was settled", succeeds, "after", ["job_gone"]],
  ] as const)(
    "by a process that dies %s: the next one tells what is known, and nothing runs on",
    async (_, write, when, told) => {
      const stage = await openShell(build, says("It builds."), says("I see."));
      const fate = fateOf({ write, when });
      const id = await diedSending(stage, fate);
      const next = await stage.resume(id, { takeOver: true, still: true });
      const settled = write === succeeds && when === "after";
      expect(next.call("c1").status).toBe(settled ? "success" : "executing");
      expect(next.journal().runningJobs()).toEqual([]);
      await next.close();
      expect(jobNotices(next)).toEqual(told);
    },
  );

  it("and whose end cannot be written is ended by its recovery, which its job's end says", async () => {
    const stage = await openShell(build, says("It builds."), says("I see."));
    const life = await building(stage, { wrap: oneFailure(succeeds) });
    await life.session.sendAside(c1(life));
    await life.until((event) => event.type === "turn_ended");
    expect([life.call("c1").status, life.journal().runningJobs()]).toEqual(["executing", ["c1"]]);
    const goesOn = (life.session as ResumedSession).proceed();
    await life.until((event) => event.type === "notice" && event.code === "job_ended");
    await life.until((event) => event.type === "tool_progress" && event.text === "half\n");
    await stage.put("done", "");
    await goesOn;
    await life.session.settled();
    const how = "ended by recovery of its call";
    expect(life.journal().jobEnds()).toMatchObject([{ callId: "c1", attempt: 1, how, last: "half" }]);
    expect(life.of("notice").map(({ text }) => text)).toContainEqual(
      `the background job c1 (${command}) has ended: ${how}; its last words: half`,
    );
    expect([life.call("c1").status, life.journal().runningJobs()]).toEqual(["success", []]);
    await life.session.submit("and?");
    await life.session.settled();
    await life.close();
    expect(JSON.stringify(stage.requests.at(-1)?.messages).split("background job c1 (").length - 1).toBe(1);
    expect(jobNotices(life)).toEqual(["job_ended"]);
  });

  const endOfJob = (name: string, [, , job]: readonly unknown[]): boolean =>
    name === "keepOutput" && typeof job === "object";

  it("and neither whose end nor its job's can be written at first: that comes to its own end, whatever is recovered", async () => {
    const stage = await openShell(build, says("It builds."));
    let isTried = false;
    const failing = oneFailure((name, given) => {
      isTried ||= endOfJob(name, given);
      return endOfJob(name, given);
    });
    const life = await building(stage, { wrap: (store) => failing(oneFailure(succeeds)(store)) });
    await life.session.sendAside(c1(life));
    await life.until((event) => event.type === "turn_ended");
    await stage.put("done", "");
    await expect.poll(() => isTried).toBe(true);
    await (life.session as ResumedSession).proceed();
    await life.session.settled();
    expect([life.call("c1").status, life.call("c1").attempt]).toEqual(["success", 2]);
    expect(life.journal().jobEnds()).toMatchObject([{ callId: "c1", attempt: 1, how: "exit code 3", last: "whole" }]);
    await life.close();
    expect(jobNotices(life)).toEqual(["job_ended"]);
  });

  it("and whose job's end cannot be written at first is told as ended when the session is closed", async () => {
    const stage = await openShell(build, says("It builds."));
    let isTried = false;
    const failing = oneFailure((name, given) => {
      isTried ||= endOfJob(name, given);
      return endOfJob(name, given);
    });
    const life = await building(stage, { wrap: failing });
    await life.session.sendAside(c1(life));
    await life.session.settled();
    await stage.put("done", "");
    await expect.poll(() => isTried).toBe(true);
    await life.close();
    expect(jobNotices(life)).toEqual(["job_ended"]);
    const next = await stage.resume(life.session.id, { still: true });
    expect(next.journal().jobEnds()).toMatchObject([{ how: "exit code 3" }]);
    await next.close();
    expect(jobNotices(next)).toEqual([]);
  });

  it("that is lost, done again and sent there again: each end is told, once, as what it was", async () => {
    const stage = await openShell(build, says("It builds."), says("I see."));
    const fate = fateOf({ write: succeeds, when: "before" });
    const id = await diedSending(stage, fate);
    await rm(stage.path("done"));
    const next = await stage.resume(id, { takeOver: true, still: true });
    // It only reads: it is done again without a question.
    await (next.session as ResumedSession).proceed();
    await next.until((event) => event.type === "tool_progress" && event.text === "half\n");
    expect(await next.session.sendAside(c1(next))).toEqual({ ok: true });
    await next.session.settled();
    await stage.put("done", "");
    await next.until((event) => event.type === "notice" && event.code === "job_ended");
    await next.session.submit("and?");
    await next.session.settled();
    const told = JSON.stringify(stage.requests.at(-1)?.messages);
    expect([told.split("(echo half").length - 1, told.includes("has ended: exit code 3")]).toEqual([2, true]);
    // What is kept is of the last attempt: it is shown for none before.
    expect(told.split("read_file {").length - 1).toBe(1);
    await next.close();
    expect(jobNotices(next)).toEqual(["job_gone", "job_ended"]);
    const last = await stage.resume(id, { still: true });
    await last.close();
    expect(jobNotices(last)).toEqual([]);
  });
});
