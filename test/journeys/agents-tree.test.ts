import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import { answersIn } from "../support/talks.ts";

async function treeOf(): Promise<{ place: Place; id: string }> {
  const read = (file: string): Reply => asks("read_file", { file_path: file });
  const edit = (file: string, old: string, by: string): Reply =>
    asks("edit_file", { file_path: file, old_string: old, new_string: by });
  const talks: Readonly<Record<string, readonly Reply[]>> = {
    go: [
      asks("agent", { task: "mend a" }),
      asks("agent", { task: ["look at b", "look at the key"] }),
      says("All done."),
    ],
    "mend a": [edit("a.txt", "one", "two"), says("It is two now.")],
    "look at b": [read("b.txt"), says("b says b")],
    "look at the key": [read(".env"), says("It has a key.")],
    "and now?": [says("Nothing more.")],
  };
  const answer: Answer = ({ body }) => {
    const users = body.messages.filter(({ role }) => role === "user").map(({ content }) => String(content));
    const said = users.findLast((text) => text in talks) ?? "";
    const since = body.messages.findLastIndex(({ content }) => content === said);
    const spoken = body.messages.slice(since).filter(({ role }) => role === "assistant").length;
    return talks[said]?.[spoken] ?? says("I have nothing more to say.");
  };
  const place = await openPlace(
    Array.from({ length: 24 }, () => answer),
    { "a.txt": "one\n", "b.txt": "b\n", ".env": "KEY=1\n" },
  );
  const ran = await place.json(["run", "go", "--mode", "accept-edits"]);
  expect(ran.code).toBe(11);
  return { place, id: ran.session };
}

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

interface Helper {
  session: string;
}

const helpersIn = (stdout: string): Helper[] =>
  (lines(stdout).find(({ role }) => role === "helpers")?.["helpers"] ?? []) as Helper[];

describe("a session with three helpers, of which one waits", () => {
  it("stands in the list in one row, with how many they are", async () => {
    const { place, id } = await treeOf();
    const listed = await place.run(["sessions"]);
    expect(listed.stdout.match(/\n/gu)).toHaveLength(1);
    expect(listed.stdout).toMatch(new RegExp(`^${id} .* awaiting_approval  \\+3 helpers  go\n$`, "u"));
    const [row] = lines((await place.run(["sessions", "--json"])).stdout);
    expect(row).toMatchObject({ id, helpers: 3, filesChanged: 1 });
    expect(row?.["waitsFor"]).toMatchObject([{ agent: "explorer 2", summary: "read .env" }]);
    const shown = place.prints(["sessions"], { cols: 100, rows: 20 });
    await shown.waitFor(/waits for you: read \.env +1 file +\+3 helpers/u);
  });

  it("is shown with each of them: how it stands, what it took, for what it waits", async () => {
    const { place, id } = await treeOf();
    const helpers = helpersIn((await place.run(["sessions", "show", id, "--json"])).stdout);
    const took = { inputTokens: 22, outputTokens: 14, steps: 2, filesChanged: 0 };
    expect(helpers).toEqual([
      expect.objectContaining({
        ...took,
        agent: "helper",
        call: "c1",
        state: "ended",
        status: "done",
        filesChanged: 1,
      }),
      expect.objectContaining({ ...took, agent: "explorer 1", call: "c2", task: "look at b", state: "ended" }),
      expect.objectContaining({ agent: "explorer 2", state: "waiting", steps: 1, waitsFor: [expect.anything()] }),
    ]);
    const { stdout } = await place.run(["sessions", "show", id]);
    expect(stdout).toContain("\n3 helpers, 1 waits for you:\n");
    expect(stdout).toContain("-001  helper: done, 2 steps, 22 tokens in, 14 out, 1 file changed\n");
    expect(stdout).toContain("-002  explorer 2: waits for you: read .env, 1 step, 11 tokens in, 7 out\n");
    for (const { session } of helpers) {
      const own = await place.run(["sessions", "show", session]);
      expect([own.code, own.stdout]).toEqual([0, expect.stringContaining(session)]);
    }
  });

  it("tells in /status what all of them took, and who how much", async () => {
    const { place, id } = await treeOf();
    const pty = place.chat(["resume", id], { cols: 100, rows: 40 });
    await pty.waitFor(/yes/u);
    pty.key("ctrl-c");
    await pty.waitFor("enter alone brings it back");
    pty.type("/status\r");
    await pty.waitFor(/helpers +3 helpers, 1 waits for you: 55 read, 35 written; \/agents shows them/u);
    await pty.waitFor(
      / helper: 36 tokens in 2 steps\n +explorer 1: 36 tokens in 2 steps\n +explorer 2: 18 tokens in 1 step/u,
    );
    await pty.waitFor(/files +1 changed: \/diff shows them/u);
    pty.leave();
    await pty.exit;
  });

  it("is checked, counted, forked and removed with them", async () => {
    const { place, id } = await treeOf();
    const verified = lines((await place.run(["sessions", "verify", id, "--json"])).stdout);
    expect(verified.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    const tools = lines((await place.run(["stats", "--json"])).stdout);
    expect(tools.find(({ tool }) => tool === "agent")).toMatchObject({ calls: 1, success: 1, interrupted: 0 });
    const costs = (await place.run(["stats", "--cost"])).stdout;
    expect(costs).toMatch(/4 sessions +77 +0 +49/u);
    const forked = (await place.run(["sessions", "fork", id])).stdout;
    expect(helpersIn((await place.run(["sessions", "show", forked.split("\n")[0] ?? "", "--json"])).stdout)).toEqual(
      [],
    );
    const [{ session } = { session: "" }] = helpersIn((await place.run(["sessions", "show", id, "--json"])).stdout);
    const alone = await place.run(["sessions", "rm", session]);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("is driven by a call of")]);
    expect((await place.run(["sessions", "rm", id])).stderr).toContain("awaiting_approval: nothing was removed");
    expect((await place.run(["sessions", "rm", id, "--force"])).code).toBe(0);
    expect((await place.run(["sessions", "show", session])).code).toBe(2);
  });

  it("is undone once it has ended, by its turn, and not before", async () => {
    const { place, id } = await treeOf();
    expect((await place.run(["undo", id, "--yes"])).stderr).toContain("call c2 (agent) is not finished");
    expect((await place.run(["resume", id, "--deny", "all"])).code).toBe(10);
    expect((await place.run(["undo", id, "--yes"])).code).toBe(0);
    expect(await place.read("a.txt")).toBe("one\n");
  });
});

it("is exported with what each helper said, and plays again", async () => {
  const talks: Readonly<Record<string, readonly Reply[]>> = {
    go: [asks("agent", { task: ["look at a", "look at b"] }), says("All done.")],
    "look at a": [asks("read_file", { file_path: "a.txt" }), says("a says one")],
    "look at b": [says("b is fine")],
  };
  const answer = answersIn(talks);
  const place = await openPlace(
    Array.from({ length: 6 }, () => answer),
    { "a.txt": "one\n" },
  );
  const ran = await place.json(["run", "go"]);
  const exported = await place.run(["sessions", "export", ran.session]);
  await place.write("talk.ndjson", exported.stdout);
  const again = await place.json(["run", "-m", "script:talk.ndjson", "--answers"]);
  const wordsOf = ({ events }: typeof ran): string[] =>
    events
      .flatMap((one) =>
        one.type === "assistant_message" ? [`${one.session.split("@")[1]?.slice(-3) ?? ""} ${one.text}`] : [],
      )
      .toSorted();
  expect([again.code, wordsOf(again)]).toEqual([0, wordsOf(ran)]);
});
