import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { forkSession } from "../../../../src/records/fork.ts";
import { calls, type Line, openStage, type Stage, type StageOptions, says, toolOf } from "../../../support/play.ts";

const read = (file_path: string): Line => calls(["read_file", { file_path }]);
const long = (text: string): Line => says(`${text} ${"A plain word or two. ".repeat(200)}`);

const stageWith = (lines: Line[], files: Record<string, string>, more: Partial<StageOptions> = {}): Promise<Stage> =>
  openStage({ lines, files, parts: { folderIgnore: async () => ["built"] }, ...more });

const textsOf = ({ requests }: Stage): string[] =>
  requests.at(-1)?.messages.map(({ content }) => String(content)) ?? [];
/** What the newest request tells of folders: the headings of its files, by message. */
const toldOf = (stage: Stage): string[][] =>
  textsOf(stage)
    .filter((text) => text.startsWith("(This is from the agent, not from the person.) You have had to do with files"))
    .map((text) => text.match(/^## .*$/gmu) ?? []);

const files = { "docs/AGENTS.md": "Write short.\n", "docs/a.md": "a\n", "docs/deep/b.md": "b\n", "top.txt": "x\n" };

describe("instructions of a folder", () => {
  it("are told behind the first call that reads or writes there, once, and what was told stays so", async () => {
    const edit: Line = calls(["edit_file", { file_path: "docs/a.md", old_string: "a", new_string: "A" }]);
    const stage = await stageWith(
      [read("top.txt"), read("docs/deep/b.md"), edit, read("docs/a.md"), says("Done.")],
      files,
      {
        mode: "accept-edits",
      },
    );
    const life = await stage.begin("go");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done" });
    expect(toldOf(stage)).toEqual([["## docs/AGENTS.md"]]);
    expect(
      stage.requests.map(
        ({ messages }) => messages.filter(({ content }) => String(content).includes("Write short.")).length,
      ),
    ).toEqual([0, 0, 1, 1, 1]);
    expect(textsOf(stage).find((text) => text.includes("| Write short."))).toContain(
      'Each line of a file begins with "| "',
    );
    expect(life.of("notice")).toMatchObject([
      { code: "instructions", text: "docs/AGENTS.md went to the model, which has to do with files there now" },
    ]);
    for (let at = 1; at < stage.requests.length; at += 1) {
      const before = stage.requests[at - 1]?.messages.map(({ content }) => content) ?? [];
      expect(stage.requests[at]?.messages.slice(0, before.length).map(({ content }) => content)).toEqual(before);
    }
  });

  it("are told by a write into a folder, by a command that names a file there, and not by a search", async () => {
    const stage = await stageWith(
      [
        calls(["grep", { pattern: "a" }], ["glob", { pattern: "**/*.md" }], ["ls", { path: "docs" }]),
        calls(["write_file", { file_path: "notes/new.txt", content: "n\n" }]),
        says("Done."),
      ],
      { ...files, "notes/CLAUDE.md": "Be kind.\n" },
      { mode: "accept-edits" },
    );
    await stage.begin("go");
    expect(toldOf(stage)).toEqual([["## notes/CLAUDE.md"]]);
  });

  it("are told by no path that is not absolute, from wherever it would lead there", async () => {
    const looks = toolOf("looks", (_, { workspace }) => {
      const path = relative(process.cwd(), join(workspace, "docs/a.md"));
      return { output: "looked", metadata: { files: [{ path }, { path: "" }, { path: 1 }] } };
    });
    const stage = await stageWith([calls(["looks", {}]), says("Done.")], files, { tools: [looks] });
    const life = await stage.begin("go");
    expect(life.last("turn_ended")).toMatchObject({ reason: "done" });
    expect(toldOf(stage)).toEqual([]);
  });

  it("are not told twice to a session that is gone on with, and again where they have changed since", async () => {
    const stage = await stageWith(
      [read("docs/a.md"), says("One."), read("docs/a.md"), says("Two."), read("docs/a.md"), says("Three.")],
      files,
    );
    const life = await stage.begin("go");
    await life.close();
    const again = await stage.resume(life.session.id, { still: true });
    await again.session.submit("more");
    await again.session.settled();
    expect(toldOf(stage)).toEqual([["## docs/AGENTS.md"]]);
    await stage.put("docs/AGENTS.md", "Write long.\n");
    await again.session.submit("and more");
    await again.session.settled();
    expect(toldOf(stage)).toEqual([["## docs/AGENTS.md"], ["## docs/AGENTS.md"]]);
    expect(textsOf(stage).filter((text) => text.includes("| Write short."))).toHaveLength(1);
  });

  it("that a summary stands for are told again with the next call there", async () => {
    const stage = await stageWith(
      [read("docs/a.md"), long("One."), long("Two."), read("docs/a.md"), says("Three.")],
      files,
      {
        summaries: ["## Goal\nto read"],
      },
    );
    const life = await stage.begin("go");
    await life.session.submit("more");
    await life.session.settled();
    expect(await life.session.compact()).toMatchObject({ ok: true });
    await life.session.submit("again");
    await life.session.settled();
    expect(toldOf(stage)).toEqual([["## docs/AGENTS.md"]]);
    expect(life.journal().toldFiles()).toHaveLength(2);
  });

  it("come along with a fork, and are known there", async () => {
    const stage = await stageWith([read("docs/a.md"), says("One."), read("docs/a.md"), says("Two.")], files);
    const life = await stage.begin("go");
    const row = life.store.sessions.get(life.session.id);
    const made = row && (await forkSession(life.store, row));
    await life.close();
    const fork = await stage.resume(made?.id ?? "", { still: true });
    await fork.session.submit("more");
    await fork.session.settled();
    expect(toldOf(stage)).toEqual([["## docs/AGENTS.md"]]);
    expect(fork.journal().toldFiles()).toHaveLength(1);
  });

  it("are told of as many folders as there is room for, and the rest is left out", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [
        [`f${at}/AGENTS.md`, `${at} ${"word ".repeat(5_000)}\n`],
        [`f${at}/x`, "x\n"],
      ]).flat() as [string, string][],
    );
    const stage = await stageWith(
      [
        calls(
          ...Object.keys(many)
            .filter((name) => name.endsWith("x"))
            .map((file_path): [string, { file_path: string }] => ["read_file", { file_path }]),
        ),
        says("Done."),
      ],
      many,
    );
    const life = await stage.begin("go");
    expect(toldOf(stage).flat()).toHaveLength(3);
    expect(life.last("notice").text).toContain("left out: f3/AGENTS.md (there is no room left for it)");
  });

  it("are nothing to an agent whose prompt is its program's own", async () => {
    const stage = await openStage({ lines: [read("docs/a.md"), says("Done.")], files });
    writeFileSync(stage.path("docs/AGENTS.md"), "from nobody");
    await stage.begin("go");
    expect(toldOf(stage)).toEqual([]);
  });
});
