import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import { freely, itInSandbox } from "../support/needs.ts";
import { readQuestion } from "../support/read-question.ts";

const write = (file_path: string, content = "x\n"): Reply => asks("write_file", { file_path, content });
const shell = (command: string, more: JsonObject = {}): Reply => asks("shell", { command, ...more });

/** Beside the workspace: one that no effect of a session of the workspace may reach. */
function otherOf(place: Place): string {
  const other = join(dirname(place.workspace), "other");
  mkdirSync(join(other, "sub"), { recursive: true });
  writeFileSync(join(other, "a.txt"), "one\n");
  writeFileSync(join(other, "sub", "b.txt"), "secret of the other\n");
  return other;
}

/** All that lies beside the workspace and in it, with sizes. */
const allAround = (place: Place): string =>
  execFileSync("find", [...besides(place), "-printf", "%p %s\\n"], { encoding: "utf8" });

const besides = (place: Place): string[] =>
  ["work", "work.aside", "other"]
    .map((name) => join(dirname(place.workspace), name))
    .filter((path) => existsSync(path));

const aside = (place: Place): string => `${place.workspace}.aside`;

/** What becomes of the workspace, or of what it lies in, by its name. */
const fates: [string, (place: Place, other: string) => void, RegExp][] = [
  [
    "is exchanged for a link to another folder",
    (place, other) => {
      renameSync(place.workspace, aside(place));
      symlinkSync(other, place.workspace);
    },
    /a link has its name/,
  ],
  [
    "is exchanged for another folder",
    (place, other) => {
      renameSync(place.workspace, aside(place));
      renameSync(other, place.workspace);
    },
    /another folder has its name/,
  ],
  [
    "is exchanged for a copy of the same content",
    (place) => {
      renameSync(place.workspace, aside(place));
      cpSync(aside(place), place.workspace, { recursive: true });
    },
    /another folder has its name .*is .*work\.aside by now/,
  ],
  [
    "is renamed away, and a link to it is left",
    (place) => {
      renameSync(place.workspace, aside(place));
      symlinkSync(aside(place), place.workspace);
    },
    /a link has its name/,
  ],
  ["is renamed away", (place) => renameSync(place.workspace, aside(place)), /is not there any more/],
  ["is removed", (place) => rmSync(place.workspace, { recursive: true }), /is not there any more/],
  [
    "is exchanged for a file",
    (place) => {
      renameSync(place.workspace, aside(place));
      writeFileSync(place.workspace, "");
    },
    /a file has its name/,
  ],
];

const attempts: [string, Reply, string[]][] = [
  ["an edit", asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" }), []],
  ["a new file in a new folder", write("new/deep/c.txt"), []],
  ["a command", shell("touch touched; echo x >> a.txt"), [...freely]],
  ["a command without a sandbox", shell("touch touched"), ["--sandbox", "off"]],
  ["a job in the background", shell("touch touched; sleep 30", { background: true }), [...freely]],
  ["a reading", asks("read_file", { file_path: "sub/b.txt" }), []],
  ["a search", asks("grep", { pattern: "secret" }), []],
  ["a list", asks("ls", {}), []],
];

/** Told as it is: nothing was done, nothing is called a success, and the session can be resumed. */
function expectStopped(ran: Told, place: Place, why: RegExp): void {
  expect(ran.end, ran.stderr).toMatchObject({
    reason: "failed",
    exitCode: 74,
    calls: { success: 0, error: 0, interrupted: 0 },
    resume: `agent resume ${ran.session}`,
  });
  expect(ran.code).toBe(74);
  const error = ran.the("error");
  expect(error).toMatchObject({ code: "FOLDER_LOST", message: expect.stringMatching(why), hint: expect.any(String) });
  expect(error.message).toContain(place.workspace);
  expect(ran.stderr).toContain(error.message);
}

describe.each(fates)("a workspace that %s while the model thinks", (_, befalls, why) => {
  it.each(attempts)("is not followed by name: %s", async (_name, call, flags) => {
    let [other, before] = ["", ""];
    const place: Place = await openPlace(
      [
        () => {
          befalls(place, other);
          before = allAround(place);
          return call;
        },
        says("Done."),
      ],
      { "a.txt": "one\n", "sub/b.txt": "own\n" },
    );
    other = otherOf(place);
    const ran = await place.json(["run", "go", "--mode", "full-auto", ...flags]);
    expectStopped(ran, place, why);
    // The model was asked nothing more, and told nothing of another folder.
    expect(place.server.requests).toHaveLength(1);
    expect(ran.stdout).not.toContain("secret of the other");
    expect(allAround(place)).toBe(before);
  });
});

describe("a folder on the way of the workspace", () => {
  it("that is exchanged stops the session too", async () => {
    const place: Place = await openPlace([
      () => {
        const root = join(place.workspace, "in");
        renameSync(root, `${root}.aside`);
        mkdirSync(join(root, "project"), { recursive: true });
        return write("a.txt");
      },
    ]);
    const project = place.path("in/project");
    mkdirSync(project, { recursive: true });
    const ran = await place.json(["run", "go", "--mode", "full-auto", "-C", project]);
    expect(ran).toMatchObject({ code: 74, end: { reason: "failed", calls: { success: 0 } } });
    expect(ran.the("error").message).toContain(project);
    expect([place.has("in/project/a.txt"), place.has("in.aside/project/a.txt")]).toEqual([false, false]);
  });

  it("that is a link from the start, and leads elsewhere later, changes nothing", async () => {
    const place: Place = await openPlace([
      () => {
        rmSync(join(dirname(place.workspace), "way"));
        symlinkSync(join(dirname(place.workspace), "other"), join(dirname(place.workspace), "way"));
        return write("a.txt");
      },
      says("Written."),
    ]);
    const other = otherOf(place);
    const way = join(dirname(place.workspace), "way");
    symlinkSync(place.workspace, way);
    const ran = await place.json(["run", "go", "--mode", "full-auto", "-C", way]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Written." } });
    expect([place.has("a.txt"), readFileSync(join(other, "a.txt"), "utf8")]).toEqual([true, "one\n"]);
  });
});

it("an added folder that is exchanged stops the session as the workspace does", async () => {
  const place: Place = await openPlace([
    () => {
      renameSync(lib(), `${lib()}.aside`);
      symlinkSync(join(dirname(place.workspace), "other"), lib());
      return write("a.txt");
    },
  ]);
  const lib = () => join(dirname(place.workspace), "lib");
  mkdirSync(lib());
  otherOf(place);
  const ran = await place.json(["run", "go", "--mode", "full-auto", "--add-dir", lib()]);
  expect(ran).toMatchObject({ code: 74, end: { reason: "failed" } });
  expect(ran.the("error").message).toContain(`the added folder is not what it was: a link has its name ${lib()}`);
  expect(place.has("a.txt")).toBe(false);
});

it("a folder below the workspace that is exchanged is no other workspace: what the plan was made of decides", async () => {
  const place: Place = await openPlace(
    [
      () => {
        renameSync(place.path("sub"), place.path("old"));
        symlinkSync(join(dirname(place.workspace), "other", "sub"), place.path("sub"));
        return write("sub/b.txt");
      },
      says("Refused."),
    ],
    { "sub/b.txt": "own\n" },
  );
  const other = otherOf(place);
  const ran = await place.json(["run", "go", "--mode", "full-auto"]);
  expect(ran).toMatchObject({ code: 0, end: { text: "Refused.", calls: { success: 0, error: 1 } } });
  expect(readFileSync(join(other, "sub/b.txt"), "utf8")).toBe("secret of the other\n");
});

describe("a workspace that is gone while a question waits", () => {
  it("stops at the approval, which is kept; put back, the change is made once", async () => {
    const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
    const place = await openPlace([edit, says("Done.")], { "a.txt": "one\n" });
    const pty = place.chat(["chat", "go"]);
    await pty.waitFor("❯ n");
    await readQuestion();
    renameSync(place.workspace, aside(place));
    pty.type("y");
    const { code } = await pty.exit;
    const screen = pty.scrollback().join("\n");
    expect(screen.replaceAll(/\s+/g, " ")).toContain(`the workspace ${place.workspace} is not there any more`);
    expect(code).toBe(74);
    const id = /agent resume ([a-z]+-[a-z]+-[0-9a-f]{4})/.exec(screen)?.[1] ?? "";
    expect(id).not.toBe("");
    const gone = await place.run(["resume", id, "--json"], { cwd: dirname(place.workspace) });
    expect([gone.code, gone.stderr]).toEqual([74, expect.stringContaining("agent chat -C DIR")]);
    renameSync(aside(place), place.workspace);
    const ran = await place.json(["resume", id]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 1 } } });
    expect(await place.read("a.txt")).toBe("two\n");
  });

  it("that was copied anew with other bytes in it asks again", async () => {
    const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
    const place = await openPlace([edit, says("Done.")], { "a.txt": "one\n" });
    const paused = await place.json(["run", "go"]);
    expect(paused.code).toBe(11);
    rmSync(place.workspace, { recursive: true });
    mkdirSync(place.workspace);
    await place.write("a.txt", "one, fresh\n");
    const asked = await place.json(["resume", paused.session, "--approve", "all"]);
    expect(asked.code).toBe(11);
    expect(await place.read("a.txt")).toBe("one, fresh\n");
    const ran = await place.json(["resume", paused.session, "--approve", "all"]);
    expect(ran.code).toBe(0);
    expect(await place.read("a.txt")).toBe("two, fresh\n");
  });
});

describe("a command", () => {
  const off = ["--mode", "full-auto", "--sandbox", "off"];

  it.each([
    ["removes the workspace", 'rm -rf "$PWD"', "is not there any more"],
    ["moves it", 'mv "$PWD" "$PWD.aside"', "is not there any more"],
    ["puts another one in its place", 'mv "$PWD" "$PWD.aside"; mkdir "$PWD"', "another folder has its name"],
  ])("that %s is told as it ended, and nothing comes after it", async (_, command, why) => {
    const place = await openPlace([shell(command), write("after.txt"), says("Done.")], { "a.txt": "one\n" });
    const ran = await place.json(["run", "go", ...off]);
    expect(ran).toMatchObject({ code: 74, end: { reason: "failed", calls: { success: 1, error: 0 } } });
    expect(ran.the("error").message).toContain(why);
    // What it had changed is not made up of whatever has the name.
    expect(place.heard(1, -1)).toContain(`what it changed could not be found, and cannot be taken back: the workspace`);
    expect([place.has("after.txt"), existsSync(join(aside(place), "after.txt"))]).toEqual([false, false]);
  });

  it("that runs while its workspace is exchanged ends in its own folder, and its changes are not looked for in the other", async () => {
    const command = 'mkfifo go; touch begun; read x < go; touch own.txt; echo "in $(pwd -P)"';
    const place = await openPlace([shell(command), says("Done.")], { "a.txt": "one\n" });
    const other = otherOf(place);
    const running = place.spawn(["run", "go", "--json", ...off]);
    await expect.poll(() => place.has("begun")).toBe(true);
    renameSync(place.workspace, aside(place));
    symlinkSync(other, place.workspace);
    writeFileSync(join(aside(place), "go"), "\n");
    const { code, stdout } = await running.done;
    expect([code, existsSync(join(aside(place), "own.txt")), existsSync(join(other, "own.txt"))]).toEqual([
      0,
      true,
      false,
    ]);
    expect(stdout).toContain("what it changed could not be found");
    expect(stdout).not.toContain("sub/b.txt");
  });

  it("of git that removes its worktree is told as it ended", async () => {
    const place = await openPlace([shell("git worktree remove --force ."), write("after.txt")]);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: place.workspace });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    const tree = join(dirname(place.workspace), "tree");
    git("worktree", "add", "-q", tree);
    const ran = await place.json(["run", "go", ...off, "-C", tree]);
    expect(ran.end.calls).toMatchObject({ error: 0 });
    expect([ran.code, existsSync(tree)]).toEqual([74, false]);
  });

  itInSandbox("in the sandbox that cannot take its workspace away goes on", async () => {
    const place = await openPlace([shell('rm -rf "$PWD"; echo tried'), write("after.txt"), says("Done.")], {
      "a.txt": "1\n",
    });
    const ran = await place.json(["run", "go", "--mode", "full-auto"]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 2 } } });
    expect([place.has("a.txt"), place.has("after.txt")]).toEqual([false, true]);
  });
});

it("an undo puts nothing back in another folder", async () => {
  const place = await openPlace([write("a.txt", "two\n"), says("Done.")], { "a.txt": "one\n" });
  const ran = await place.json(["run", "go", "--mode", "full-auto"]);
  expect(ran.code).toBe(0);
  const pty = place.chat(["resume", ran.session]);
  await pty.waitFor("ask, or / for commands");
  const other = otherOf(place);
  writeFileSync(join(other, "a.txt"), "two\n");
  renameSync(place.workspace, aside(place));
  symlinkSync(other, place.workspace);
  pty.type("/undo");
  await pty.waitFor("/undo");
  pty.key("enter");
  const { code } = await pty.exit;
  expect([code, readFileSync(join(other, "a.txt"), "utf8")]).toEqual([74, "two\n"]);
});

describe("honest work", () => {
  it("goes on: a rename inside, files that git replaces all at once, other rights, a folder away and back", async () => {
    const place: Place = await openPlace(
      [
        () => {
          writeFileSync(place.path("a.txt.swp"), "one of the editor\n");
          renameSync(place.path("a.txt.swp"), place.path("a.txt"));
          return asks("read_file", { file_path: "a.txt" });
        },
        () => {
          rmSync(place.path("src"), { recursive: true });
          mkdirSync(place.path("src"));
          writeFileSync(place.path("src/m.ts"), "2\n");
          chmodSync(place.workspace, 0o700);
          return write("src/n.ts");
        },
        () => {
          renameSync(place.workspace, aside(place));
          renameSync(aside(place), place.workspace);
          return asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
        },
        shell("cat a.txt; pwd -P"),
        says("Done."),
      ] satisfies Answer[],
      { "a.txt": "one\n", "src/m.ts": "1\n" },
    );
    const ran = await place.json(["run", "go", "--mode", "full-auto", ...freely]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 4, error: 0 } } });
    expect(place.heard(4, -1)).toContain(`two of the editor\n${place.workspace}\n`);
  });

  it("in a folder that is removed and cloned anew a session is resumed", async () => {
    const place = await openPlace([says("Hi."), write("b.txt"), says("Done.")], { "a.txt": "one\n" });
    const first = await place.json(["run", "hi"]);
    rmSync(place.workspace, { recursive: true });
    mkdirSync(place.workspace);
    const ran = await place.json(["resume", first.session, "go on", "--mode", "full-auto"]);
    expect([ran.code, place.has("b.txt")]).toEqual([0, true]);
  });
});

it.each([
  ["is not there", (path: string) => path],
  [
    "is a file",
    (path: string) => {
      writeFileSync(path, "");
      return path;
    },
  ],
])("a start in a folder that %s is refused with 2", async (_, make) => {
  const place = await openPlace();
  const path = make(join(dirname(place.workspace), "no-folder"));
  const ran = await place.run(["run", "hi", "-C", path]);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(path)]);
});
