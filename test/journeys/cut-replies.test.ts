import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { endless } from "../support/under-way.ts";

const write = asks("write_file", { file_path: "b.txt", content: "b\n" }, { text: "I write.", chunks: 4 });
const auto = ["--mode", "full-auto"];

const told = (place: Place, request: number) =>
  (place.server.requests.at(request)?.body.messages ?? []).slice(1).map(({ role, content }) => [role, content]);
const notice = (why: string) =>
  expect.stringMatching(
    new RegExp(
      `^\\(This is from the agent.*\\) Your last message is not whole\\. The reply was cut off: .*${why}.*\\. None of its calls was run\\.`,
    ),
  );

describe("a reply that is cut off", () => {
  it.each<[string, Reply, string]>([
    ["by its stream", { ...write, cutAfter: 7 }, "connection"],
    ["by a stream that ends too soon", { ...write, finish: null }, "without a finish reason"],
    ["by its length", { ...write, finish: "length" }, "limit of output tokens"],
  ])(
    "%s is kept as far as it came, none of its calls runs, and the model is told and goes on",
    async (_how, reply, why) => {
      const place = await openPlace([reply, write, says("Done.")]);
      const ran = await place.json(["run", "write b", ...auto]);
      expect(ran).toMatchObject({ code: 0, end: { reason: "done", text: "Done.", calls: { success: 1 } } });
      expect(ran.of("assistant_message").map(({ id, text, calls }) => [id, text, calls])).toEqual([
        ["m1.1", "I write.", []],
        ["m1.2", "I write.", ["c1"]],
        ["m1.3", "Done.", []],
      ]);
      expect(ran.of("notice")).toMatchObject([
        { code: "reply_cut", text: expect.stringContaining("the model goes on") },
      ]);
      expect(told(place, 1)).toEqual([
        ["user", "write b"],
        ["assistant", "I write."],
        ["user", notice(why)],
      ]);
      expect(await place.read("b.txt")).toBe("b\n");
      expect(place.server.requests).toHaveLength(3);
    },
  );

  it("in a call, before a word of text, is told all the same", async () => {
    const place = await openPlace([
      asks("ls", { path: "." }, { cutAfter: 3 }),
      says("", { finish: "length" }),
      says("x"),
    ]);
    expect(await place.json(["run", "look"])).toMatchObject({ code: 1, end: { reason: "failed" } });
    expect(told(place, 1)[1]).toEqual(["assistant", "(cut off before a word of it came)"]);
  });

  it("twice in a turn ends it: 1, kept, and resume goes on", async () => {
    const place = await openPlace([
      says("One and", { finish: "length" }),
      asks("ls", {}),
      says("two and", { finish: "length" }),
      says("three."),
    ]);
    const cut = await place.json(["run", "count"]);
    expect(cut).toMatchObject({
      code: 1,
      end: { reason: "failed", exitCode: 1, resume: `agent resume ${cut.session}` },
    });
    expect(cut.the("error")).toMatchObject({
      code: "REPLY_CUT",
      message: expect.stringContaining("for the second time in this turn"),
      hint: expect.any(String),
    });
    const on = await place.json(["resume", cut.session]);
    expect(on).toMatchObject({ code: 0, end: { text: "three.", calls: { success: 1 } } });
    expect(told(place, -1).map(([role]) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(JSON.stringify(told(place, -1)).match(/two and/g)).toHaveLength(1);
    expect((await place.run(["resume", cut.session])).stdout).toBe("three.\n");
  });

  it("twice leaves the next message of the person to be heard, with all that was said before", async () => {
    const place = await openPlace([says("a", { finish: "length" }), says("b", { finish: "length" }), says("c")]);
    const { session } = await place.json(["run", "one"]);
    expect((await place.json(["resume", session, "shorter, please"])).end).toMatchObject({ reason: "done", text: "c" });
    expect(told(place, -1)).toEqual([
      ["user", "one"],
      ["assistant", "a"],
      ["user", notice("length")],
      ["assistant", "b"],
      ["user", notice("length")],
      ["user", "shorter, please"],
    ]);
  });

  it("counts as a step, and one more turn may be cut once again", async () => {
    const place = await openPlace([says("a", { finish: "length" }), says("b", { finish: "length" }), says("c")]);
    const out = await place.json(["run", "one", "--max-steps", "1"]);
    expect(out).toMatchObject({ code: 53, end: { reason: "max_steps" } });
    const on = await place.json(["resume", out.session, "two"]);
    expect(on).toMatchObject({ code: 0, end: { reason: "done", text: "c" } });
  });

  it("is there once after kill -9, and is not asked for again", async () => {
    const place = await openPlace([{ ...write, cutAfter: 7 }, endless, says("Here again.")]);
    const running = place.spawn(["run", "write b", "--json", ...auto]);
    await running.shows('"id":"m1.2"');
    running.child.kill("SIGKILL");
    await running.done;
    const { session } = JSON.parse(running.stdout().split("\n")[0] ?? "") as { session: string };
    const on = await place.json(["resume", session, ...auto]);
    expect(on).toMatchObject({ code: 0, end: { text: "Here again.", calls: { success: 0 } } });
    expect(told(place, -1)).toEqual([
      ["user", "write b"],
      ["assistant", "I write."],
      ["user", notice("connection")],
    ]);
    expect(place.has("b.txt")).toBe(false);
    const shown = (await place.run(["sessions", "show", session])).stdout;
    expect(shown.match(/I write\./g)).toHaveLength(1);
  });

  it("is played again by an export", async () => {
    const place = await openPlace([says("half", { finish: "length" }), says("whole.")]);
    const { session } = await place.json(["run", "say"]);
    const script = (await place.run(["sessions", "export", session])).stdout;
    await place.write("again.ndjson", script);
    const again = await place.json(["run", "say", "-m", "script:again.ndjson"]);
    expect(again.of("assistant_message").map(({ text }) => text)).toEqual(["half", "whole."]);
  });
});

it("a server that asks to be left alone for hours is not waited for: told, 1, resumable", async () => {
  const limit = { status: 429, headers: { "retry-after": "7200" }, body: { error: { message: "slow down" } } };
  const place = await openPlace([limit, says("Now.")]);
  const ran = await place.json(["run", "hi"]);
  expect(ran).toMatchObject({ code: 1, end: { reason: "failed", resume: `agent resume ${ran.session}` } });
  expect(ran.the("error")).toMatchObject({ code: "MODEL_UNAVAILABLE", message: expect.stringContaining("for 2 h") });
  expect(ran.of("notice")).toEqual([]);
  expect((await place.json(["resume", ran.session])).end.text).toBe("Now.");
});
