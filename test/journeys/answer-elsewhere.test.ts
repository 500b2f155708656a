import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { endless } from "../support/under-way.ts";

const files = { "a.txt": "one\n" };
const answers = [asks("write_file", { file_path: "a.txt", content: "two\n" }), says("Done.")];

/** The call that waits, as another process finds it: the session's id, and the digest that is shown. */
async function found(place: Place): Promise<{ id: string; call: string }> {
  const listed = await place.run(["sessions", "--json"]);
  const { id = "" } = JSON.parse(listed.stdout.split("\n")[0] ?? "{}") as { id?: string };
  const shown = await place.run(["sessions", "show", id, "--calls"]);
  const digest = shown.stdout.match(/digest ([0-9a-f]{64})/)?.[1] ?? "";
  return { id, call: `c1@${digest.slice(0, 12)}` };
}

describe("agent answer", () => {
  it("approves at a chat of another process what was read, and nothing else", async () => {
    const place = await openPlace(answers, files);
    const pty = place.chat(["chat", "go"]);
    await pty.waitFor("a.txt");
    await pty.waitFor("y ");
    const { id, call } = await found(place);
    const other = await place.run(["answer", id, "--approve", `c1@${"f".repeat(12)}`]);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("c1: call c1 has another digest now")]);
    expect(await place.read("a.txt")).toBe("one\n");
    expect(await place.run(["answer", id, "--approve", call])).toEqual({
      code: 0,
      stdout: "",
      stderr: "c1 is approved\n",
    });
    await pty.waitFor("Done.");
    await pty.waitFor(/process \d+ approved c1/u);
    expect(await place.read("a.txt")).toBe("two\n");
    const late = await place.run(["answer", id, "--deny", "c1"]);
    expect([late.code, late.stderr]).toEqual([1, `c1: call c1 does not wait: it is success\n`]);
  });

  it("waits where its driver was killed, and counts when the session is resumed", async () => {
    const place = await openPlace(answers, files);
    const pty = place.chat(["chat", "go"]);
    await pty.waitFor("a.txt");
    await pty.waitFor("y ");
    process.kill(pty.pid, "SIGKILL");
    await pty.exit;
    const { id, call } = await found(place);
    const kept = await place.run(["answer", id, "--approve", call]);
    expect([kept.code, kept.stderr]).toEqual([11, expect.stringContaining("nobody drives session")]);
    expect(await place.read("a.txt")).toBe("one\n");
    expect((await place.run(["resume", id])).code).toBe(0);
    expect(await place.read("a.txt")).toBe("two\n");
  });

  it.each([
    ["nothing", [], "what is answered is not said"],
    ["all", ["--approve", "all"], "--approve all: name each call"],
    ["an approval without a digest", ["--approve", "c1"], "--approve c1 needs the digest of what was read"],
    ["both", ["--approve", "c1@4fd1c09e2b7a", "--deny", "c1"], "c1"],
    ["a call of another session", ["--deny", "keen-owl-0002:c1"], "is no call of session"],
  ])("refuses %s", async (_what, flags, words) => {
    const place = await openPlace([says("Hello.")]);
    await place.run(["run", "hello"]);
    const { id } = await found(place);
    const refused = await place.run(["answer", id, ...flags]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe("agent stop", () => {
  it("ends what runs in another process, which ends as by Esc, and finds nobody then", async () => {
    const place = await openPlace([endless]);
    const running = place.spawn(["run", "go", "--json"]);
    await running.shows('"type":"text_delta"');
    const { id } = await found(place);
    expect(await place.run(["stop", id])).toEqual({ code: 0, stdout: "", stderr: `session ${id} was stopped\n` });
    const { code, stdout } = await running.done;
    expect(code).toBe(130);
    expect(stdout).toContain('"code":"stopped_elsewhere"');
    const none = await place.run(["stop", id]);
    expect([none.code, none.stderr]).toEqual([0, `nobody drives session ${id}: nothing of it runs\n`]);
    expect((await place.run(["stop", "no-one-0009"])).code).toBe(2);
  });
});
