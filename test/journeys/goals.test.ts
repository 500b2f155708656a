import { describe, expect, it } from "vitest";
import type { Goal } from "../../src/core/goals.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { say } from "../support/scenes.ts";
import { endless } from "../support/under-way.ts";

const goal = (action: string, more: object = {}) => ({ name: "goal", arguments: { action, ...more } });
const plans = asks("goal", goal("add", { text: "read the parser" }).arguments, {
  calls: [
    goal("add", { text: "mend it" }),
    goal("add", { text: "its tests", parent: "g2" }),
    goal("start", { id: "g1" }),
  ],
});

async function goalsIn(place: Place, id: string): Promise<readonly Goal[]> {
  const { stdout } = await place.run(["sessions", "show", id, "--json"]);
  const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "{}") as { role?: string; goals?: readonly Goal[] };
  return last.role === "goals" ? (last.goals ?? []) : [];
}

const planned = [
  { id: "g1", text: "read the parser", state: "active" },
  { id: "g2", text: "mend it", state: "pending" },
  { id: "g3", text: "its tests", state: "pending", parent: "g2" },
];

describe("a plan", () => {
  it("is made in read-only mode by calls that ask nothing, and shown with its session", async () => {
    const place = await openPlace([plans, says("Planned.")]);
    const ran = await place.json(["run", "plan it", "--mode", "read-only"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 4 } } });
    expect(ran.of("approval_requested")).toEqual([]);
    const ends = ran.of("tool_call").flatMap(({ call }) => ("result" in call ? [call.result] : []));
    expect(ends[2]).toMatchObject({
      output: "g3 is added as part of g2. 0 of 3 done, open: g1, g2, g3.",
      metadata: { goal: "g3", state: "pending" },
    });
    expect(await goalsIn(place, ran.session)).toEqual(planned);
    const { stdout } = await place.run(["sessions", "show", ran.session]);
    expect(stdout).toContain(
      "plan, 0 of 3 done:\n  g1 active: read the parser\n  g2 pending: mend it\n    g3 pending: its tests\n",
    );
  });

  it("goes on after kill -9 in the middle of its calls: each goal is there once, and the model is told", async () => {
    let isKilled = false;
    const place = await openPlace([plans, ...Array(4).fill(() => (isKilled ? says("On it.") : endless))]);
    const running = place.spawn(["run", "plan it", "--json"]);
    await running.shows('"goal":"g1"');
    running.child.kill("SIGKILL");
    isKilled = true;
    const { stdout } = await running.done;
    const { session } = JSON.parse(stdout.split("\n")[0] ?? "") as { session: string };
    const on = await place.json(["resume", session]);
    expect(on.code).toBe(0);
    expect(await goalsIn(place, session)).toEqual(planned);
    await place.json(["resume", session, "go on"]);
    expect(place.server.requests.at(-1)?.body.messages.map(({ content }) => content)).toContainEqual(
      "(This is from the agent, not from the person.) Plan of this session, 0 of 3 done:\ng1 active: read the parser\ng2 pending: mend it\n  g3 pending: its tests",
    );
  });

  it("comes along with a fork, where it goes on alone", async () => {
    const more = asks("goal", goal("done", { id: "g1", summary: "clear" }).arguments);
    const place = await openPlace([plans, says("Planned."), more, says("Read.")]);
    const { session } = await place.json(["run", "plan it"]);
    const fork = (await place.run(["sessions", "fork", session])).stdout.trim();
    await place.json(["resume", fork, "go on"]);
    expect((await goalsIn(place, fork))[0]).toMatchObject({ id: "g1", state: "done", summary: "clear" });
    expect(await goalsIn(place, session)).toEqual(planned);
  });

  it("is denied where a rule says so, in its own words", async () => {
    const place = await openPlace([plans, says("None, then.")]);
    await place.write(
      "../home/policy.json",
      JSON.stringify({ rules: [{ tool: "goal", decision: "deny", why: "no plans here" }] }),
    );
    const ran = await place.json(["run", "plan it"]);
    expect(ran).toMatchObject({ code: 10 });
    expect(await goalsIn(place, ran.session)).toEqual([]);
  });
});

const on = asks("goal", goal("done", { summary: "clear" }).arguments, { calls: [goal("start", { id: "g3" })] });

describe("a plan in the chat", () => {
  it("stands in one row above the input, folded by ctrl+t; /goals has all of it, after a resume too", async () => {
    const place = await openPlace([plans, says("Planned."), on, says("Read.")]);
    const pty = place.chat(["chat", "plan it"]);
    await pty.waitFor(/Plan 0\/3 ▸□□ {2}read the parser/);
    await pty.waitFor("Planned.");
    await say(pty, "go on");
    await pty.waitFor(/Plan 1\/3 ✔□▸ {2}its tests/);
    await pty.waitFor("Read.");
    pty.key("ctrl-t");
    await pty.waitFor("the plan is folded");
    expect(pty.screen().join("\n")).not.toContain("Plan 1/3");
    pty.key("ctrl-t");
    await pty.waitFor(/Plan 1\/3 ✔□▸/);
    await say(pty, "/goals");
    await pty.waitFor(
      /plan, 1 of 3 done:\s+g1 done: read the parser → clear\s+g2 pending: mend it\s+g3 active: its tests/,
    );
    pty.key("ctrl-d");
    await pty.exit;
    const again = place.chat(["chat", "--continue"]);
    await again.waitFor(/Plan 1\/3 ✔□▸ {2}its tests/);
  });

  it("is printed by /goals where lines are all there is", async () => {
    const place = await openPlace([plans, says("Planned.")]);
    const pty = place.chat(["chat", "plan it"], undefined, { HOLDFAST_SCREEN_READER: "1" });
    await pty.waitFor("Planned.");
    await say(pty, "/goals");
    await pty.waitFor(/plan, 0 of 3 done:\s+g1 active: read the parser\s+g2 pending: mend it\s+g3 pending: its tests/);
  });
});
