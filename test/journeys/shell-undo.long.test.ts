// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of the shell
import { readFile, rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const keyless = { env: { OPENAI_API_KEY: "", OPENAI_BASE_URL: undefined } };
const shell = (command: string) => asks("shell", { command });

/** Runs one command that the person approves. */
async function ran(place: Place): Promise<string> {
  const paused = await place.json(["run", "do it"]);
  expect(paused.code).toBe(11);
  expect((await place.json(["resume", paused.session, "--approve", "all"])).code).toBe(0);
  return paused.session;
}

describe("what a command changed", () => {
  it("is told to the model, shown in the session's diff, and taken back whole by undo", async () => {
    const place = await openPlace([shell("sed -i s/one/ONE/ a.txt; rm -r docs; echo new > b.txt"), says("Done.")], {
      "a.txt": "one\ntwo\n",
      "docs/guide.md": "# Guide\n",
      "docs/deep/more.md": "more\n",
    });
    const session = await ran(place);
    expect(place.heard(-1, 3)).toContain("(changed while it ran: a.txt, b.txt, docs/deep/more.md, docs/guide.md)");
    expect(place.has("docs/guide.md")).toBe(false);
    const { stdout } = await place.run(["sessions", "show", session, "--diff"]);
    expect(stdout).toContain("-one\n+ONE\n");
    expect(stdout).toContain("-# Guide\n");

    const undone = await place.json(["undo", session, "--yes"], keyless);
    expect(undone.code).toBe(0);
    expect(await place.read("a.txt")).toBe("one\ntwo\n");
    expect(await place.read("docs/guide.md")).toBe("# Guide\n");
    expect(await place.read("docs/deep/more.md")).toBe("more\n");
    expect(place.has("b.txt")).toBe(false);
  });

  it("is merged out of what the person changed since, and removed with the session", async () => {
    const lines = Array.from({ length: 12 }, (_, at) => `line ${at}\n`);
    const place = await openPlace([shell("sed -i '2s/.*/by the command/' a.txt"), says("Done.")], {
      "a.txt": lines.join(""),
    });
    const session = await ran(place);
    await place.write("a.txt", `${(await place.read("a.txt")).trimEnd()}\nmine\n`);
    expect((await place.json(["undo", session, "--yes"], keyless)).code).toBe(0);
    expect(await place.read("a.txt")).toBe(`${lines.join("")}mine\n`);

    const pack = place.path(`../home/kept/${session}.bytes`);
    expect((await readFile(pack, "utf8")).startsWith("line 0\n")).toBe(true);
    expect((await place.run(["sessions", "rm", session])).code).toBe(0);
    await expect(readFile(pack)).rejects.toThrow("ENOENT");
  });

  it("is taken back by a fork too, whose origin is gone, and by the origin whose fork is gone", async () => {
    const place = await openPlace([shell("sed -i s/one/ONE/ a.txt; rm b.txt; echo new > c.txt"), says("Done.")], {
      "a.txt": "one\ntwo\n",
      "b.txt": "kept\n",
      "other.txt": "of no command\n",
    });
    const session = await ran(place);
    const forked = async () => (await place.run(["sessions", "fork", session])).stdout.trim();
    const [fork, second] = [await forked(), await forked()];
    const pack = (id: string) => readFile(place.path(`../home/kept/${id}.bytes`), "utf8");
    expect(await pack(fork)).toContain("one\ntwo\n");
    expect(await pack(fork)).not.toContain("of no command");

    expect((await place.run(["sessions", "rm", second])).code).toBe(0);
    await expect(pack(second)).rejects.toThrow("ENOENT");
    const undo = async (id: string) => {
      expect((await place.json(["undo", id, "--yes"], keyless)).code).toBe(0);
      expect(["a.txt", "b.txt", "c.txt"].map((name) => place.has(name))).toEqual([true, true, false]);
      expect([await place.read("a.txt"), await place.read("b.txt")]).toEqual(["one\ntwo\n", "kept\n"]);
    };
    await undo(session);
    await place.write("a.txt", "ONE\ntwo\n");
    await rm(place.path("b.txt"));
    await place.write("c.txt", "new\n");
    expect((await place.run(["sessions", "rm", session])).code).toBe(0);
    await undo(fork);
  });

  it("is found after kill -9 in its middle, told as unknown once, and can be taken back", async () => {
    const place = await openPlace([shell("echo half > a.txt; sleep 1000; echo whole > a.txt"), says("I see.")], {
      "a.txt": "before\n",
    });
    const paused = await place.json(["run", "do it"]);
    const running = place.spawn(["resume", paused.session, "--approve", "all", "--json"]);
    await expect.poll(() => place.read("a.txt")).toBe("half\n");
    running.child.kill("SIGKILL");
    await running.done;
    const asked = await place.json(["resume", paused.session]);
    expect(asked).toMatchObject({ code: 11, end: { reason: "awaiting_recovery" } });
    const repeated = await place.json(["resume", paused.session, "--retry", "all"]);
    expect(repeated.code).toBe(11);
    expect(await place.read("a.txt")).toBe("half\n");
    expect((await place.json(["resume", paused.session, "--cancel", "all"])).code).not.toBe(11);
    expect(place.heard(-1, 3)).toContain("Outcome unknown");
    expect((await place.json(["undo", paused.session, "--yes"], keyless)).code).toBe(0);
    expect(await place.read("a.txt")).toBe("before\n");
  });
});

describe("a change that cannot be found", () => {
  it("is said to the model and to the person: nobody is left to believe that it can be taken back", async () => {
    const spoil =
      'd=../ho; for t in "$d"me/kept/*.tree; do mkdir "$(dirname "$t")/$(basename "$t" .tree).bytes"; done; echo made > new.txt';
    const place = await openPlace([shell(spoil), says("I see.")]);
    const paused = await place.json(["run", "do it", "--sandbox", "off"]);
    const done = await place.json(["resume", paused.session, "--approve", "all", "--sandbox", "off"]);
    expect(done.code).toBe(0);
    expect(place.heard(-1, 3)).toContain("(what it changed could not be found, and cannot be taken back: ");
    const [call] = done.of("tool_call").flatMap(({ call }) => ("result" in call ? [call.result] : []));
    expect(call?.display).toContain("what it changed could not be found");
  });
});

describe("a command that takes files away", () => {
  it.each([
    ["docs", "medium", "which undo can bring back"],
    ["out", "high", "it takes files away"],
  ])("of %s is of %s risk", async (name, risk, why) => {
    const place = await openPlace([shell(`rm -r ${name}`)], {
      ".gitignore": "out/\n",
      "docs/guide.md": "# Guide\n",
      "out/a.js": "made\n",
    });
    const paused = await place.json(["run", "do it"]);
    const [call] = paused.the("approval_requested").calls;
    expect(call).toMatchObject({ risk, verdict: { why: expect.stringContaining(why) } });
  });
});

/** In the sandbox these places cannot be written at all. */
const bare = ["--sandbox", "off"];

describe("a command that changes what nobody may change unasked", () => {
  it("stops and asks; what it said is kept, and it is not run again", async () => {
    const place = await openPlace(
      [shell("d=.gi; printf 'echo pwned\\n' > \"$d\"t/hooks/pre-commit; echo said"), says("I see.")],
      { ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n", ".git/hooks/a.sample": "" },
    );
    const before = await place.json(["run", "do it", ...bare]);
    // A line that names the place outright is denied before; this one is only seen by what it did.
    await rm(place.path(".git/hooks/pre-commit"), { force: true });
    expect(before.code).toBe(11);
    const asked = await place.json(["resume", before.session, "--approve", "all", ...bare]);
    expect(asked).toMatchObject({ code: 11, end: { reason: "awaiting_recovery" } });
    const [call] = asked.the("recovery_requested").calls;
    expect(call).toMatchObject({
      known: "while it ran .git/hooks/pre-commit changed, which nothing may change without being asked about",
      choices: ["done", "cancel"],
    });
    const refused = await place.json(["resume", before.session, "--retry", call?.callId ?? ""]);
    expect(refused.code).not.toBe(0);
    expect((await place.json(["resume", before.session, "--done", call?.callId ?? ""])).code).toBe(0);
    expect(place.heard(-1, 3)).toContain("said");
  });

  const nested = { ".git/HEAD": "x\n", "lib/.git/HEAD": "ref: refs/heads/main\n", "lib/.git/config": "[core]\n" };
  const worktree = {
    "tree/.git": "gitdir: ../main.git/worktrees/tree\n",
    "main.git/HEAD": "ref: refs/heads/main\n",
    "main.git/config": "[core]\n",
    "main.git/worktrees/tree/HEAD": "ref: refs/heads/tree\n",
    "main.git/worktrees/tree/commondir": "../..\n",
    ".gitignore": "main.git/\n",
  };
  const program = "printf '#!/bin/sh\\n' > t; chmod +x t";

  it.each<[string, Record<string, string>, string, string, string[]]>([
    ["the settings of a repository below", nested, "d=lib/.gi; echo x >> ${d}t/config", "lib/.git/config", []],
    [
      "a hook of it",
      nested,
      `d=$(printf lib/.gi); ${program}; mkdir "\${d}t/hooks"; mv t "\${d}t/hooks/pre-commit"`,
      "lib/.git/hooks/pre-commit",
      [],
    ],
    ["those, without the sandbox", nested, "d=lib/.gi; echo x >> ${d}t/config", "lib/.git/config", bare],
    ["the folder that a worktree leads to", worktree, "m=main.g; echo x >> ${m}it/config", "main.git/config", bare],
    ["where a worktree leads", worktree, "d=tree/.gi; echo 'gitdir: ../b' > ${d}t", "tree/.git", bare],
    [
      "a new repository that would run something",
      {},
      "d=$(printf new/.gi); mkdir -p ${d}t; echo '[alias] a = !b' > ${d}t/config",
      "new/.git/config",
      [],
    ],
  ])("stops and asks: %s", async (_name, files, command, changed, flags) => {
    const place = await openPlace([shell(command), says("I see.")], files);
    const paused = await place.json(["run", "do it", ...flags]);
    const asked = await place.json(["resume", paused.session, "--approve", "all", ...flags]);
    expect(asked).toMatchObject({ code: 11, end: { reason: "awaiting_recovery" } });
    expect(asked.the("recovery_requested").calls[0]?.known).toBe(
      `while it ran ${changed} changed, which nothing may change without being asked about`,
    );
  });

  it("does not stop for a repository that was made, or taken away as a whole", async () => {
    const place = await openPlace(
      [shell("g=git; rm -r lib; $g init -q made; cd made && $g config user.name A"), says("Ok.")],
      nested,
    );
    const paused = await place.json(["run", "do it"]);
    expect(await place.json(["resume", paused.session, "--approve", "all"])).toMatchObject({
      code: 0,
      end: { calls: { success: 1 } },
    });
    expect([place.has("lib"), place.has("made/.git/config")]).toEqual([false, true]);
  });

  it("is asked about where a file would run with its owner's rights from now on", async () => {
    const place = await openPlace([shell("chmod u+s run.sh")], { "run.sh": "true\n" });
    const paused = await place.json(["run", "do it"]);
    const asked = await place.json(["resume", paused.session, "--approve", "all"]);
    expect(asked).toMatchObject({ code: 11, end: { reason: "awaiting_recovery" } });
    expect(asked.the("recovery_requested").calls[0]?.known).toContain("while it ran run.sh changed");
  });
});
