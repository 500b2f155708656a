import { describe, expect, it } from "vitest";
import type { Model, ModelRequest } from "../../src/model/port.ts";
import { openStore } from "../../src/store/open-store.ts";
import { fateOf } from "../support/mortal.ts";
import { calls, openStage, type Stage, says, toolOf } from "../support/play.ts";

const empty = says("");
const nothing = "(no words came)";
const word = "Your last reply was empty";

const told = (request: ModelRequest | undefined) =>
  (request?.messages ?? []).slice(1).map((message) => `${message.getType()}: ${String(message.content)}`);

/** Times that the model was told, in one request. */
const words = (request: ModelRequest | undefined): number => told(request).filter((text) => text.includes(word)).length;

/** The one session, and whether its turn has failed: looking at such a one does not go on with it. */
async function sessionIn({ database }: Stage): Promise<{ id: string; still: boolean }> {
  const store = await openStore({ file: database });
  try {
    const [row] = store.sessions.list();
    if (row === undefined) throw new Error("no session is stored");
    return { id: row.id, still: store.readJournal(row.id).turns().at(-1)?.reason === "failed" };
  } finally {
    store.close();
  }
}

describe("a process that dies at any write", () => {
  it.each([
    ["of a turn that is asked on", [empty, says("Here.")], [nothing, "Here."], "done"],
    ["of a turn that fails by empty replies", [empty, empty], [nothing, nothing], "running"],
  ])("%s has asked on once in all, and each empty reply is counted once", async (_, lines, kept, state) => {
    const stage = () => openStage({ lines, tools: [], files: {} });
    const peaceful = fateOf();
    await (await (await stage()).begin("say it", { wrap: peaceful.wrap })).session.settled();
    expect(peaceful.writes.filter((name) => name === "commitReply")).toHaveLength(2);
    for (let write = 2; write <= peaceful.writes.length; write += 1)
      for (const when of ["before", "after"] as const) {
        const where = `${when} write ${write}`;
        const fate = fateOf({ write, when });
        const scene = await stage();
        await scene.begin("say it", { wrap: fate.wrap }).catch((error: unknown) => {
          if (!fate.dead) throw error;
        });
        const { id, still } = await sessionIn(scene);
        const last = await scene.resume(id, { takeOver: true, still });
        await last.session.settled();
        const steps = last.journal().steps();
        expect(
          steps.map((step) => last.journal().findReply(step.id)?.message.content),
          where,
        ).toEqual(kept);
        expect(last.journal().turns(), where).toMatchObject([{ state }]);
        expect(Math.max(...scene.requests.map(words)), where).toBe(1);
        await last.close();
      }
  });
});

it("what the person says meanwhile is heard with the word to the model", async () => {
  const look = toolOf("look", () => "seen", { effect: "none" });
  let steer = async (): Promise<void> => undefined;
  const wrapModel = (model: Model): Model => ({
    ...model,
    async *stream(request, signal) {
      if (request.messages.length === 4) await steer();
      yield* model.stream(request, signal);
    },
  });
  const stage = await openStage({ lines: [calls(["look", {}]), empty, says("Blue.")], tools: [look], wrapModel });
  const life = await stage.begin("go", { running: true });
  steer = () => life.session.steer("in blue, please");
  await life.session.settled();
  expect(told(stage.requests.at(-1)).slice(3)).toEqual([
    `ai: ${nothing}`,
    expect.stringContaining(word),
    "human: in blue, please",
  ]);
  expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Blue." });
});

it("stopped before a word that shows came, nothing is stored of it", async () => {
  const stage = await openStage({ lines: [{ text: "\n".repeat(40), chunks: 40, delayMs: 20 }, says("Yes.")] });
  const life = await stage.begin("go", { running: true });
  await life.until(({ type }) => type === "text_delta");
  await life.session.stop();
  await life.session.settled();
  expect(life.journal().steps()).toEqual([]);
  await life.session.submit("again");
  await life.session.settled();
  expect(told(stage.requests[1])).toEqual(["human: go", "human: again"]);
});

it("results that are shown once are shown with the word too: the model has said nothing on them", async () => {
  const once = toolOf("once", () => ({ output: "only now", longTermMemory: "it was looked at", outputOnce: true }), {
    effect: "none",
  });
  const stage = await openStage({ lines: [calls(["once", {}]), empty, says("Thanks."), says("Bye.")], tools: [once] });
  const life = await stage.begin("go");
  expect(told(stage.requests[2]).filter((text) => text.includes("only now"))).toHaveLength(1);
  await life.session.submit("bye");
  await life.session.settled();
  expect(told(stage.requests[3]).filter((text) => text.includes("only now"))).toEqual([]);
});

it("a check runs behind words alone: an empty reply is asked on first", async () => {
  const lines = [calls(["write_file", { file_path: "a.txt", content: "1\n" }]), empty, says("Written.")];
  const checks = [{ paths: ["**"], command: "true" }];
  const stage = await openStage({ lines, mode: "full-auto", parts: { checks: async () => checks } });
  const life = await stage.begin("go");
  expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Written." });
  expect(
    life
      .journal()
      .steps()
      .map(({ calls: made }) => made),
  ).toEqual([1, 0, 1]);
  expect(life.call("c2")).toMatchObject({ toolName: "shell", status: "success" });
});

it("a tool that ends the turn ends it, with nothing said beside it", async () => {
  const stage = await openStage({ lines: [calls(["attempt_completion", { result: "7" }]), empty] });
  const life = await stage.begin("go", { parts: { endTools: true } });
  expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0, text: "7" });
  expect(stage.requests).toHaveLength(1);
});

it.each(["", " \n", "\u200b\ufeff", "<think>Hm.</think>\n"])(
  "a summary that says nothing (%j) never takes the talk's place",
  async (text) => {
    const long = "word ".repeat(400);
    const stage = await openStage({ lines: [says(long), says(long), says("Three.")], summaries: [text] });
    const life = await stage.begin("one");
    await life.session.submit("two");
    await life.session.settled();
    expect(await life.session.compact()).toMatchObject({ ok: false, message: "the model gave no summary" });
    await life.session.submit("three");
    await life.session.settled();
    expect(told(stage.requests.at(-1))).toHaveLength(5);
    expect(life.journal().compactions()).toEqual([]);
  },
);
