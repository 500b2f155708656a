import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import type { ModelRequest } from "../../src/model/port.ts";
import { calls, type LifeOptions, openStage, says, toolOf } from "../support/play.ts";

const edit = (from: string): [string, JsonObject] => [
  "edit_file",
  { file_path: "a.txt", old_string: from, new_string: "x" },
];
const lookFor = (from: string) => calls(edit(from));

/** What the agent itself told the model in this request. */
const told = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? [])
    .filter((message) => message.additional_kwargs["agent_notice"] !== undefined)
    .map(({ content }) => String(content));

const names = (request: ModelRequest | undefined): string[] => (request?.tools ?? []).map(({ name }) => name);
const ends = (request: ModelRequest | undefined): string[] =>
  names(request).filter((name) => name === "attempt_completion" || name === "terminate");

describe("a turn that does not get on", () => {
  const files = { "a.txt": "alpha\n" };

  it("is told so and then ended, however many processes its steps are done by", async () => {
    const lines = ["b", "c", "d", "e", "f"].map(lookFor);
    const stage = await openStage({ files, mode: "full-auto", maxSteps: 2, lines: [...lines, says("never asked")] });
    const first = await stage.begin("edit it");
    expect(first.last("turn_ended")).toMatchObject({ reason: "max_steps" });
    await first.close();
    const second = await stage.resume(first.session.id);
    expect(second.last("turn_ended")).toMatchObject({ reason: "max_steps", exitCode: 53 });
    expect(second.of("notice").map(({ code }) => code)).toContain("no_progress");
    const notice = expect.stringMatching(/edit_file has failed 3 times with NOT_FOUND, .* after 2 more the turn ends/);
    expect(told(stage.requests.at(-1))).toEqual([notice]);
    await second.close();
    const third = await stage.resume(first.session.id);
    expect(third.last("turn_ended")).toMatchObject({ reason: "stuck", exitCode: 53, calls: { error: 5 } });
    expect(third.last("error")).toMatchObject({
      code: "STUCK",
      message: "edit_file failed with NOT_FOUND 5 times, and no file was changed in between, so the turn was ended",
    });
    expect(third.last("turn_ended")).not.toHaveProperty("resume");
    // What was told once stays told where it was.
    expect(told(stage.requests.at(-1))).toEqual([notice]);
    expect(stage.requests).toHaveLength(5);
    await third.session.submit("do it in another way");
    await third.session.settled();
    expect(third.last("turn_ended")).toMatchObject({ reason: "done", text: "never asked" });
  });

  it("gets on where the tool that fails succeeds in between, whichever process did it: who explores guesses names", async () => {
    const look = (file: string) => calls(["read_file", { file_path: file }]);
    const lines = ["x1", "x2", "a.txt", "x3", "x4", "a.txt", "x5", "x6", "x7"].map(look);
    const stage = await openStage({ files, maxSteps: 3, lines: [...lines, says("Done.")] });
    let life = await stage.begin("explore");
    for (let resumed = 0; resumed < 3; resumed++) {
      expect(life.last("turn_ended")).toMatchObject({ reason: "max_steps" });
      await life.close();
      life = await stage.resume(life.session.id);
    }
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", calls: { success: 2, error: 7 } });
    // Of the three in a row at the end.
    expect(told(stage.requests.at(-1))).toEqual([
      expect.stringContaining("read_file has failed 3 times with NOT_FOUND"),
    ]);
  });

  it("gets on where a file is changed in between", async () => {
    const good = calls(["write_file", { file_path: "b.txt", content: "new\n" }]);
    const lines = [lookFor("b"), lookFor("c"), good, lookFor("d"), lookFor("e"), says("Done.")];
    const stage = await openStage({ files, mode: "full-auto", lines });
    const life = await stage.begin("edit it");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", calls: { success: 1, error: 4 } });
    expect(told(stage.requests.at(-1))).toEqual([]);
  });
});

describe("without tools", () => {
  it("a call that the model makes all the same is not run, and the run says that one was denied", async () => {
    const stage = await openStage({ lines: [calls(["ls", {}]), says("I may not look.")] });
    const life = await stage.begin("look", { parts: { toolChoice: "none" } });
    expect(stage.requests.map(({ toolChoice }) => toolChoice)).toEqual(["none", "none"]);
    const by = { actor: "policy", rule: "tool-choice" };
    expect(life.call("c1")).toMatchObject({ status: "cancelled", by, ended: { why: "policy" } });
    expect(life.last("decision")).toMatchObject({ callId: "c1", decision: "deny", by: "policy", rule: "tool-choice" });
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 10, text: "I may not look." });
    expect(stage.observation()).toMatch(/^Not run: denied by policy: no tool is to be called/);
  });

  it("what the person does themselves is done", async () => {
    const stage = await openStage({ lines: [says("Well.")] });
    const life = await stage.begin("hello", { parts: { toolChoice: "none" } });
    await life.session.runCommand("echo hi > said.txt");
    await life.session.settled();
    expect(stage.text("said.txt")).toBe("hi\n");
  });
});

describe("a call that is required", () => {
  const required: LifeOptions = { parts: { toolChoice: "required" } };

  it("is asked for until the turn's first, and told once where there is none", async () => {
    const stage = await openStage({
      lines: [says("Hm."), calls(["ls", {}]), says("Done."), calls(["ls", {}]), says("Yes.")],
    });
    const life = await stage.begin("look", required);
    expect(stage.requests.map(({ toolChoice }) => toolChoice)).toEqual(["required", "required", "auto"]);
    expect(told(stage.requests[1])).toEqual([expect.stringContaining("A tool is to be called before this turn ends")]);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0, text: "Done." });
    await life.session.submit("again");
    await life.session.settled();
    expect(stage.requests.slice(3).map(({ toolChoice }) => toolChoice)).toEqual(["required", "auto"]);
  });

  it("and never made fails the turn, also where another process has told it", async () => {
    const stage = await openStage({ maxSteps: 1, lines: [says("Hm."), says("No.")] });
    const first = await stage.begin("look", required);
    expect(first.last("turn_ended")).toMatchObject({ reason: "max_steps" });
    await first.close();
    const second = await stage.resume(first.session.id, required);
    expect(second.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 1, text: "No." });
    expect(second.last("turn_ended")).not.toHaveProperty("resume");
    expect(second.last("error")).toMatchObject({ code: "NO_CALL" });
    await second.close();
    const third = await stage.resume(first.session.id, required);
    expect(third.of("error")).toEqual([]);
    expect(stage.requests).toHaveLength(2);
  });
});

describe("tools that end a turn", () => {
  it.each<[string, LifeOptions, string[]]>([
    ["by themselves", {}, []],
    ["where they are switched on", { parts: { endTools: true } }, ["attempt_completion", "terminate"]],
    ["where a call is required", { parts: { toolChoice: "required" } }, ["attempt_completion", "terminate"]],
    ["where JSON is asked for", { parts: { outputSchema: {} } }, ["attempt_completion", "terminate"]],
  ])("are offered, or not: %s", async (_, options, offered) => {
    const stage = await openStage({ lines: [calls(["attempt_completion", { result: "7" }]), says("unasked")] });
    const life = await stage.begin("go", options);
    expect(ends(stage.requests[0])).toEqual(offered);
    const text = offered.length > 0 ? "7" : "unasked";
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text });
  });

  it("say the turn's last words, and an empty answer is none", async () => {
    const lines = [
      calls(["attempt_completion", { result: " " }]),
      calls(["ls", {}], ["attempt_completion", { result: "All is well." }]),
      calls(["terminate", { status: "failure" }]),
    ];
    const stage = await openStage({ lines });
    const life = await stage.begin("go", { parts: { endTools: true } });
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0, text: "All is well." });
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "INVALID_ARGUMENT" });
    await life.session.submit("again");
    await life.session.settled();
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0, text: "failure" });
  });

  it("are those of the program's user where these have the names", async () => {
    const own = toolOf("terminate", () => "mine", { endsTurn: true });
    const stage = await openStage({ tools: [own], lines: [calls(["terminate", {}])] });
    const life = await stage.begin("go");
    expect(ends(stage.requests[0])).toEqual(["terminate"]);
    expect(life.last("turn_ended")).toMatchObject({ text: "mine" });
  });
});

describe("an answer in JSON", () => {
  const outputSchema: JsonObject = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] };
  const asked: LifeOptions = { parts: { outputSchema } };

  it("is told to the model, checked, and told with the turn's end", async () => {
    const stage = await openStage({
      lines: [says("He is 3."), says('{"age": "3"}'), says('```json\n{"age": 3}\n```')],
    });
    const life = await stage.begin("how old?", asked);
    expect(told(stage.requests[0])).toEqual([expect.stringContaining(JSON.stringify(outputSchema))]);
    expect(told(stage.requests[2]).slice(1)).toEqual([
      expect.stringContaining("cannot be the last words of the turn: not valid JSON"),
      expect.stringContaining('/age: Instance type "string" is invalid. Expected "integer". Say'),
    ]);
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", exitCode: 0, output: { age: 3 } });
  });

  it("that never fits fails the turn after three tries, and is not given out for one later", async () => {
    const stage = await openStage({ lines: [says("3"), calls(["ls", {}]), says("4"), says("5"), says("never asked")] });
    const life = await stage.begin("how old?", asked);
    expect(life.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 1, text: "5" });
    expect(life.last("turn_ended")).not.toHaveProperty("output");
    expect(life.last("error")).toMatchObject({
      code: "NO_OUTPUT",
      message: expect.stringContaining('Instance type "number" is invalid. Expected "object"'),
    });
    expect(stage.requests).toHaveLength(4);
    await life.close();
    const again = await stage.resume(life.session.id);
    expect(again.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 1 });
    expect(again.last("turn_ended")).not.toHaveProperty("output");
    expect(stage.requests).toHaveLength(4);
  });

  it("belongs to its turn: another process that was not asked for it goes on with it, and counts its tries", async () => {
    const stage = await openStage({ maxSteps: 1, lines: [says("3"), says("4"), says('{"age": 5}'), says("plain")] });
    const first = await stage.begin("how old?", asked);
    expect(first.last("turn_ended")).toMatchObject({ reason: "max_steps" });
    expect(first.last("turn_ended")).not.toHaveProperty("output");
    await first.close();
    const second = await stage.resume(first.session.id);
    await second.close();
    const third = await stage.resume(first.session.id);
    expect(third.last("turn_ended")).toMatchObject({ reason: "done", output: { age: 5 } });
    expect(told(stage.requests.at(-1))).toHaveLength(3);
    await third.session.submit("and now?");
    await third.session.settled();
    expect(third.last("turn_ended")).toMatchObject({ reason: "done", text: "plain" });
    expect(third.last("turn_ended")).not.toHaveProperty("output");
  });

  it("may come as a result, which is refused where it does not fit, and counts as a try", async () => {
    const lines = [
      says("3"),
      calls(["attempt_completion", { result: '{"age": null}' }]),
      calls(["attempt_completion", { result: { age: 7 } }]),
    ];
    const stage = await openStage({ lines });
    const life = await stage.begin("how old?", asked);
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "INVALID_ARGUMENT" });
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", text: '{"age":7}', output: { age: 7 } });
    const wrong = [
      says("3"),
      calls(["attempt_completion", { result: "4" }]),
      calls(["attempt_completion", { result: "5" }]),
    ];
    const failed = await (await openStage({ lines: wrong })).begin("how old?", asked);
    expect(failed.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 1, calls: { error: 2 } });
  });

  it("is not what another tool ends the turn with, and giving up is a failure", async () => {
    const own = toolOf("finish", () => "done", { endsTurn: true });
    const lines = [
      calls(["finish", {}]),
      calls(["terminate", { status: "success" }]),
      calls(["terminate", { status: "failure" }]),
    ];
    const stage = await openStage({ tools: [own], lines });
    const life = await stage.begin("how old?", asked);
    expect(life.call("c2")).toMatchObject({ status: "error", errorCode: "INVALID_ARGUMENT" });
    expect(life.last("turn_ended")).toMatchObject({ reason: "failed", exitCode: 1, calls: { success: 2, error: 1 } });
  });
});

describe("the time of a call", () => {
  it("ends by the settings where its tool says none, and three such in a row end the turn", async () => {
    const sleepy = toolOf(
      "sleepy",
      (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const quick = toolOf("quick", () => "quick", { timeoutMs: 60_000 });
    const lines = [
      calls(["sleepy", { a: 1 }], ["quick", {}]),
      calls(["sleepy", { a: 2 }]),
      calls(["sleepy", { a: 3 }]),
    ];
    const stage = await openStage({ tools: [sleepy, quick], mode: "full-auto", lines });
    const life = await stage.begin("sleep", { parts: { toolTimeoutMs: 5 } });
    expect(life.call("c1")).toMatchObject({
      status: "error",
      errorCode: "TIMEOUT",
      errorMsg: expect.stringContaining("5 ms"),
    });
    expect(life.call("c2")).toMatchObject({ status: "success" });
    expect(life.last("turn_ended")).toMatchObject({ reason: "stuck", exitCode: 53 });
    expect(life.last("error").message).toBe("a call ran out of its time 3 times in a row, so the turn was ended");
  });
});
