import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { messagesTokens, roughTokens } from "../../../../src/graph/talk/room/token-estimate.ts";
import { type Model, ModelFailure, type ModelRequest } from "../../../../src/model/port.ts";
import { forkBefore, forkSession } from "../../../../src/records/fork.ts";
import { makePng } from "../../../support/pictures.ts";
import { calls, type Line, openStage, says, toolOf } from "../../../support/play.ts";

const size = ({ messages, tools }: ModelRequest): number =>
  messagesTokens(messages as never) + roughTokens(JSON.stringify(tools));

const prose = (characters: number): string =>
  "a plain word or two. ".repeat(Math.ceil(characters / 21)).slice(0, characters);

/** Says as many characters as it is asked for. */
const speak = toolOf("speak", ({ size: characters }) => prose(Number(characters)));

const window = 20_000;
const stageOf = (lines: Line[], summaries: string[] = [], more: object = {}) =>
  openStage({ lines, tools: [speak], window, summaries, parts: { maxObserve: async () => false, ...more } });

const speaks = (characters: number): Line => calls(["speak", { size: characters }]);
const isSummary = ({ messages }: ModelRequest): boolean => String(messages.at(-1)?.content).startsWith("[compaction]");
const output = (request: ModelRequest | undefined, callId: string): string =>
  String(request?.messages.find(({ id }) => id === `o-${callId}`)?.content);

describe("a window that fills up", () => {
  it("loses the output of old calls in one cut at 70 %, and nothing at all before", async () => {
    const lines = [...Array.from({ length: 6 }, () => speaks(9_000)), says("Done.")];
    const stage = await stageOf(lines);
    const life = await stage.begin("speak up");
    const whole = stage.requests.map((request) =>
      [1, 2, 3, 4, 5, 6].map((n) => output(request, `c${n}`).length > 1_000),
    );
    const cutAt = stage.requests.findIndex((_, at) => whole[at]?.[0] === false && at > 0);
    expect(size(stage.requests[cutAt - 1] as ModelRequest)).toBeLessThan(0.7 * window);
    // What is cut at once stays cut: the next requests begin as this one does.
    expect(whole[cutAt]).toEqual([false, false, false, false, true, false].map((is, at) => is && at < cutAt));
    expect(output(stage.requests[cutAt], "c1")).toBe(
      '(9,000 characters that this call said are left out to make room; read_file {"file_path": "call:c1"} shows all of it)',
    );
    expect(life.journal().compactions()).toMatchObject([{ id: "k1", kind: "prune", by: "auto", kept: 0 }]);
    expect(life.of("notice").map(({ code }) => code)).toEqual(["outputs_cut"]);
    expect([life.of("compaction_started"), life.last("turn_ended").reason]).toEqual([[], "done"]);
  });

  it("has the talk summed up at 85 %: the person's words, the summary and the last steps stay", async () => {
    const words = Array.from({ length: 8 }, (_, n) => says(`${prose(9_500)} ${n}`));
    const stage = await stageOf(words, ["## Goal\nto talk"]);
    const life = await stage.begin("The goal: never stop talking.");
    for (let n = 1; n < 8; n += 1) {
      await life.session.submit(`go on ${n}`);
      await life.session.settled();
    }
    const [asked] = stage.requests.filter(isSummary);
    expect(asked?.tools).toEqual([]);
    const talk = stage.requests.filter((request) => !isSummary(request));
    expect(talk.every((request) => size(request) < window)).toBe(true);
    expect(talk.every(({ messages }) => JSON.stringify(messages).includes("The goal: never stop talking."))).toBe(true);
    const [started] = life.of("compaction_started");
    const [done] = life.of("compaction_done");
    expect(started).toMatchObject({ id: "k1", by: "auto" });
    expect(started?.contextUsed).toBeGreaterThan(0.85 * window);
    expect(done).toMatchObject({ id: "k1", ok: true, before: started?.contextUsed, summary: "## Goal\nto talk" });
    expect(done?.after).toBeLessThan(0.6 * window);
    const shown = talk.at(-1)?.messages ?? [];
    expect(shown[1]?.content).toMatch(
      /^\(This is from the agent, not from the person\.\)[\s\S]*\n\| The goal: never stop talking\.\n[\s\S]*\n\| ## Goal\n\| to talk\n/,
    );
    expect(shown.at(-1)?.content).toBe("go on 7");
    expect(life.last("turn_ended").text?.endsWith("7")).toBe(true);
    // Nothing that is stored became less.
    expect(life.journal().storedReplies()).toHaveLength(8);
  });

  it("is only pruned where the script brings no summary, and says so where it cannot go on", async () => {
    const lines = Array.from({ length: 20 }, (_, n) => says(`${prose(9_000)} ${n}`));
    const stage = await stageOf(lines);
    const life = await stage.begin("talk");
    for (let n = 1; n < 20 && life.last("turn_ended").reason === "done"; n += 1) {
      await life.session.submit(`go on ${n}`);
      await life.session.settled();
    }
    expect(life.of("compaction_started")).toEqual([]);
    expect(life.last("turn_ended")).toMatchObject({ reason: "context_full", exitCode: 1 });
    expect(life.last("turn_ended").resume).toContain("agent resume");
    expect(life.last("error")).toMatchObject({ code: "CONTEXT_FULL" });
    expect(stage.requests.every((request) => size(request) <= window)).toBe(true);
  });

  it("cuts what the model has not read yet where that alone is too long", async () => {
    const stage = await stageOf([calls(["speak", { size: 60_000 }], ["speak", { size: 60_000 }]), says("Much.")]);
    const life = await stage.begin("speak up");
    expect(life.last("turn_ended").reason).toBe("done");
    const [, second] = stage.requests;
    expect(size(second as ModelRequest)).toBeLessThan(window);
    expect(output(second, "c2")).toMatch(/\n\([\d,]+ characters were left out here; [^\n]*call:c2[^\n]*\)\n/);
    expect(life.journal().compactions()).toMatchObject([{ kind: "prune", upTo: "m1.1" }]);
  });

  it("is not summed up where next to nothing would go by it, for what is new is cut all the same", async () => {
    const stage = await stageOf([says("Yes."), speaks(70_000), says("Much.")], ["## Goal\nto speak"]);
    const life = await stage.begin("Can you speak up?");
    await life.session.submit("Do.");
    await life.session.settled();
    expect(life.of("turn_ended").map(({ reason }) => reason)).toEqual(["done", "done"]);
    expect([life.of("compaction_started"), stage.requests.filter(isSummary)]).toEqual([[], []]);
    expect(life.journal().compactions()).toMatchObject([{ kind: "prune", upTo: "m2.1" }]);
    expect(size(stage.requests.at(-1) as ModelRequest)).toBeLessThan(window);
  });

  it("goes on after a message that alone is too long, once the person says less", async () => {
    const stage = await stageOf([says("Short, then.")], ["## Goal\nnot known yet"]);
    const life = await stage.begin(`Read this: ${prose(100_000)}`);
    expect([stage.requests, life.last("turn_ended").reason]).toEqual([[], "context_full"]);
    await life.session.submit("Never mind: say hello.");
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Short, then." });
    expect(life.of("compaction_done")).toMatchObject([{ ok: true, upTo: life.of("user_message")[0]?.id }]);
    const talk = (stage.requests.at(-1)?.messages ?? []).slice(1).map(({ content }) => String(content));
    expect(talk).toEqual([expect.stringContaining("| Read this: a plain word"), "Never mind: say hello."]);
    expect(size(stage.requests.at(-1) as ModelRequest)).toBeLessThan(window);
  });

  it("has a first message summed up that takes most of it, though all that came after it is short", async () => {
    const words = Array.from({ length: 12 }, (_, n) => says(`${prose(1_500)} ${n}`));
    const stage = await stageOf(words, ["## Goal\nto read"]);
    const life = await stage.begin(`The goal: read this. ${prose(52_000)}`);
    for (let n = 1; n < 12; n += 1) {
      await life.session.submit(`go on ${n}`);
      await life.session.settled();
    }
    expect(life.of("turn_ended").map(({ reason }) => reason)).toEqual(Array(12).fill("done"));
    expect(life.of("compaction_done")).toMatchObject([{ ok: true, upTo: "m1.1" }]);
    const talk = stage.requests.filter((request) => !isSummary(request));
    expect(talk.every((request) => size(request) < window)).toBe(true);
    expect(talk.every(({ messages }) => JSON.stringify(messages).includes("The goal: read this."))).toBe(true);
    expect(String(talk.at(-1)?.messages[2]?.content)).toBe("go on 1");
  });

  it("goes on with the next message after a call that alone is too long", async () => {
    const stage = await stageOf(
      [speaks(10), calls(["speak", { size: 10, note: prose(90_000) }]), says("Short, then.")],
      ["## Goal\nto speak"],
    );
    const life = await stage.begin("Speak.");
    expect(life.last("turn_ended").reason).toBe("context_full");
    await life.session.submit("Never mind: say hello.");
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: "Short, then." });
    expect(life.of("compaction_done")).toMatchObject([{ ok: false }, { ok: true, upTo: "o-c2" }]);
    expect(stage.requests.filter((request) => !isSummary(request)).every((request) => size(request) < window)).toBe(
      true,
    );
  });

  it("loses the pictures of old calls in one cut too, and never those that the model has not seen", async () => {
    const lines = [...Array.from({ length: 14 }, () => calls(["read_file", { file_path: "shot.png" }])), says("Seen.")];
    const wrapModel = (model: Model): Model => ({ ...model, vision: true });
    const stage = await openStage({ lines, window, wrapModel });
    await writeFile(stage.path("shot.png"), makePng(6, 4));
    const life = await stage.begin("look");
    const picturesOf = ({ messages }: ModelRequest): string[] =>
      messages.flatMap(({ id = "", content }) => (JSON.stringify(content).includes("data:image/png") ? [id] : []));
    const shown = stage.requests.map(picturesOf);
    expect(shown.map((ids) => ids.at(-1))).toEqual([undefined, ...Array.from({ length: 14 }, (_, n) => `i-c${n + 1}`)]);
    expect(stage.requests.every((request) => size(request) < window)).toBe(true);
    expect(
      life
        .journal()
        .compactions()
        .map(({ kind }) => kind),
    ).toEqual(["prune", "prune"]);
    expect(output(stage.requests.at(-1), "c1")).toMatch(
      /\n\[picture shot\.png: PNG, 6x4 pixels, \d+ bytes; it was left out to make room\]$/,
    );
  });

  it("is cut and asked once more where the server does not take what seemed to fit", async () => {
    const lines = [...Array.from({ length: 4 }, () => speaks(9_000)), says("Done.")];
    const refused: number[] = [];
    const strict = (model: Model): Model => ({
      ...model,
      stream(request, signal) {
        const tokens = size(request);
        if (tokens < 10_000) return model.stream(request, signal);
        refused.push(tokens);
        throw new ModelFailure("context_full", "too long", { status: 400 });
      },
    });
    const stage = await openStage({ lines, tools: [speak], window, wrapModel: strict });
    const life = await stage.begin("speak up");
    expect([life.last("turn_ended").reason, refused.length]).toEqual(["done", 1]);
    expect(life.journal().compactions()).toMatchObject([{ kind: "prune" }]);
  });

  it("does not ask for a summary with each request where it was not given one", async () => {
    const lines = Array.from({ length: 14 }, (_, n) => says(`${prose(6_000)} ${n}`));
    const stage = await stageOf(
      lines,
      Array.from({ length: 20 }, () => " "),
    );
    const life = await stage.begin("talk");
    for (let n = 1; n < 12; n += 1) {
      await life.session.submit(`go on ${n}`);
      await life.session.settled();
    }
    const failed = life.of("compaction_done");
    expect(failed.every(({ ok }) => !ok)).toBe(true);
    const tries = failed.map(({ before }) => before);
    expect(tries.slice(1).filter((used, at) => used - (tries[at] ?? 0) < 0.05 * window && used < window)).toEqual([]);
  });

  it("is left as it is where the settings say so", async () => {
    const lines = [...Array.from({ length: 9 }, () => speaks(12_000)), says("Done.")];
    const stage = await stageOf(lines, ["never"], { compact: false });
    const life = await stage.begin("speak up");
    expect(life.journal().compactions()).toEqual([]);
    expect(output(stage.requests.at(-1), "c1")).toHaveLength(12_000);
  });
});

describe("what is cut", () => {
  it("is rendered by another process to the same bytes, and comes along with a fork of it", async () => {
    const words = [...Array.from({ length: 8 }, (_, n) => says(`${prose(9_000)} ${n}`)), speaks(500), says("End.")];
    const stage = await stageOf([...words, says("Again.")], ["to talk"]);
    const first = await stage.begin("talk");
    for (let n = 1; n < 9; n += 1) {
      await first.session.submit(`go on ${n}`);
      await first.session.settled();
    }
    const before = stage.requests.at(-1);
    await first.close();
    const second = await stage.resume(first.session.id);
    await second.session.submit("again");
    await second.session.settled();
    const [mine, theirs] = [before, stage.requests.at(-1)].map((request) =>
      request?.messages.map((one) => one.content),
    );
    expect(
      second
        .journal()
        .compactions()
        .map(({ kind }) => kind),
    ).toEqual(["summary"]);
    expect(theirs?.slice(0, mine?.length)).toEqual(mine);
    const row = second.store.sessions.get(second.session.id);
    const fork = row && (await forkSession(second.store, row));
    const forked = second.store.readJournal(fork?.id ?? "").compactions();
    expect(forked).toEqual(second.journal().compactions());
    const early = row && (await forkBefore(second.store, row, 2));
    expect(second.store.readJournal(early?.id ?? "").compactions()).toEqual([]);
  });
});
