import { describe, expect, it } from "vitest";
import { calls, openStage, says } from "../support/play.ts";

const write = (file_path: string, content: string) => calls(["write_file", { file_path, content }]);

describe("a write that changes nothing", () => {
  it("is not asked about and not done, and says that it already is so", async () => {
    const stage = await openStage({
      files: { "a.txt": "same\n", "package.json": "{}\n" },
      lines: [
        calls(
          ["write_file", { file_path: "a.txt", content: "same\n" }],
          ["write_file", { file_path: "package.json", content: "{}\n" }],
        ),
        says("So it is."),
      ],
    });
    const life = await stage.begin("write it");
    expect(life.of("approval_requested")).toEqual([]);
    expect([stage.observation(1), stage.observation()]).toEqual([
      "a.txt: already has this content, nothing was written",
      "package.json: already has this content, nothing was written",
    ]);
    expect(life.call("c1")).toMatchObject({
      status: "success",
      by: { actor: "policy", rule: "table" },
      result: { title: "write a.txt (already has this content)", metadata: { unchanged: true, added: 0, removed: 0 } },
    });
    expect(life.last("turn_ended")).toMatchObject({ reason: "done", calls: { success: 2 } });
  });

  it.each([
    ["that may not be read without asking", ".env", "KEY=1\n"],
    ["that is guarded against writing", ".envrc", "export A=1\n"],
  ])("is asked about like a change where it is of a file %s, so that it tells nothing of it", async (_, file, text) => {
    const asked = async (content: string) => {
      const stage = await openStage({ files: { [file]: text }, lines: [write(file, content), says("Well.")] });
      const life = await stage.begin("write it");
      return life.of("approval_requested").map(({ calls: [call] }) => call?.toolName);
    };
    expect([await asked(text), await asked(`${text}# more\n`)]).toEqual([["write_file"], ["write_file"]]);
  });

  it("is asked about where a call before it would make it so, and that one is denied", async () => {
    const stage = await openStage({
      files: { "a.txt": "one\n" },
      lines: [
        calls(
          ["write_file", { file_path: "a.txt", content: "two\n" }],
          ["write_file", { file_path: "a.txt", content: "two\n" }],
        ),
        says("Well."),
      ],
    });
    const life = await stage.begin("write it twice");
    expect(life.last("approval_requested").calls.map(({ callId }) => callId)).toEqual(["c1"]);
    await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "deny" });
    await life.session.settled();
    expect(life.last("approval_requested").calls.map(({ callId }) => callId)).toEqual(["c2"]);
    expect(stage.text("a.txt")).toBe("one\n");
  });

  it("is asked about where the file is saved otherwise between its plan and its run", async () => {
    const stage = await openStage({
      files: { "a.txt": "same\n", "b.txt": "b\n" },
      lines: [
        calls(
          ["write_file", { file_path: "b.txt", content: "c\n" }],
          ["write_file", { file_path: "a.txt", content: "same\n" }],
        ),
        says("Well."),
      ],
    });
    const life = await stage.begin("write both");
    const [call] = life.last("approval_requested").calls;
    await stage.put("a.txt", "saved by the person\n");
    await life.session.answer(
      { session: life.session.id, call: "c1" },
      { decision: "approve", digest: call?.digest ?? "" },
    );
    await life.session.settled();
    expect(life.last("approval_requested").calls.map(({ callId }) => callId)).toEqual(["c2"]);
    expect([stage.text("a.txt"), stage.text("b.txt")]).toEqual(["saved by the person\n", "c\n"]);
  });
});
