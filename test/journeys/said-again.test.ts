import { describe, expect, it } from "vitest";
import { openPlace, type Told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { answersIn } from "../support/talks.ts";

const edit = (by: string) => asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: by });

/** What waits by the last question, as a flag names it. */
const waiting = (told: Told): string[] =>
  (told.of("approval_requested").at(-1)?.calls ?? []).map(({ session, callId, digest }) =>
    session === told.session ? `${callId}@${digest}` : `${session}:${callId}@${digest}`,
  );

const other = `c1@${"f".repeat(64)}`;

describe("a decision that is said a second time", () => {
  it("by a flag is told as decided already, does nothing again, and one that says otherwise names how it was", async () => {
    const place = await openPlace([edit("two"), says("Done.")], { "a.txt": "one\n" });
    const asked = await place.json(["run", "go"]);
    const [c1 = ""] = waiting(asked);
    expect((await place.json(["resume", asked.session, "--approve", c1])).code).toBe(0);
    await place.write("a.txt", "one\n");
    const again = await place.json(["resume", asked.session, "--approve", c1.slice(0, 15)]);
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining(`call c1 is decided already: it was approved as ${c1.slice(3, 15)}, and is success`),
    ]);
    expect([await place.read("a.txt"), place.server.requests.length]).toEqual(["one\n", 2]);
    for (const flags of [
      ["--deny", "c1"],
      ["--approve", other],
    ]) {
      const wrong = await place.json(["resume", asked.session, ...flags]);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(`it was approved as ${c1.slice(3, 15)}`)]);
    }
  });

  it("with that of another helper beside it has that one go on", async () => {
    const talk = (name: string) => [asks("read_file", { file_path: name }), says(`${name} is set`)];
    const place = await openPlace(
      Array.from({ length: 12 }, () =>
        answersIn({
          go: [asks("agent", { task: ["look at a", "look at b"] }), says("All done.")],
          "look at a": talk(".env"),
          "look at b": talk(".env.b"),
        }),
      ),
      { ".env": "KEY=a\n", ".env.b": "KEY=b\n" },
    );
    const asked = await place.json(["run", "go"]);
    const [a = "", b = ""] = waiting(asked);
    expect((await place.json(["resume", asked.session, "--approve", a])).code).toBe(11);
    const both = await place.json(["resume", asked.session, "--approve", a, "--approve", b]);
    expect([both.code, both.end.text, both.stderr]).toEqual([
      ...[0, "All done."],
      expect.stringContaining("is decided already"),
    ]);
    const late = await place.json(["resume", asked.session, "--approve", b]);
    expect([late.code, late.stderr]).toEqual([0, expect.stringContaining("is decided already")]);
    const wrong = await place.json(["resume", asked.session, "--deny", b.split("@").slice(0, 2).join("@")]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("it was approved as")]);
  });

  it("is refused, with the digest of now, where its call waits under another one", async () => {
    const place = await openPlace([edit("two"), says("Done.")], { "a.txt": "one\n" });
    const asked = await place.json(["run", "go"]);
    const [c1 = ""] = waiting(asked);
    expect((await place.run(["answer", asked.session, "--approve", c1])).code).toBe(11);
    await place.write("a.txt", "mine\none\n");
    const again = await place.json(["resume", asked.session, "--approve", c1]);
    const [now = ""] = waiting(again);
    expect(now).not.toBe(c1);
    expect([again.code, again.stderr]).toEqual([11, expect.stringContaining(`its digest is ${now.slice(3, 15)} now`)]);
    expect(await place.read("a.txt")).toBe("mine\none\n");
    const on = await place.json(["resume", asked.session, "--approve", now]);
    expect([on.code, await place.read("a.txt")]).toEqual([0, "mine\ntwo\n"]);
  });

  it("is refused so where its call is asked about anew only as the command goes on", async () => {
    const command = { name: "shell", arguments: { command: "echo mine > c.txt" } };
    const write = { name: "write_file", arguments: { file_path: "c.txt", content: "new\n" } };
    const place = await openPlace([{ calls: [command, write] }, says("Done.")], { "c.txt": "c\n" });
    const asked = await place.json(["run", "go"]);
    const [c1 = "", c2 = ""] = waiting(asked);
    expect((await place.json(["resume", asked.session, "--approve", c2])).code).toBe(11);
    const again = await place.json(["resume", asked.session, "--approve", c1, "--approve", c2]);
    const [now = ""] = waiting(again);
    expect(now).toMatch(/^c2@/u);
    expect([again.code, again.stderr]).toEqual([11, expect.stringContaining(`its digest is ${now.slice(3, 15)} now`)]);
    expect(await place.read("c.txt")).toBe("mine\n");
  });

  it("by a flag behind the same from another process, which nobody had heard, does it once", async () => {
    const place = await openPlace([edit("two"), says("Done.")], { "a.txt": "one\n" });
    const asked = await place.json(["run", "go"]);
    const [c1 = ""] = waiting(asked);
    expect((await place.run(["answer", asked.session, "--approve", c1])).code).toBe(11);
    const on = await place.json(["resume", asked.session, "--approve", c1]);
    expect([on.code, on.end.text, await place.read("a.txt")]).toEqual([0, "Done.", "two\n"]);
    expect(place.server.requests).toHaveLength(2);
  });

  it("from another process is told as decided already, and one that says otherwise names how it was", async () => {
    const place = await openPlace([edit("two"), says("Done.")], { "a.txt": "one\n" });
    const asked = await place.json(["run", "go"]);
    const [c1 = ""] = waiting(asked);
    expect((await place.json(["resume", asked.session, "--deny", "c1"])).code).toBe(10);
    const again = await place.run(["answer", asked.session, "--deny", "c1"]);
    expect(again).toMatchObject({ code: 0, stderr: "c1 is decided already: it was denied, and is cancelled\n" });
    const wrong = await place.run(["answer", asked.session, "--approve", c1]);
    expect(wrong).toMatchObject({ code: 1, stderr: "c1 is decided otherwise: it was denied, and is cancelled\n" });
  });
});
