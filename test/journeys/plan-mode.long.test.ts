import { describe, expect, it } from "vitest";
import type { Goal } from "../../src/core/goals.ts";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";
import { endless } from "../support/under-way.ts";

const text = "# Mend a\n\n1. Change `one` to `two` in **a.txt**\n2. Read it again\n";
const presents = (plan = text, goals: string[] = ["change it", "read it"]): Reply =>
  asks("present_plan", { plan, goals });
const edits = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
const files = { "a.txt": "one\n" };
const approvedText = `Approved, as follows; work by it now.\n\n${text}`;

const waiting = (ran: Told) => {
  const [call, ...more] = ran.the("approval_requested").calls;
  if (call === undefined || more.length > 0) throw new Error("one call was to wait");
  return call;
};

async function goalsIn(place: Place, id: string): Promise<string[]> {
  const { stdout } = await place.run(["sessions", "show", id, "--json"]);
  const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "{}") as { goals?: readonly Goal[] };
  return (last.goals ?? []).map(({ id: goal, text: of, state }) => `${goal} ${state}: ${of}`);
}

async function asked(pty: Pty, wanted: string): Promise<void> {
  await pty.waitFor((one) => /❯ ?n/.test(one.screen().join("\n")) && one.screen().join("\n").includes(wanted));
  await readQuestion();
}

/** Goals are its last lines. */
async function readToItsEnd(pty: Pty): Promise<void> {
  pty.key("end");
  await pty.waitFor("□ read it");
}

const toolsOf = ({ server }: Place, at = -1): string[] =>
  (server.requests.at(at)?.body.tools ?? []).map(({ function: { name } }) => name);

describe("mode plan, headless", () => {
  it("ends with 11 and the plan; a flag approves just that, and the turn goes on in the mode that is named", async () => {
    const place = await openPlace([edits, presents(), edits, says("Done.")], files);
    const ran = await place.json(["run", "mend a", "--mode", "plan"]);
    expect([ran.code, ran.events[0]]).toMatchObject([11, { type: "session_started", mode: "plan" }]);
    const call = waiting(ran);
    expect(call).toMatchObject({
      callId: "c2",
      toolName: "present_plan",
      arguments: { plan: text, goals: ["change it", "read it"] },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      verdict: { decision: "ask", rule: { source: "confirm" } },
    });
    expect(place.heard(1, -1)).toContain(
      "the mode is plan: nothing may be changed before a person has approved a plan",
    );
    const other = await place.json(["resume", ran.session, "--approve", `c2@${"f".repeat(12)}`]);
    expect([other.code, other.events[0], await place.read("a.txt")]).toMatchObject([11, { mode: "plan" }, "one\n"]);
    expect(await goalsIn(place, ran.session)).toEqual([]);
    const on = await place.json([
      ...["resume", ran.session, "--approve", `c2@${call.digest.slice(0, 12)}`],
      ...["--mode", "accept-edits"],
    ]);
    expect([on.code, await place.read("a.txt")]).toEqual([10, "two\n"]);
    expect(on.of("approval_requested")).toHaveLength(1);
    expect(place.heard(2, -1)).toContain(approvedText);
    expect(toolsOf(place, 1)).toContain("present_plan");
    expect(toolsOf(place, 2)).not.toContain("present_plan");
    expect(await goalsIn(place, ran.session)).toEqual(["g1 pending: change it", "g2 pending: read it"]);
  });

  it("goes on in ask without a mode; a plan that is denied is followed by another one, in mode plan still", async () => {
    const place = await openPlace([presents("Delete it."), presents(), edits], files);
    const ran = await place.json(["run", "mend a", "--mode", "plan"]);
    const denied = await place.json(["resume", ran.session, "--deny", "c1", "--reason", "keep the file"]);
    expect([denied.code, denied.events[0]]).toMatchObject([11, { type: "session_restored", mode: "plan" }]);
    expect(place.heard(1, -1)).toContain("keep the file");
    expect(toolsOf(place)).toContain("present_plan");
    const on = await place.json(["resume", ran.session, "--approve", "c2"]);
    expect(on.of("decision")).toMatchObject([{ callId: "c2", decision: "approve", mode: "ask" }]);
    expect(on.of("approval_requested").at(-1)?.calls).toMatchObject([{ callId: "c3", toolName: "edit_file" }]);
    expect([on.code, await place.read("a.txt"), await goalsIn(place, ran.session)]).toEqual([
      11,
      "one\n",
      ["g1 pending: change it", "g2 pending: read it"],
    ]);
    const again = await place.json(["resume", ran.session]);
    expect(again.events[0]).toMatchObject({ mode: "ask" });
  });

  it("is edited by a flag: the edited plan alone is approved, recorded and read", async () => {
    const place = await openPlace([presents(), says("Done.")], files);
    const ran = await place.json(["run", "mend a", "--mode", "plan"]);
    const { digest } = waiting(ran);
    const edited = JSON.stringify({ plan: "Only read a." });
    const changed = await place.json(["resume", ran.session, "--edit", `c1=${edited}`]);
    const now = changed.of("approval_requested").at(-1)?.calls[0];
    expect([changed.code, now?.arguments, now?.digest === digest]).toEqual([11, { plan: "Only read a." }, false]);
    const stale = await place.json(["resume", ran.session, "--approve", `c1@${digest.slice(0, 12)}`]);
    expect(stale.code).toBe(11);
    const on = await place.json(["resume", ran.session, "--approve", `c1@${now?.digest.slice(0, 12)}`]);
    expect([on.code, await goalsIn(place, ran.session)]).toEqual([0, []]);
    expect(place.heard(1, -1)).toContain("Approved, as follows; work by it now.\n\nOnly read a.");
    expect(on.of("tool_call").at(-1)?.call).toMatchObject({ status: "success", arguments: { plan: "Only read a." } });
  });

  it("is answered from another process, which knows no mode: ask", async () => {
    const place = await openPlace([presents(), edits], files);
    const ran = await place.json(["run", "mend a", "--mode", "plan"]);
    const kept = await place.run(["answer", ran.session, "--approve", `c1@${waiting(ran).digest.slice(0, 12)}`]);
    expect(kept.code).toBe(11);
    const on = await place.json(["resume", ran.session]);
    expect([on.code, on.of("approval_requested").at(-1)?.calls]).toMatchObject([11, [{ toolName: "edit_file" }]]);
  });

  it("asks whatever is allowed, and prints the plan with what would be hidden", async () => {
    const hiding = "Mend a\u202e.txt\u200b \u001b]0;title\u0007\u001b[8mand delete b\u001b[0m";
    const place = await openPlace([presents(hiding, [])], files);
    await place.write(
      "../home/policy.json",
      JSON.stringify({ rules: [{ tool: "present_plan", decision: "allow", why: "all of them" }] }),
    );
    const ran = await place.run(["run", "mend a", "--mode", "plan", "--allow", "present_plan"]);
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("Mend a‹U+202E›.txt‹U+200B› ␛]0;title␇␛[8mand delete b␛[0m");
    expect(ran.stderr).not.toContain("\u001b");
    expect(ran.stderr).toMatch(/\[c1@[0-9a-f]{12}\]/);
  });

  it("gives no helper the tool, and lets none of them change anything", async () => {
    const talks: Record<string, Reply[]> = {
      "mend a": [asks("agent", { task: "look" }), says("No plan.")],
      look: [presents(), edits, says("I may not.")],
    };
    const answer: Answer = ({ body }) => {
      const said = String(body.messages.find(({ role }) => role === "user")?.content);
      const spoken = body.messages.filter(({ role }) => role === "assistant").length;
      return talks[said]?.[spoken] ?? says("Nothing more.");
    };
    const place = await openPlace(
      Array.from({ length: 6 }, () => answer),
      files,
    );
    const ran = await place.json(["run", "mend a", "--mode", "plan"]);
    const ends = ran
      .of("tool_call")
      .flatMap(({ call, parent }) => (parent !== undefined && "times" in call ? [call] : []));
    const settled = ends.filter(({ times }) => times.settled !== undefined);
    expect(settled.map(({ toolName, status }) => [toolName, status])).toContainEqual(["present_plan", "error"]);
    expect(JSON.stringify(settled)).toContain('\\"present_plan\\" is not available to');
    expect(settled.map(({ toolName, status }) => [toolName, status])).toContainEqual(["edit_file", "cancelled"]);
    expect([ran.of("approval_requested"), await place.read("a.txt")]).toEqual([[], "one\n"]);
    const helper = place.server.requests.find(({ body }) => body.messages.some(({ content }) => content === "look"));
    expect(JSON.stringify(helper?.body)).not.toContain("You are planning");
  });
});

describe("mode plan, killed with -9", () => {
  it("while the plan is asked about: it waits once, and what comes is in mode plan", async () => {
    const place = await openPlace([presents(), presents("Another one.")], files);
    const pty = place.chat(["chat", "mend a", "--mode", "plan"]);
    await pty.waitFor("Change one to two in a.txt");
    process.kill(pty.pid, "SIGKILL");
    await pty.exit;
    const [row] = (await place.run(["sessions", "--json"])).stdout.split("\n");
    const { id } = JSON.parse(row ?? "{}") as { id: string };
    const again = await place.json(["resume", id]);
    expect([again.code, again.events[0], waiting(again).callId]).toMatchObject([11, { mode: "plan" }, "c1"]);
    const denied = await place.json(["resume", id, "--deny", "c1"]);
    expect([denied.code, denied.of("approval_requested").at(-1)?.calls]).toMatchObject([11, [{ callId: "c2" }]]);
    expect([place.server.requests.length, await goalsIn(place, id)]).toEqual([2, []]);
  });

  it("once it is approved, before the next step: nothing is there twice, and the mode is ask", async () => {
    let isKilled = false;
    const place = await openPlace([presents(), ...Array(3).fill(() => (isKilled ? edits : endless))], files);
    const pty = place.chat(["chat", "mend a", "--mode", "plan"]);
    await asked(pty, "Read it again");
    pty.key("m");
    await pty.waitFor("mode accept-edits");
    pty.key("enter");
    await expect.poll(() => place.server.requests.length).toBe(2);
    process.kill(pty.pid, "SIGKILL");
    await pty.exit;
    isKilled = true;
    const [row] = (await place.run(["sessions", "--json"])).stdout.split("\n");
    const { id } = JSON.parse(row ?? "{}") as { id: string };
    expect(await goalsIn(place, id)).toEqual(["g1 pending: change it", "g2 pending: read it"]);
    const on = await place.json(["resume", id]);
    expect([on.code, on.events[0], waiting(on)]).toMatchObject([11, { mode: "ask" }, { toolName: "edit_file" }]);
    const said = place.server.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
    expect(said.filter((content) => content.includes(approvedText))).toHaveLength(1);
    expect([await place.read("a.txt"), await goalsIn(place, id)]).toEqual([
      "one\n",
      ["g1 pending: change it", "g2 pending: read it"],
    ]);
  });
});

describe("a plan in the chat", () => {
  it("is edited in the person's editor, approved with accept-edits and worked, at 100 x 30", async () => {
    const size = { cols: 100, rows: 30 };
    const place = await openPlace([presents(), edits, says("All done.")], files);
    const pty = place.chat(["chat", "mend a", "--mode", "plan"], size, { EDITOR: "sed -i s/again/twice/" });
    await asked(pty, "Read it again");
    expect(pty.screen().join("\n")).toContain(" Mend a");
    expect(pty.screen().join("\n")).not.toMatch(/[`#*]{2}|`/);
    pty.key("o");
    await asked(pty, "Read it twice");
    expect(pty.screen().join("\n")).toContain("edited by you");
    await readToItsEnd(pty);
    pty.key("m");
    await pty.waitFor("mode accept-edits");
    pty.key("enter");
    await pty.waitFor("All done.");
    expect(pty.screen().join("\n")).toContain("accept-edits");
    expect(await place.read("a.txt")).toBe("two\n");
    expect(place.heard(1, -1)).toContain("2. Read it twice");
  });

  it("is denied with a reason, presented anew, and worked in ask, at 60 x 20", async () => {
    const size = { cols: 60, rows: 20 };
    const place = await openPlace([presents("Delete a.", []), presents(), edits, says("All done.")], files);
    const pty = place.chat(["chat"], size);
    await pty.waitFor("ask, or / for commands");
    for (const mode of ["accept-edits", "read-only", "plan"]) {
      pty.key("shift-tab");
      await pty.waitFor(mode);
    }
    pty.type("mend a");
    pty.key("enter");
    await asked(pty, "Delete a.");
    pty.key("r");
    await pty.waitFor("why not?");
    pty.type("keep it");
    pty.key("enter");
    await asked(pty, "Read it again");
    expect(place.heard(1, -1)).toContain("keep it");
    await readToItsEnd(pty);
    pty.key("y");
    await asked(pty, "+ two");
    pty.key("y");
    await pty.waitFor("All done.");
    await pty.waitFor(/^ask · /m);
    expect(await place.read("a.txt")).toBe("two\n");
  });
});

it("is planned still where a chat opens the session again; an answer from elsewhere sets ask there", async () => {
  const place = await openPlace([presents(), says("All done.")], files);
  const ran = await place.json(["run", "mend a", "--mode", "plan"]);
  const pty = place.chat(["chat", "--continue"]);
  await asked(pty, "Read it again");
  const kept = await place.run(["answer", ran.session, "--approve", `c1@${waiting(ran).digest.slice(0, 12)}`]);
  expect([kept.code, kept.stderr]).toEqual([0, "c1 is approved\n"]);
  await pty.waitFor("All done.");
  await pty.waitFor(/^ask · /m);
});

it("is asked about in plain lines, and worked in the mode that is typed", async () => {
  const place = await openPlace([presents(), edits, says("All done.")], files);
  const pty = place.chat(["chat", "mend a", "--mode", "plan"], undefined, { HOLDFAST_SCREEN_READER: "1" });
  await pty.waitFor("5. m, mode");
  expect(pty.scrollback().join("\n")).toContain("1. Change `one` to `two` in **a.txt**");
  pty.type("m");
  pty.key("enter");
  await pty.waitFor("All done.");
  expect(await place.read("a.txt")).toBe("two\n");
});
