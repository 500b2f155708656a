import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { amountOf } from "../../src/core/amount.ts";
import { costOf } from "../../src/model/model-entries.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

async function settings(place: Place, config: object): Promise<void> {
  await mkdir(place.home, { recursive: true, mode: 0o700 });
  await writeFile(`${place.home}/config.json`, JSON.stringify(config), { mode: 0o600 });
}

const priced = { models: { "openai:*": { price: { input: 10, cachedInput: 1, output: 100 } } } };
/** 1,000 in, of which 400 cached, and 50 out: 0.006 + 0.0004 + 0.005. */
const usage = { input: 1000, output: 50, cached: 400 };
const each = 0.0114;
const close = (cost: number) => expect.closeTo(cost, 9);

describe("what replies cost", () => {
  it.each([
    [{ inputTokens: 1_000_000, outputTokens: 0 }, 10],
    [{ inputTokens: 0, outputTokens: 1_000_000 }, 100],
    [{ inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 1_000_000 }, 1],
    [{ inputTokens: 10, outputTokens: 0, cachedTokens: 2_000_000 }, 0.00001],
  ])("is reckoned by the million, cached input for itself: %j", (used, cost) => {
    expect(costOf(used, priced.models["openai:*"].price)).toBeCloseTo(cost, 12);
    expect(costOf(used, { input: 10, output: 100 })).toBeGreaterThanOrEqual(cost);
  });

  it("has no digits that only reckoning left behind", () => {
    expect(costOf({ inputTokens: 3, outputTokens: 0 }, { input: 1_100_000, output: 0 })).toBe(3.3);
    expect(amountOf(0.1 + 0.2)).toBe(0.3);
    expect(amountOf(0)).toBe(0);
  });

  it("is told with each reply, with the turn, with the session, and in the list", async () => {
    const place = await openPlace([asks("ls", {}, { usage }), says("One.", { usage }), says("Two.", { usage })]);
    await settings(place, priced);
    const one = await place.json(["run", "look"]);
    expect(one.of("usage")[0]).toMatchObject({
      inputTokens: 1000,
      cachedTokens: 400,
      outputTokens: 50,
      cost: close(each),
    });
    const turn = { inputTokens: 2000, cachedTokens: 800, outputTokens: 100, cost: close(2 * each) };
    expect(one.end).toMatchObject({ usage: turn, sessionUsage: turn });
    const two = await place.json(["resume", one.session, "and?"]);
    const session = { inputTokens: 3000, cachedTokens: 1200, outputTokens: 150, cost: close(3 * each) };
    expect(two.end).toMatchObject({
      usage: { inputTokens: 1000, cachedTokens: 400, outputTokens: 50, cost: close(each) },
      sessionUsage: session,
    });
    expect(JSON.parse((await place.run(["sessions", "--json"])).stdout)).toMatchObject({ usage: session });
  });

  it("is left out where no price is known; the tokens stay", async () => {
    const place = await openPlace([says("One.", { usage: { input: 5, output: 2 } })]);
    const { end } = await place.json(["run", "hi"]);
    expect([end.usage, end.sessionUsage]).toEqual([
      { inputTokens: 5, cachedTokens: 0, outputTokens: 2 },
      { inputTokens: 5, cachedTokens: 0, outputTokens: 2 },
    ]);
  });
});

describe("a limit of cost", () => {
  const looking = [1, 2, 3, 4].map(() => asks("ls", {}, { usage }));

  it("ends the turn with 53 before the next request, and resume has the same to spend again", async () => {
    const place = await openPlace([...looking, says("Done.", { usage })]);
    await settings(place, priced);
    const ran = await place.json(["run", "look", "--max-cost", "0.02"]);
    expect(ran).toMatchObject({ code: 53, end: { reason: "max_cost", exitCode: 53, calls: { success: 2 } } });
    expect(ran.end.resume).toBe(`agent resume ${ran.session}`);
    expect(ran.the("error")).toMatchObject({ code: "MAX_COST" });
    expect(place.server.requests).toHaveLength(2);
    const on = await place.json(["resume", ran.session, "--max-cost", "0.02"]);
    expect(on).toMatchObject({ code: 53, end: { reason: "max_cost" } });
    expect(place.server.requests).toHaveLength(4);
    expect(await place.json(["resume", ran.session])).toMatchObject({ code: 0, end: { text: "Done." } });
  });

  it("may stand in the settings, and the flag wins", async () => {
    const place = await openPlace([...looking]);
    await settings(place, { ...priced, maxCost: 0.001 });
    expect((await place.json(["run", "look"])).code).toBe(53);
    expect(place.server.requests).toHaveLength(1);
    expect((await place.json(["run", "look", "--max-cost", "0.02"])).code).toBe(53);
    expect(place.server.requests).toHaveLength(3);
  });

  it("does not take the last words away: a turn that is done is done", async () => {
    const place = await openPlace([says("Dear.", { usage })]);
    await settings(place, priced);
    expect(await place.json(["run", "hi", "--max-cost", "0.001"])).toMatchObject({ code: 0, end: { text: "Dear." } });
  });

  it("counts a summary of the talk: what it leaves over is not spent on a request", async () => {
    const prose = "a plain word or two. ".repeat(600);
    const talk = (input: number) => says(prose, { usage: { input, output: 3000 } });
    const sum = says("## Goal\nto talk", { usage: { input: 9000, output: 50 } });
    const place = await openPlace([talk(2400), talk(5400), talk(8400), talk(11_400), talk(14_400), sum, says("On.")]);
    await settings(place, { models: { "openai:*": { contextWindow: 20_000, price: { input: 10, output: 10 } } } });
    const { session } = await place.json(["run", "talk"]);
    for (let turn = 2; turn <= 5; turn += 1) await place.json(["resume", session, "go on"]);
    const over = await place.json(["resume", session, "go on", "--max-cost", "0.05"]);
    expect(over).toMatchObject({ code: 53, end: { reason: "max_cost", usage: { cost: close(0.0905) } } });
    expect(over.the("compaction_done")).toMatchObject({ ok: true, usage: { inputTokens: 9000, cost: close(0.0905) } });
    expect(place.server.requests).toHaveLength(6);
    expect((await place.json(["resume", session])).end).toMatchObject({ reason: "done", text: "On." });
  });

  it("ends the turn where the server does not say what a reply took, for it could not be kept", async () => {
    const place = await openPlace([
      {
        events: [
          {
            choices: [
              { index: 0, delta: { tool_calls: [{ index: 0, id: "a", function: { name: "ls", arguments: "{}" } }] } },
            ],
          },
          { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
          "[DONE]",
        ],
      },
      says("never"),
    ]);
    await settings(place, priced);
    const ran = await place.json(["run", "look", "--max-cost", "5"]);
    expect(ran).toMatchObject({ code: 53, end: { reason: "max_cost", calls: { success: 1 } } });
    expect(place.server.requests).toHaveLength(1);
  });

  it("is refused for a model without a price: 2 where it was typed, 52 where it is set", async () => {
    const place = await openPlace();
    const typed = await place.run(["run", "hi", "--max-cost", "1"]);
    expect(typed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--max-cost needs the price of openai:test-model"),
    });
    await settings(place, { maxCost: 1 });
    expect(await place.run(["run", "hi"])).toMatchObject({
      code: 52,
      stderr: expect.stringContaining("maxCost needs the price"),
    });
    for (const wrong of ["0", "-1", "x", "1e3"])
      expect((await place.run(["run", "hi", "--max-cost", wrong])).stderr).toContain(
        "--max-cost takes a number above 0",
      );
    expect(place.server.requests).toEqual([]);
  });

  it("costs a script nothing", async () => {
    const place = await openPlace();
    await place.write(
      "s.ndjson",
      '{"v":1,"kind":"holdfast-script"}\n{"calls":[{"name":"ls","arguments":{}}]}\n{"text":"Free."}\n',
    );
    expect(await place.json(["run", "look", "-m", "script:s.ndjson", "--max-cost", "0.001"])).toMatchObject({
      code: 0,
    });
  });
});

it("what was spent is known after kill -9, once", async () => {
  const place = await openPlace([asks("ls", {}, { usage }), says("", { hangAfter: 1 }), says("Done.", { usage })]);
  await settings(place, priced);
  const running = place.spawn(["run", "look", "--json"]);
  await expect.poll(() => place.server.requests.length).toBe(2);
  running.child.kill("SIGKILL");
  await running.done;
  const { session } = JSON.parse(running.stdout().split("\n")[0] ?? "") as { session: string };
  const on = await place.json(["resume", session]);
  expect(on.end).toMatchObject({ usage: { inputTokens: 2000, cost: close(2 * each) } });
});
