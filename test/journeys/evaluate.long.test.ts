import { describe, expect, it } from "vitest";
import type { Goal } from "../../src/core/goals.ts";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import { say } from "../support/scenes.ts";

type Talks = Readonly<Record<string, readonly Reply[]>>;

const firstOf = (messages: readonly { role: string; content: unknown }[]): string =>
  String(messages.find(({ role }) => role === "user")?.content);

/** A place whose model says, in each session, what is set for words that its first message has. */
function placeOf(talks: Talks, files: Record<string, string> = {}): Promise<Place> {
  const answer: Answer = ({ body }) => {
    const first = firstOf(body.messages);
    const [, talk] = Object.entries(talks).find(([words]) => first.includes(words)) ?? [];
    return talk?.[body.messages.filter(({ role }) => role === "assistant").length] ?? says("I have nothing to say.");
  };
  return openPlace(
    Array.from({ length: 24 }, () => answer),
    files,
  );
}

/** What the model was sent in the session whose first message has these words. */
const sentTo = ({ server }: Place, words: string) =>
  server.requests.filter(({ body }) => firstOf(body.messages).includes(words));

const goal = (action: string, more: object = {}) => ({ name: "goal", arguments: { action, ...more } });
const plans = asks("goal", goal("add", { text: "a.txt says two" }).arguments, { calls: [goal("start", { id: "g1" })] });
const edit = (old: string, by: string): Reply =>
  asks("edit_file", { file_path: "a.txt", old_string: old, new_string: by });
const judged = (verdict: string, text: string, more: object = {}): Reply =>
  says(JSON.stringify({ verdict, reasons: [{ text, file: "a.txt", line: 1 }], suggestions: [], ...more }));
const evaluates = (args: object = {}): Reply => asks("evaluate", { ...args });

const resultsOf = ({ of }: Told, tool: string) =>
  of("tool_call").flatMap(({ call }) =>
    "toolName" in call && call.toolName === tool && "result" in call ? [call.result] : [],
  );
const errorsOf = ({ of }: Told): string[] =>
  of("tool_call").flatMap(({ call }) => ("errorMsg" in call ? [String(call.errorMsg)] : []));

async function goalsIn(place: Place, id: string): Promise<readonly Goal[]> {
  const { stdout } = await place.run(["sessions", "show", id, "--json"]);
  const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "{}") as { goals?: readonly Goal[] };
  return last.goals ?? [];
}

describe("evaluate", () => {
  it("fails a goal with reasons, and passes it at a second try behind an edit; the goal names who worked for it", async () => {
    const place = await placeOf(
      {
        "go on with a": [edit("one", "three"), says("It is three.")],
        "first try": [
          asks("read_file", { file_path: "a.txt" }),
          judged("fail", "it says three", { suggestions: ["make it two"] }),
        ],
        "second try": [asks("read_file", { file_path: "a.txt" }), judged("pass", "it says two")],
        go: [
          plans,
          asks("agent", { task: "go on with a" }),
          evaluates({ messages: ["first try"] }),
          edit("three", "two"),
          evaluates({ messages: ["second try"], target_goal_id: "g1" }),
          asks("goal", goal("done", { summary: "two it is" }).arguments),
          says("Done."),
        ],
      },
      { "a.txt": "one\n" },
    );
    const ran = await place.json(["run", "go", "--mode", "accept-edits"]);
    expect([ran.code, await place.read("a.txt")]).toEqual([0, "two\n"]);
    const id = ran.session.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&");
    const named = (kind: string, nth: number) =>
      expect.stringMatching(new RegExp(`^${id}@${kind}-${nth}-\\d{8}T\\d{4}-001$`));
    const helpers = [named("delegate", 3), named("evaluate", 4), named("evaluate", 6)];
    expect(resultsOf(ran, "evaluate")).toMatchObject([
      {
        output: expect.stringMatching(
          /^g1 fail\. Said by evaluator \(\S+@evaluate-4-\S+\): done after 2 steps, .*:\n\| a\.txt:1: it says three\n\| suggestion: make it two$/u,
        ),
        title: "g1 fail",
        metadata: {
          verdict: "fail",
          reasons: [{ text: "it says three", file: "a.txt", line: 1 }],
          suggestions: ["make it two"],
          session: helpers[1],
        },
      },
      { title: "g1 pass", metadata: { verdict: "pass", session: helpers[2] } },
    ]);
    const worked = {
      id: "g1",
      text: "a.txt says two",
      type: "agent_call",
      agentCallMode: "evaluate",
      subSessionIds: helpers,
    };
    expect(await goalsIn(place, ran.session)).toEqual([{ ...worked, state: "done", summary: "two it is" }]);
    const begun = ran.of("session_started").flatMap(({ works, parent }) => (parent === undefined ? [] : [works]));
    expect(begun).toEqual(["delegate", "evaluate", "evaluate"].map((mode) => ({ goal: "g1", mode })));

    const [first] = sentTo(place, "first try");
    expect(firstOf(first?.body.messages ?? [])).toContain(
      "Judge whether this goal is reached, by what you read yourself. g1: a.txt says two\n",
    );
    expect(first?.body.tools?.map(({ function: { name } }) => name).toSorted()).toEqual([
      ...["glob", "goal", "grep", "ls", "read_artifact", "read_file", "web_fetch"],
    ]);
    const evaluator = String(resultsOf(ran, "evaluate")[0]?.metadata?.["session"]);
    const shown = await place.run(["sessions", "show", evaluator]);
    expect(shown.stdout).toContain(`works for g1 of ${ran.session} (evaluate): a.txt says two\n`);
    expect((await place.run(["sessions", "show", evaluator, "--json"])).stdout).toContain(
      `{"role":"works","session":"${ran.session}","goal":"g1","mode":"evaluate","text":"a.txt says two"}\n`,
    );
    expect((await place.run(["sessions", "show", ran.session])).stdout).toMatch(
      /g1 done: a\.txt says two → two it is\n {4}by helpers, the last to evaluate: \S+@delegate-3-\S+, \S+@evaluate-4-\S+, \S+@evaluate-6-\S+\n/u,
    );
  });

  it("needs a goal that there is, and says which there are", async () => {
    const place = await placeOf({
      go: [
        evaluates(),
        plans,
        asks("goal", goal("done", { summary: "it is so" }).arguments),
        evaluates(),
        evaluates({ target_goal_id: "g7" }),
        says("Done."),
      ],
    });
    const ran = await place.json(["run", "go"]);
    expect(errorsOf(ran)).toEqual([
      "no goal is active: say which one by its id; there are none yet: add one",
      "no goal is active: say which one by its id; the goals are g1, open of them none",
      'there is no goal "g7"; the goals are g1, open of them none',
    ]);
    expect(sentTo(place, "Judge")).toEqual([]);
  });

  it("works in read-only; its helper changes nothing, and no helper has it", async () => {
    const place = await placeOf(
      {
        "Judge whether": [
          asks("write_file", { file_path: "a.txt", content: "two\n" }),
          asks("evaluate", {}),
          judged("fail", "it says one, and I may not write"),
        ],
        "try it": [asks("evaluate", {}), says("I have no such tool.")],
        go: [plans, evaluates(), asks("agent", { task: "try it" }), says("Done.")],
      },
      { "a.txt": "one\n" },
    );
    const ran = await place.json(["run", "go", "--mode", "read-only"]);
    expect([ran.code, await place.read("a.txt")]).toEqual([0, "one\n"]);
    expect(errorsOf(ran)).toEqual([
      expect.stringContaining('"write_file" is not available to evaluator'),
      expect.stringContaining('"evaluate" is not available to evaluator'),
      expect.stringContaining('"evaluate" is not available to helper'),
    ]);
    expect(resultsOf(ran, "evaluate")).toMatchObject([{ metadata: { verdict: "fail" } }]);
  });

  it("goes on with what an ended helper found, by its own tools and for its own goal", async () => {
    let ended = "";
    const answer: Answer = ({ body }) => {
      const first = firstOf(body.messages);
      if (first.startsWith("Judge")) return judged("pass", "as that one said");
      if (first.startsWith("mend")) return says("Mended by me.");
      ended = /\((\S+-001)\)/u.exec(String(body.messages.at(-1)?.content))?.[1] ?? ended;
      const spoken = body.messages.filter(({ role }) => role === "assistant").length;
      const talk = [
        asks("agent", { task: "mend a" }),
        plans,
        evaluates({ continue_from: ended }),
        asks("goal", goal("done", { summary: "it is so" }).arguments, {
          calls: [{ name: "agent", arguments: { task: "mend it, then", continue_from: ended } }],
        }),
      ];
      return talk[spoken] ?? says("Done.");
    };
    const place = await openPlace(Array.from({ length: 10 }, () => answer));
    const ran = await place.json(["run", "go"]);
    expect([ran.code, errorsOf(ran)]).toEqual([0, []]);
    const [sent] = sentTo(place, "Judge");
    expect(firstOf(sent?.body.messages ?? [])).toMatch(
      /Before this \S+@delegate-1-\S+ worked on it[\s\S]*\| said: Mended by me\.$/u,
    );
    expect(sent?.body.tools?.map(({ function: { name } }) => name)).not.toContain("edit_file");
    const [{ subSessionIds }] = (await goalsIn(place, ran.session)) as [Goal];
    expect(subSessionIds).toEqual([expect.stringContaining("@evaluate-4-")]);
  });

  it("is an error where its helper came to no verdict for want of steps", async () => {
    const place = await placeOf({
      "Judge whether": Array.from({ length: 6 }, (_, nth) => asks("read_file", { file_path: `${nth}.txt` })),
      go: [plans, evaluates(), says("Done.")],
    });
    const ran = await place.json(["run", "go", "--max-steps", "4"]);
    expect(errorsOf(ran).at(-1)).toBe("the evaluator came to no end: max_steps");
    expect(resultsOf(ran, "evaluate")).toMatchObject([
      {
        output: expect.stringMatching(/^evaluator \(\S+\): max_steps \(the turn's limit\) after \d steps?, /u),
        metadata: { helpers: [{ status: "max_steps" }] },
      },
    ]);
    const none = await place.json(["run", "go", "--max-steps", "2"]);
    expect(resultsOf(none, "evaluate")).toMatchObject([
      { output: expect.stringMatching(/^evaluator: not begun, /u), title: "g1: no verdict, max_steps" },
    ]);
    expect((await goalsIn(place, none.session))[0]).not.toHaveProperty("type");
  });

  it("asks for what its helper may not read unasked, as that helper, and goes on with the answer", async () => {
    const place = await placeOf(
      {
        Judge: [asks("read_file", { file_path: ".env" }), judged("pass", "it is set")],
        go: [plans, evaluates(), says("Done.")],
      },
      { ".env": "KEY=1\n" },
    );
    const first = await place.json(["run", "go"]);
    const [asked] = first.the("approval_requested").calls;
    expect([first.code, asked?.agent, asked?.session]).toEqual([
      11,
      "evaluator",
      expect.stringContaining("@evaluate-3-"),
    ]);
    const second = await place.json(["resume", first.session, "--approve", `${asked?.session}:c1@${asked?.digest}`]);
    expect(second.code).toBe(0);
    expect(resultsOf(second, "evaluate")).toMatchObject([{ metadata: { verdict: "pass", session: asked?.session } }]);
    expect((await goalsIn(place, first.session))[0]?.subSessionIds).toEqual([asked?.session]);
  });

  it("goes on after kill -9 with the one helper that it began", async () => {
    let isKilled = false;
    const unending = says("word ".repeat(100_000), { chunks: 100_000, delayMs: 20 });
    const talks: Talks = {
      Judge: [asks("read_file", { file_path: "a.txt" }), judged("fail", "it says one")],
      go: [plans, evaluates(), says("Done.")],
    };
    const answer: Answer = ({ body }) => {
      const first = firstOf(body.messages);
      const spoken = body.messages.filter(({ role }) => role === "assistant").length;
      const reply = talks[first.includes("Judge") ? "Judge" : "go"]?.[spoken] ?? says("?");
      return first.includes("Judge") && spoken === 1 && !isKilled ? unending : reply;
    };
    const place = await openPlace(
      Array.from({ length: 12 }, () => answer),
      { "a.txt": "one\n" },
    );
    const running = place.spawn(["run", "go", "--json"]);
    await running.shows('"text_delta"');
    running.child.kill("SIGKILL");
    isKilled = true;
    const { stdout } = await running.done;
    const { session } = JSON.parse(stdout.split("\n")[0] ?? "") as { session: string };
    const [before] = await goalsIn(place, session);
    expect(before).toMatchObject({
      state: "active",
      type: "agent_call",
      subSessionIds: [expect.stringContaining("@evaluate-3-")],
    });
    const on = await place.json(["resume", session]);
    expect(on.code).toBe(0);
    expect(resultsOf(on, "evaluate")).toMatchObject([
      { metadata: { verdict: "fail", session: before?.subSessionIds?.[0] } },
    ]);
    expect((await goalsIn(place, session))[0]?.subSessionIds).toEqual(before?.subSessionIds);
    const reads = sentTo(place, "Judge")
      .at(-1)
      ?.body.messages.filter(({ role }) => role === "tool");
    expect(reads).toHaveLength(1);
  });
});

describe("evaluate in the chat", () => {
  it.each([
    { cols: 100, rows: 30 },
    { cols: 60, rows: 20 },
  ])("shows its verdict with reasons, and /goals who worked, at $cols columns", async (size) => {
    const place = await placeOf(
      {
        Judge: [
          asks("read_file", { file_path: "a.txt" }),
          judged("fail", "it says one", { suggestions: ["write two"] }),
        ],
        go: [plans, evaluates(), says("Not yet.")],
      },
      { "a.txt": "one\n" },
    );
    const pty = place.chat(["chat", "go"], size);
    await pty.waitFor("Not yet.");
    expect(pty.screen().join("\n")).toMatch(/g1 fail[\s\S]*a\.txt:1: it says one\s+suggestion: write two/u);
    await say(pty, "/goals");
    await pty.waitFor(/g1 active: a\.txt says two\s+by helpers, the last to evaluate:\s+\S+@evaluate-3-/u);
    pty.key("ctrl-d");
    await pty.exit;
    const again = place.chat(["chat", "--continue"], size);
    await again.waitFor("Plan 0/1");
    await say(again, "/goals");
    await again.waitFor(/by helpers, the last to evaluate:\s+\S+@evaluate-3-/u);
    again.key("ctrl-d");
    await again.exit;
  });
});
