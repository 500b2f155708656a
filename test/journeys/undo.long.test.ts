import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";

const edit = (from: string, to: string, file = "a.txt") =>
  asks("edit_file", { file_path: file, old_string: from, new_string: to });

/** A session that has changed two files in one turn. @returns its id. */
async function changed(place: Place): Promise<string> {
  const paused = await place.json(["run", "change them"]);
  const done = await place.json(["resume", paused.session, "--approve", "all"]);
  expect(done.code).toBe(0);
  return paused.session;
}

/** An undo needs no model, so it needs no key. */
const keyless = { env: { OPENAI_API_KEY: "", OPENAI_BASE_URL: undefined } };

const openChanged = async () => {
  const both = {
    ...edit("one", "1"),
    calls: [
      ...(edit("one", "1").calls ?? []),
      { name: "write_file", arguments: { file_path: "new.txt", content: "new\n" } },
    ],
  };
  const place = await openPlace([both, says("Changed.")], { "a.txt": "one\r\ntwo" });
  return { place, id: await changed(place) };
};

/** A session with three changes, of which the first cannot be taken back any more. */
const openStale = async () => {
  const both = {
    ...edit("one", "1"),
    calls: [...(edit("one", "1").calls ?? []), ...(edit("nine", "9").calls ?? [])],
  };
  const made = asks("write_file", { file_path: "new.txt", content: "new\n" });
  const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
  const place = await openPlace([both, made, says("Changed.")], { "a.txt": text });
  const { session: id } = await place.json(["run", "change them", "--allow", "edit_file", "--allow", "write_file"]);
  const mended = text.replace("one", "uno").replace("nine", "9");
  await place.write("a.txt", mended);
  return { place, id, text, mended };
};

describe("agent undo", () => {
  it("stops with the plan without a person, and is finished by resume, without asking the model", async () => {
    const { place, id } = await openChanged();
    await chmod(place.path("a.txt"), 0o640);
    const paused = await place.json(["undo", id], keyless);
    expect(paused.code).toBe(11);
    expect(paused.the("user_message").text).toBe(
      "(undo) Take back calls c1: edit a.txt (+1 -1); c2: write new.txt (+1 -0)",
    );
    const [call] = paused.the("approval_requested").calls;
    expect(call).toMatchObject({
      callId: "c3",
      toolName: "undo_changes",
      plan: { summary: expect.stringContaining("2 files") },
    });
    expect(await place.read("a.txt")).toBe("1\r\ntwo");

    const other = await place.run(["undo", id, "c1"], keyless);
    expect(other.code).toBe(1);
    expect(other.stderr).toContain("call c3 (undo_changes) waits for your answer: settle it first with agent resume ");

    const done = await place.json(["resume", id, "--approve", "all"], keyless);
    expect(done.code).toBe(0);
    expect(await place.read("a.txt")).toBe("one\r\ntwo");
    expect((await stat(place.path("a.txt"))).mode & 0o777).toBe(0o640);
    expect(place.has("new.txt")).toBe(false);
    expect(place.server.requests).toHaveLength(2);

    place.server.push(says("I know."));
    expect((await place.run(["resume", id, "what now?"])).stdout).toBe("I know.\n");
    const told = place.server.requests.at(-1)?.body.messages ?? [];
    expect(told.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    expect(place.heard(-1, 6)).toContain("(undo) Take back calls c1");
    expect(place.heard(-1, 8)).toContain("new.txt is removed: call c2 had made it");
  });

  it("goes on by itself with --yes, printing what it did; twice goes no further than there is", async () => {
    const { place, id } = await openChanged();
    const done = await place.run(["undo", id, "c1", "--yes"]);
    expect(done.code).toBe(0);
    expect(done.stderr).toContain("-1\n+one");
    expect(done.stderr).toContain("✔ took back call c1: a.txt (+1 -1)");
    expect(await place.read("a.txt")).toBe("one\r\ntwo");
    expect(place.has("new.txt")).toBe(true);
    expect((await place.run(["undo", "--yes"])).code).toBe(0);
    expect(place.has("new.txt")).toBe(false);
    const none = await place.json(["undo", id, "--yes"]);
    expect(none.code).toBe(1);
    expect(none.end).toMatchObject({ reason: "failed", exitCode: 1 });
    expect(none.stderr).toContain(
      "this session has changed no file and no artifact, or all of it was already taken back",
    );
  });

  it("goes on with the undo that waits, however often it is asked for, and only then further back", async () => {
    const { place, id } = await openChanged();
    const paused = await place.json(["undo", id, "c2"], keyless);
    const again = await place.json(["undo", id], keyless);
    expect(again.code).toBe(11);
    expect(again.the("approval_requested").calls).toEqual(paused.the("approval_requested").calls);
    expect(await place.json(["undo", id, "--yes"], keyless)).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    expect([await place.read("a.txt"), place.has("new.txt")]).toEqual(["1\r\ntwo", false]);
    expect((await place.json(["undo", id, "--yes"], keyless)).code).toBe(0);
    expect(await place.read("a.txt")).toBe("one\r\ntwo");
    expect((await place.run(["sessions", "show", id])).stdout.match(/\(undo\) Take back/g)).toHaveLength(2);
  });

  it("is denied without a key too; what the model is to answer then fails with 41, saved", async () => {
    const { place, id } = await openChanged();
    expect((await place.run(["undo", id], keyless)).code).toBe(11);
    const denied = await place.json(["resume", id, "--deny", "all", "go on"], keyless);
    expect(denied).toMatchObject({ code: 41, end: { reason: "failed", exitCode: 41, resume: `agent resume ${id}` } });
    expect(denied.the("decision")).toMatchObject({ decision: "deny", callId: "c3" });
    expect(denied.the("error")).toMatchObject({ code: "CREDENTIALS" });
    expect(place.server.requests).toHaveLength(2);
    place.server.push(says("On it."));
    expect(await place.json(["resume", id])).toMatchObject({ code: 0, end: { text: "On it." } });
    expect(place.heard(-1, -1)).toBe("go on");
  });

  it("ends with 1 where it is refused and with 10 where it is denied, and changes nothing", async () => {
    const { place, id } = await openChanged();
    await place.write("a.txt", "uno\r\ntwo");
    const refused = await place.run(["undo", id, "c1", "--yes"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("the same place has changed since (line 1 now)");
    expect((await place.run(["undo", id, "c2"])).code).toBe(11);
    expect((await place.run(["resume", id, "--deny", "all"])).code).toBe(10);
    expect(await place.read("a.txt")).toBe("uno\r\ntwo");
    expect(place.has("new.txt")).toBe(true);
  });

  it("names the call of a turn that something stands against, and takes back the rest when it is told so", async () => {
    const { place, id, text, mended } = await openStale();
    const refused = await place.run(["undo", id, "--yes"], keyless);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(
      "call c1 cannot be taken back from a.txt: the same place has changed since (line 1 now)",
    );
    expect(refused.stderr).toContain(`agent undo ${id} c2 c3 takes back the rest`);
    expect(await place.read("a.txt")).toBe(mended);
    expect((await place.run(["sessions", "show", id])).stdout).not.toContain("(undo)");

    const pty = place.chat(["undo", id]);
    await pty.waitFor("Take the rest back? [y/N]");
    expect(pty.scrollback().join(" ")).toContain("! call c1 cannot be taken back from a.txt");
    // In the theme, as the chat draws it; no line of it is one of a patch.
    expect(pty.scrollback().filter((row) => /^ *9? ?- ?9 *$/.test(row))).toEqual([
      expect.stringMatching(/^ *9 - 9 *$/),
    ]);
    expect(pty.raw()).toMatch(/\x1b\[31m 9 /);
    pty.type("n\r");
    expect((await pty.exit).code).toBe(10);
    expect(place.has("new.txt")).toBe(true);

    expect((await place.run(["undo", id, "--rest", "--yes"], keyless)).code).toBe(0);
    expect(await place.read("a.txt")).toBe(text.replace("one", "uno"));
    expect(place.has("new.txt")).toBe(false);
    const none = await place.run(["undo", id, "--rest", "--yes"], keyless);
    expect(none.stderr).toContain("the same place has changed since (line 1 now)");
  });

  it("is refused in words where it means nothing", async () => {
    const { place, id } = await openChanged();
    for (const [argv, code, says] of [
      [["undo", "no-such"], 2, "there is no session"],
      [["undo", id, "c99"], 1, "this session has no call c99"],
      [["undo", id, "--turn", "0"], 2, "--turn takes a number"],
      [["undo", id, "--turn", "9"], 1, "this session has no turn 9"],
      [["undo", id, "c1", "--turn", "1"], 2, "not both"],
      [["sessions", "prune", "--days", "-1"], 2, "--days takes a whole number"],
    ] as const) {
      const ran = await place.run(argv);
      expect(ran.code, argv.join(" ")).toBe(code);
      expect(ran.stderr).toContain(says);
    }
  });
});

/** Reads as long as a person does, then decides. */
async function decide(pty: Pty, key: string, shows: string): Promise<void> {
  await readQuestion();
  pty.key(key);
  await pty.waitFor(shows);
}

describe("undo at the screen", () => {
  it("opens the dialog on /undo, and y takes it back", async () => {
    const { place, id } = await openChanged();
    const pty = place.chat(["resume", id]);
    await pty.waitFor("ask, or / for commands");
    const say = async (text: string): Promise<void> => {
      pty.type(text);
      await pty.waitFor((one) => one.screen().join("\n").includes(text));
      pty.key("enter");
    };
    await say("/undo c1");
    await pty.waitFor((one) => /undo_changes a\.txt[\s\S]*❯ n/.test(one.screen().join("\n")));
    await decide(pty, "y", "took back call c1");
    expect(await place.read("a.txt")).toBe("one\r\ntwo");
    await say("/undo c1 c1");
    await pty.waitFor("call c1 was already taken back by call c3");
  });

  it("offers the rest of a turn where something stands against one of its calls", async () => {
    const { place, id, text } = await openStale();
    const pty = place.chat(["resume", id]);
    await pty.waitFor("ask, or / for commands");
    pty.type("/undo");
    pty.key("enter");
    await pty.waitFor((one) => /undo_changes[\s\S]*❯ n/.test(one.screen().join("\n")));
    const said = pty.scrollback().join(" ").replace(/ +/g, " ");
    expect(said).toContain(
      "call c1 cannot be taken back from a.txt: the same place has changed since (line 1 now): it is left out",
    );
    await decide(pty, "y", "took back calls c2, c3");
    expect(await place.read("a.txt")).toBe(text.replace("one", "uno"));
    expect(place.has("new.txt")).toBe(false);
  });

  it("asks on a line for agent undo, and takes no answer for a no", async () => {
    const { place, id } = await openChanged();
    const pty = place.chat(["undo", id]);
    await pty.waitFor("Take this back? [y/N]");
    pty.key("enter");
    expect(await pty.exit).toMatchObject({ code: 10 });
    expect(await place.read("a.txt")).toBe("1\r\ntwo");
    const again = place.chat(["undo", id]);
    await again.waitFor("Take this back? [y/N]");
    again.type("y");
    again.key("enter");
    expect(await again.exit).toMatchObject({ code: 0 });
    expect(await place.read("a.txt")).toBe("one\r\ntwo");
    expect(place.has("new.txt")).toBe(false);
  });
});

describe("what a session changed", () => {
  it("is shown as one diff a file, without what was taken back", async () => {
    const { place, id } = await openChanged();
    const all = await place.run(["sessions", "show", id, "--diff"]);
    expect(all.stdout).toBe(
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n\\ No newline at end of file\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+new\n",
    );
    await place.run(["undo", id, "c1", "--yes"]);
    const left = await place.run(["sessions", "show", id, "--diff", "--json"]);
    expect(
      left.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toEqual([{ path: "new.txt", added: 1, removed: 0, diff: expect.stringContaining("+new") }]);
  });
});

describe("retention", () => {
  it("is what config.json says: shown by doctor, applied by prune, after which an undo is refused", async () => {
    const { place, id } = await openChanged();
    await writeFile(join(place.home, "config.json"), '{ "retentionDays": 0 }');
    expect((await place.run(["doctor"])).stdout).toMatch(/kept for undo +3 file versions, 1 kB; .*more than 0 days/);
    const dry = await place.run(["sessions", "prune", "--days", "1"]);
    expect(dry.stdout).toBe("dropped 0 file versions kept for undo for more than 1 day: 0 kB\n");
    const would = await place.run(["sessions", "prune", "--dry-run", "--json"]);
    expect(JSON.parse(would.stdout)).toMatchObject({ versions: 3, days: 0, dryRun: true });
    expect((await place.run(["sessions", "prune"])).stdout).toContain("dropped 3 file versions");
    const refused = await place.run(["undo", id, "--yes"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("are no longer kept");
    expect(await readFile(place.path("a.txt"), "utf8")).toBe("1\r\ntwo");
    expect((await place.run(["sessions", "show", id, "--diff"])).stdout).toContain("+new");
  });
});
