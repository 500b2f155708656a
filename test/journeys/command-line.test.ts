import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place, told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("agent run", () => {
  it("takes the prompt from stdin, whole", async () => {
    const place = await openPlace([says("Read.")]);
    const prompt = `first line\n\n${"x".repeat(100_000)}\nüñí 漢字 🦦\n`;
    expect(await place.run(["run", "-"], { stdin: prompt })).toMatchObject({ code: 0, stdout: "Read.\n" });
    expect(place.heard(0, -1)).toBe(prompt);
  });

  it.each([
    [["run", ""]],
    [["run", "  \n "]],
    [["run", "-"]],
    [["run"]],
    [["run", "a", "b"]],
    [["nothing"]],
    [["run", "hi", "--no-such-flag"]],
    [["run", "hi", "--mode", "yolo"]],
    [["run", "hi", "-C", "/no/such/folder"]],
    [["chat"]],
    [["chat", "hello"]],
  ])("%j is a usage error: 2, nothing sent, nothing stored", async (argv) => {
    const place = await openPlace();
    const ran = await place.run(argv);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).not.toBe("");
    expect(ran.stderr).not.toMatch(/\n {4}at /);
    expect((await place.run(["sessions", "--all", "--json"])).stdout).toBe("");
  });

  it("says problems in JSON too, where it was asked for", async () => {
    const place = await openPlace();
    const ran = await place.run(["run", "", "--json"]);
    expect(ran.code).toBe(2);
    expect(lines(ran.stdout)).toEqual([
      expect.objectContaining({ v: 1, seq: 1, type: "error", message: expect.stringContaining("empty") }),
      expect.objectContaining({ v: 1, seq: 2, type: "turn_ended", reason: "failed", exitCode: 2 }),
    ]);
  });

  it("works in the folder that -C names, seen from anywhere", async () => {
    const place = await openPlace([asks("ls", {}), says("Seen.")], { "deep/a.txt": "1" });
    const ran = await place.json(["run", "look", "-C", "deep"]);
    expect(ran.the("session_started").workspace).toBe(place.path("deep"));
    expect(place.heard(-1, -1)).toContain("a.txt");
  });

  it("goes on with a session by id, by prefix and by --continue; the history is whole", async () => {
    const place = await openPlace([says("One."), says("Two."), says("Three."), says("Four.")]);
    const { session } = await place.json(["run", "first"]);
    expect((await place.json(["run", "second", "--session", session])).session).toBe(session);
    expect((await place.json(["run", "third", "--session", session.slice(0, -2)])).session).toBe(session);
    expect((await place.json(["run", "fourth", "--continue"])).session).toBe(session);
    const told = place.server.requests
      .at(-1)
      ?.body.messages.slice(1)
      .map((message) => message.content);
    expect(told).toEqual(["first", "One.", "second", "Two.", "third", "Three.", "fourth"]);
  });

  it("with a session whose folder is gone says the same as resume, and how to see it", async () => {
    const place = await openPlace([says("One.")], { "deep/a.txt": "1" });
    const { session } = await place.json(["run", "first", "-C", "deep"]);
    await rm(place.path("deep"), { recursive: true });
    const [ran, resumed] = [
      await place.run(["run", "on", "--session", session]),
      await place.run(["resume", session, "on"]),
    ];
    expect(ran).toEqual(resumed);
    expect(ran).toMatchObject({
      code: 74,
      stderr: expect.stringContaining(`the workspace of session ${session} is gone: ${place.path("deep")}`),
    });
  });

  it("says that there is no such session, or more than one", async () => {
    const place = await openPlace(Array.from({ length: 40 }, () => says("Hi.")));
    expect(await place.run(["run", "hi", "--continue"])).toMatchObject({ code: 2 });
    expect(await place.run(["resume"])).toMatchObject({ code: 2 });
    for (const argv of [
      ["resume", "no-such-0000"],
      ["run", "hi", "--session", "no-such-0000"],
      ["sessions", "show", "no-such"],
      ["sessions", "rm", "%"],
      ["resume", ""],
    ]) {
      const ran = await place.run(argv);
      expect([argv, ran.code]).toEqual([argv, 2]);
    }
    const ids: string[] = [];
    const shared = () => ids.find((id, i) => ids.some((other, j) => j !== i && other[0] === id[0]));
    while (shared() === undefined) ids.push((await place.json(["run", "hi"])).session);
    const prefix = shared()?.[0] ?? "";
    const ambiguous = await place.run(["resume", prefix, "hi"]);
    expect(ambiguous.code).toBe(2);
    for (const id of ids.filter((one) => one.startsWith(prefix))) expect(ambiguous.stderr).toContain(id);
  });
});

describe("agent resume", () => {
  it("takes the session's workspace and model wherever it is called, and its mode never", async () => {
    const place = await openPlace([asks("write_file", { file_path: ".env", content: "A=1" }), says("Done.")]);
    const paused = await place.json(["run", "write", "-m", "openai:other-model", "--mode", "full-auto"]);
    expect(paused.code).toBe(11);
    const elsewhere = await place.json(["resume", paused.session, "--approve", "all"], { cwd: place.home });
    expect(elsewhere.the("session_restored")).toMatchObject({
      model: "openai:other-model",
      workspace: place.workspace,
      mode: "ask",
    });
    expect(elsewhere.code).toBe(0);
    expect(await place.read(".env")).toBe("A=1");
    expect(place.server.requests.map((request) => request.body.model)).toEqual(["other-model", "other-model"]);
  });

  it("of a session that is done says so and asks nobody", async () => {
    const place = await openPlace([says("Done.")]);
    const { session } = await place.json(["run", "hi"]);
    const again = await place.json(["resume", session]);
    expect(again).toMatchObject({ code: 0, end: { reason: "done", text: "Done." } });
    expect(again.the("session_restored").messages.map((entry) => entry.role)).toEqual(["user", "assistant"]);
    expect(place.server.requests).toHaveLength(1);
  });
});

describe("agent chat", () => {
  it("without a terminal names agent run", async () => {
    const place = await openPlace();
    expect((await place.run(["chat"])).stderr).toContain("agent run");
  });

  it("with the demo plays the whole tour without a terminal, and says on its first line that it is scripted", async () => {
    const place = await openPlace();
    const tour = await place.spawn(["chat", "--model", "demo"], { env: { OPENAI_API_KEY: undefined } }).done;
    expect(tour).toMatchObject({ code: 0, stderr: "" });
    expect(tour.stdout.split("\n")[0]).toContain("scripted demo");
    expect(tour.stdout).toContain("❯ approve   (scripted person)");
    expect(tour.stdout).toMatch(/❯ deny: .* {3}\(scripted person\)/);
    expect(tour.stdout).toContain("That was the tour.");
    expect(tour.stdout.match(/This is a scripted demo/g)).toHaveLength(2);
  });
});

describe("agent sessions", () => {
  const waiting = async (): Promise<{ place: Place; done: string; paused: string }> => {
    const place = await openPlace([says("Done."), asks("write_file", { file_path: "b.txt", content: "b\n" })]);
    const done = (await place.json(["run", "a first prompt\nof two lines"])).session;
    const paused = (await place.json(["run", "write b"])).session;
    return { place, done, paused };
  };

  it("lists those of this folder, newest first, with their state", async () => {
    const { place, done, paused } = await waiting();
    const rows = lines((await place.run(["sessions", "list", "--json"])).stdout);
    expect(rows).toEqual([
      expect.objectContaining({
        id: paused,
        title: "write b",
        state: "awaiting_approval",
        workspace: place.workspace,
        model: "openai:test-model",
      }),
      expect.objectContaining({ id: done, title: "a first prompt", state: "idle" }),
    ]);
    expect(Object.keys(rows[0] ?? {})).toEqual([
      "id",
      "title",
      "workspace",
      "state",
      "model",
      "createdAt",
      "updatedAt",
      "waitsFor",
      "filesChanged",
      "usage",
    ]);
    expect((await place.run(["sessions"], { cwd: place.home })).stdout).toContain("no sessions of this folder");
    expect((await place.run(["sessions", "--all"], { cwd: place.home })).stdout).toContain(paused);
  });

  it("shows what was said and done", async () => {
    const { place, done, paused } = await waiting();
    expect((await place.run(["sessions", "show", done])).stdout).toMatch(/❯ a first prompt\nof two lines\n\nDone\.\n$/);
    expect((await place.run(["sessions", "show", paused])).stdout).toContain("awaiting_approval");
    const entries = lines((await place.run(["sessions", "show", paused, "--json"])).stdout);
    expect(entries.map((entry) => entry["role"])).toEqual(["user", "assistant", "call"]);
  });

  it("removes what is done, and what waits only by force", async () => {
    const { place, done, paused } = await waiting();
    expect((await place.run(["sessions", "rm", done, paused])).code).toBe(1);
    expect(lines((await place.run(["sessions", "--json"])).stdout)).toHaveLength(2);
    expect((await place.run(["sessions", "rm", done])).code).toBe(0);
    expect((await place.run(["sessions", "rm", paused, "--force"])).code).toBe(0);
    expect((await place.run(["sessions", "--json"])).stdout).toBe("");
    expect((await place.run(["resume", done])).code).toBe(2);
  });

  it("exports what script: replays to the same end, the person's answers included", async () => {
    const place = await openPlace([
      asks(
        "write_file",
        { file_path: "b.txt", content: "b\n" },
        { text: "First b.", calls: [{ name: "write_file", arguments: { file_path: "c.txt", content: "c\n" } }] },
      ),
      asks("read_file", "{broken"),
      says("Done."),
    ]);
    const { session } = await place.json(["run", "write"]);
    await place.json(["resume", session, "--approve", "c1", "--deny", "c2", "--reason", "no c"]);
    const file = join(place.home, "played.ndjson");
    expect(await place.run(["sessions", "export", session, "-o", file])).toMatchObject({ code: 0, stdout: "" });
    expect((await place.run(["sessions", "export", session, "-o", file])).code).toBe(1);
    expect((await place.run(["sessions", "export", session])).stdout).toContain("holdfast-script");

    const other = await openPlace();
    const played = await other.json(["run", "write", "--answers", "-m", `script:${file}`]);
    expect(played).toMatchObject({
      code: 10,
      end: { reason: "done", text: "Done.", calls: { success: 1, error: 1, cancelled: 1 } },
    });
    expect([await other.read("b.txt"), other.has("c.txt")]).toEqual(["b\n", false]);
    expect(played.of("decision").map((one) => [one.callId, one.decision, one.reason])).toEqual([
      ["c1", "approve", undefined],
      ["c2", "deny", "no c"],
    ]);
  });
});

describe("a scripted model", () => {
  it("whose file is broken is named with its line", async () => {
    const place = await openPlace();
    const file = join(place.home, "bad.ndjson");
    await writeFile(file, '{"v":1,"kind":"holdfast-script"}\n{"txt":"x"}\n');
    const ran = await place.run(["run", "hi", "-m", `script:${file}`]);
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain(`${file}:2`);
    expect((await place.run(["run", "hi", "-m", "script:/no/such/file"])).stderr).toContain("/no/such/file");
  });

  it("that has nothing left to say fails the turn, and its person is asked in order", async () => {
    const place = await openPlace();
    const file = join(place.home, "play.ndjson");
    const script = [
      { v: 1, kind: "holdfast-script" },
      {
        person: [
          {
            match: { toolName: "write_file" },
            decision: "edit",
            arguments: { file_path: "b.txt", content: "edited\n" },
          },
          { decision: "approve" },
        ],
      },
      { text: "I write.", calls: [{ name: "write_file", arguments: { file_path: "b.txt", content: "b\n" } }] },
    ];
    await writeFile(file, script.map((line) => JSON.stringify(line)).join("\n"));
    const ran = told(await place.run(["run", "hi", "--json", "--answers", "-m", `script:${file}`]));
    expect(ran).toMatchObject({ code: 1, end: { reason: "failed" } });
    expect(ran.of("decision").map((one) => one.decision)).toEqual(["edit", "approve"]);
    expect(await place.read("b.txt")).toBe("edited\n");
  });
});

describe("what the agent says of itself", () => {
  it("lists its tools, each with risk, effect and schema", async () => {
    const place = await openPlace();
    const rows = lines((await place.run(["tools", "--json"])).stdout);
    expect(rows.map((row) => [row["name"], row["risk"], row["effect"]])).toEqual([
      ["read_file", "low", "none"],
      ["write_file", "medium", "file"],
      ["edit_file", "medium", "file"],
      ["ls", "low", "none"],
      ["glob", "low", "none"],
      ["grep", "low", "none"],
      ["save_memory", "low", "store"],
      ["goal", "low", "store"],
      ["shell", "medium", "once"],
      ["shell_output", "low", "none"],
      ["shell_stop", "low", "store"],
      ["web_fetch", "medium", "none"],
      ["create_artifact", "low", "store"],
      ["read_artifact", "low", "none"],
      ["update_artifact", "low", "store"],
      ["rewrite_artifact", "low", "store"],
      ["agent", "low", "child"],
      ["evaluate", "low", "child"],
    ]);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual([
        "name",
        "source",
        "risk",
        "effect",
        "description",
        "schema",
        "endsTurn",
        "tokens",
      ]);
      expect(row["schema"]).toMatchObject({ type: "object" });
    }
    expect((await place.run(["tools"])).stdout).toContain("edit_file");
  });

  it("finds its surroundings in order, and says what is not", async () => {
    const place = await openPlace();
    expect((await place.run(["doctor"])).code).toBe(0);
    const ill = await place.run(["doctor", "--json"], {
      env: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined },
    });
    expect(ill.code).toBe(1);
    expect(lines(ill.stdout).filter((finding) => finding["ok"] === false)).toEqual([
      expect.objectContaining({ what: "model" }),
    ]);
  });

  it("shows the prompt, with the project's instructions and the person's memories", async () => {
    const place = await openPlace([asks("save_memory", { fact: "Ada prefers tabs." }), says("Noted."), says("Tabs.")], {
      "AGENTS.md": "Write tests first.\n",
    });
    expect((await place.run(["run", "remember that"])).code).toBe(0);
    const shown = (await place.run(["doctor", "--prompt"])).stdout;
    expect(shown).toContain("Write tests first.");
    expect(shown).toContain("Ada prefers tabs.");
    expect(shown).toContain(place.workspace);
    await place.run(["run", "which?"]);
    expect(place.heard(-1, 0)).toContain("Ada prefers tabs.");
    expect(place.heard(-1, 0)).toContain("Write tests first.");
  });
});
