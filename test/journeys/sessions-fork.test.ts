import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const edit = (from: string, to: string) => ({ file_path: "a.txt", old_string: from, new_string: to });
const reads = asks("read_file", { file_path: "a.txt" });

type Place = Awaited<ReturnType<typeof openPlace>>;

/** What the model was sent by its newest request, without the system prompt. */
const heard = ({ server }: Place) =>
  server.requests
    .at(-1)
    ?.body.messages.slice(1)
    .map(({ role, content }) => [role, content]);

async function fork(place: Place, id: string, ...flags: string[]): Promise<string> {
  const ran = await place.run(["sessions", "fork", id, ...flags]);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stderr).toContain(`agent resume ${ran.stdout.trim()}`);
  return ran.stdout.trim();
}

describe("agent sessions fork", () => {
  it("--at begins a new session at a call; the model goes on from there, and the old one stays as it is", async () => {
    const place = await openPlace(
      [reads, asks("edit_file", edit("one", "two")), says("Edited."), says("Another end.")],
      {
        "a.txt": "one\n",
      },
    );
    const { session } = await place.json(["run", "edit it", "--mode", "accept-edits"]);
    const before = await place.run(["sessions", "show", session, "--json"]);

    const id = await fork(place, session, "--at", "c1");
    const resumed = await place.json(["resume", id]);
    expect(resumed).toMatchObject({ code: 0, session: id, end: { reason: "done", text: "Another end." } });
    expect(heard(place)).toEqual([
      ["user", "edit it"],
      ["assistant", ""],
      ["tool", expect.stringContaining("one")],
    ]);
    expect((await place.run(["sessions", "show", session, "--json"])).stdout).toBe(before.stdout);
    expect((await place.run(["sessions", "show", id])).stdout).toContain(`forked from ${session} at c1`);
    expect(await place.read("a.txt")).toBe("two\n");
  });

  it("without --at takes the whole conversation, and both go on, each with its own words", async () => {
    const place = await openPlace([reads, says("Read."), says("Old."), says("New."), says("Old again.")], {
      "a.txt": "one\n",
    });
    const { session } = await place.json(["run", "read it"]);
    const id = await fork(place, session);
    const begun = [
      ["user", "read it"],
      ["assistant", ""],
      ["tool", expect.stringContaining("one")],
      ["assistant", "Read."],
    ];

    await place.json(["resume", session, "old way"]);
    expect(heard(place)).toEqual([...begun, ["user", "old way"]]);
    await place.json(["resume", id, "new way"]);
    expect(heard(place)).toEqual([...begun, ["user", "new way"]]);
    await place.json(["resume", session, "old way again"]);
    expect(heard(place)).toEqual([...begun, ["user", "old way"], ["assistant", "Old."], ["user", "old way again"]]);
  });

  it("leaves a waiting call to the old session, which still asks about it", async () => {
    const place = await openPlace(
      [reads, asks("edit_file", edit("one", "two")), says("Edited."), says("Asked anew.")],
      {
        "a.txt": "one\n",
      },
    );
    const paused = await place.json(["run", "edit it"]);
    const id = await fork(place, paused.session);
    expect((await place.run(["sessions", "show", id, "--calls"])).stdout).not.toContain("c2");

    const approved = await place.json(["resume", paused.session, "--approve", "all"]);
    expect(approved).toMatchObject({ code: 0, end: { text: "Edited." } });
    expect(await place.read("a.txt")).toBe("two\n");
    expect(await place.json(["resume", id])).toMatchObject({ code: 0, end: { text: "Asked anew." } });
    expect(heard(place)).toHaveLength(3);
  });

  it("--at a waiting call carries its step over, where the call was not run and the model is told so", async () => {
    const place = await openPlace(
      [
        asks("edit_file", edit("one", "two"), { calls: [{ name: "read_file", arguments: { file_path: "a.txt" } }] }),
        says("Well."),
        says("As you like."),
      ],
      { "a.txt": "one\n" },
    );
    const { session } = await place.json(["run", "edit it"]);
    const id = await fork(place, session, "--at", "c1");
    expect(await place.json(["resume", id])).toMatchObject({ code: 10, end: { calls: { cancelled: 2 } } });
    expect(
      heard(place)
        ?.slice(-2)
        .map(([, content]) => content),
    ).toEqual(["Not run: the session was forked before it ran", "Not run: the session was forked before it ran"]);
    expect(await place.read("a.txt")).toBe("one\n");
    expect((await place.json(["resume", session, "--deny", "all"])).of("decision")).toHaveLength(1);
    expect((await place.run(["sessions", "verify"])).code).toBe(0);
  });

  it("can be forked again, and outlives the session it came from", async () => {
    const place = await openPlace([reads, asks("edit_file", edit("one", "two")), says("Edited."), says("On.")], {
      "a.txt": "one\n",
    });
    const { session } = await place.json(["run", "edit it", "--mode", "accept-edits"]);
    const second = await fork(place, await fork(place, session), "--at", "c2");
    expect((await place.run(["sessions", "rm", session])).code).toBe(0);
    expect(await place.json(["resume", second, "go on"])).toMatchObject({ code: 0, end: { text: "On." } });
    expect(heard(place)).toHaveLength(6);
    expect((await place.run(["sessions", "verify", "--json"])).stdout.trimEnd().split("\n")).toHaveLength(3);
  });

  it("can take back what its origin changed before it", async () => {
    const place = await openPlace([reads, asks("edit_file", edit("one", "two")), says("Edited.")], {
      "a.txt": "one\n",
    });
    const { session } = await place.json(["run", "edit it", "--mode", "accept-edits"]);
    const id = await fork(place, session);
    expect((await place.json(["undo", id])).code).toBe(11);
    const cut = await fork(place, id, "--at", "c3");
    expect((await place.json(["resume", id, "--approve", "all"])).code).toBe(0);
    expect(await place.read("a.txt")).toBe("one\n");
    // The command was not carried out in the fork of the fork, and there is nothing to go on with.
    expect(await place.json(["resume", cut])).toMatchObject({ end: { reason: "done" } });
    expect((await place.run(["sessions", "show", cut])).stdout).toContain("the session was forked before it ran");
    expect(place.server.requests).toHaveLength(3);
  });

  it("of a call or a session that is not there, or of one in which nothing is settled, is refused", async () => {
    const place = await openPlace([asks("edit_file", edit("one", "two"))], { "a.txt": "one\n" });
    const { session } = await place.json(["run", "edit it"]);
    expect(await place.run(["sessions", "fork", session])).toMatchObject({ code: 2, stdout: "" });
    const unknown = await place.run(["sessions", "fork", session, "--at", "c9"]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain('no call "c9"');
    expect((await place.run(["sessions", "fork", "no-such"])).code).toBe(2);
    expect((await place.run(["sessions", "--json"])).stdout.trimEnd().split("\n")).toHaveLength(1);
  });

  it("--json names what it made", async () => {
    const place = await openPlace([reads, says("Read.")], { "a.txt": "one\n" });
    const { session } = await place.json(["run", "read it"]);
    const { stdout } = await place.run(["sessions", "fork", session, "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      id: expect.stringMatching(/^\w+-\w+-[0-9a-f]{4}$/),
      turns: 1,
      steps: 2,
      calls: 1,
      at: "c1",
      goesOn: false,
      from: session,
      workspace: place.workspace,
      model: "openai:test-model",
    });
  });
});
