import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

const path = ".claude/commands/do.md";

const open = (files: Record<string, string>): Promise<Place> =>
  openPlace(
    Array.from({ length: 20 }, () => says("Done.")),
    files,
  );

interface Row {
  kind: string;
  name: string;
  source?: string;
  description?: string;
  error?: string;
}

const commandsOf = async (place: Place): Promise<Row[]> =>
  (await place.run(["skills", "--json"])).stdout
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);

const lastSaid = ({ server }: Place): string =>
  String(server.requests.at(-1)?.body.messages.findLast(({ role }) => role === "user")?.content);

describe("commands that a project brings", () => {
  it("say, run and read nothing before they are trusted, nor with one other byte", async () => {
    const place = await open({ [path]: "Do !`touch made` @secret.txt", "secret.txt": "the secret" });
    const refused = async () => {
      const { code, stderr } = await place.run(["run", "/do", "--mode", "full-auto"]);
      expect([code, place.has("made"), place.server.requests.length]).toEqual([1, false, 0]);
      expect(stderr).toContain("it waits for your trust");
    };
    await refused();
    await place.run(["trust", "--yes"]);
    await place.write(path, "Do !`touch madE` @secret.txt");
    await refused();
  });

  it("run nothing by being trusted: a rule, a mode or an answer lets each program run, and a denied one never does", async () => {
    const place = await open({
      [path]: "---\nallowed-tools: Bash(*)\n---\n!`touch made`",
      ".claude/commands/deny.md": "!`touch denied`",
      ".claude/commands/guard.md": "Read @.env and @/etc/passwd",
      ".env": "KEY=the-secret",
    });
    await place.run(["trust", "--yes"]);
    writeFileSync(
      join(place.home, "policy.json"),
      JSON.stringify({ rules: [{ tool: "shell", command: "touch denied", decision: "deny", why: "no" }] }),
    );
    const asked = await place.json(["run", "/do"]);
    expect([
      asked.code,
      place.has("made"),
      asked.the("approval_requested").calls.map(({ toolName }) => toolName),
    ]).toEqual([11, false, ["shell"]]);
    await place.json(["run", "/do", "--mode", "read-only"]);
    expect(place.has("made")).toBe(false);
    await place.json(["run", "/deny", "--mode", "full-auto"]);
    expect(place.has("denied")).toBe(false);

    const guarded = await place.json(["run", "/guard", "--mode", "full-auto"]);
    expect(guarded.code).toBe(11);
    expect(guarded.the("approval_requested").calls.map(({ risk }) => risk)).toEqual(["high"]);
    expect(JSON.stringify(place.server.requests)).not.toMatch(/the-secret|root:x/u);
  });

  it("take what was typed for words of a line, and for no part of it, whatever quotes stand around", async () => {
    const place = await open({
      ".claude/commands/q.md": '!`echo "$1"`',
      ".claude/commands/s.md": "!`echo '$1'`",
      ".claude/commands/in.md": '!`sh -c "echo $1"`',
      ".gemini/commands/g.toml": "prompt = '!{echo \"{{args}}\"}'",
    });
    await place.run(["trust", "--yes"]);
    const free = ["--mode", "full-auto", "--sandbox", "off"];
    for (const name of ["q", "s", "g"])
      for (const typed of ['"$(touch pwned)"', `"'; touch pwned; '"`, "'\"; touch pwned; \"'", "`touch pwned`"]) {
        expect((await place.json(["run", `/${name} ${typed}`, ...free])).code).toBe(0);
        expect([name, typed, place.has("pwned")]).toEqual([name, typed, false]);
      }
    const { code, stderr } = await place.run(["run", '/in "; touch pwned"', ...free]);
    expect([code, place.has("pwned")]).toEqual([1, false]);
    expect(stderr).toContain("outside of quotes");
  });

  it("say and run nothing again where what they said is said again, from stdin, or by a script", async () => {
    const place = await open({ ".claude/commands/rv.md": "Review !`touch made`" });
    await place.run(["trust", "--yes"]);
    const free = ["--mode", "full-auto", "--sandbox", "off"];
    const ran = await place.json(["run", "/rv one", ...free]);
    const stored = ran.the("user_message").text;
    expect([place.has("made"), stored.startsWith('"/rv one" (.claude/commands/rv.md)')]).toEqual([true, true]);
    rmSync(place.path("made"));
    for (const said of [stored, ` ${stored}`]) {
      await place.json(["run", said, ...free]);
      expect([lastSaid(place).trim(), place.has("made")]).toEqual([stored, false]);
    }
    const piped = place.spawn(["run", "-", "--json", ...free], { stdin: "/rv one\n" });
    await piped.done;
    expect([lastSaid(place), place.has("made")]).toEqual(["/rv one\n", false]);
    await place.write("s.ndjson", '{"v":1,"kind":"holdfast-script"}\n{"prompt": "/rv one"}\n{"text": "Done."}\n');
    const played = await place.json(["run", "-m", "script:s.ndjson", ...free]);
    expect([played.the("user_message").text, place.has("made")]).toEqual(["/rv one", false]);
  });

  it("are told from messages in an argument as in the chat", async () => {
    const place = await open({ ".claude/commands/rv.md": "Review $1." });
    await place.run(["trust", "--yes"]);
    for (const [prompt, said] of [
      ["//rv x", "/rv x"],
      ["/etc/hosts is what?", "/etc/hosts is what?"],
      ["!rv", "!rv"],
      ["/a:b c", "/a:b c"],
    ]) {
      await place.json(["run", String(prompt)]);
      expect(lastSaid(place)).toBe(said);
    }
    const { session } = await place.json(["run", "first"]);
    await place.json(["resume", session, "//rv y"]);
    expect(lastSaid(place)).toBe("/rv y");
    const before = place.server.requests.length;
    for (const args of [["run"], ["resume", session]])
      for (const [prompt, why] of [
        ["/nosuch thing", "there is no command /nosuch"],
        ["/undo", "/undo is a command of the chat"],
      ]) {
        const { code, stderr } = await place.run([...args, String(prompt)]);
        expect([code, stderr]).toEqual([2, expect.stringContaining(String(why))]);
      }
    expect(place.server.requests).toHaveLength(before);
  });

  it("take no name of the program's own, nor one of the person's, and say so", async () => {
    const place = await open({
      ".claude/commands/undo.md": "Wrong undo.",
      ".claude/commands/quit.md": "Wrong quit.",
      ".holdfast/commands/mine.md": "The project's.",
      ".claude/commands/mine.md": "Claude's.",
      ".claude/commands/two.md": "First.",
      ".opencode/commands/two.md": "Second.",
    });
    mkdirSync(join(place.home, "commands"));
    writeFileSync(join(place.home, "commands/mine.md"), "The person's.");
    await place.run(["trust", "--yes"]);
    await place.json(["run", "/mine"]);
    expect(lastSaid(place)).toBe('"/mine" (commands/mine.md)\n\nThe person\'s.');
    await place.json(["run", "/two"]);
    expect(lastSaid(place)).toContain("First.");
    const left = (await commandsOf(place)).filter(({ error }) => error !== undefined);
    expect(left.map(({ source, error }) => [source, error])).toEqual([
      [".holdfast/commands/mine.md", "another one has this name, and comes first: commands/mine.md"],
      [".claude/commands/mine.md", "another one has this name, and comes first: commands/mine.md"],
      [".claude/commands/quit.md", "the program has a command of this name"],
      [".claude/commands/undo.md", "the program has a command of this name"],
      [".opencode/commands/two.md", "another one has this name, and comes first: .claude/commands/two.md"],
    ]);
    const chat = place.chat(["chat"]);
    await chat.waitFor("❯");
    chat.type("/undo\r");
    await chat.waitFor("changed nothing");
    expect(JSON.stringify(place.server.requests)).not.toContain("Wrong");
    await chat.close();
  });

  it("as links out of the workspace, FIFOs and files of 10 MB keep trust from all; what git ignores is none", async () => {
    const place = await open({ ".holdfast/agents/own.md": "---\ndescription: o\n---\nOwn." });
    writeFileSync(join(place.home, "out.md"), "Outside.");
    const file = place.path(path);
    const obstacles = async (make: () => void): Promise<number> => {
      mkdirSync(place.path(".claude/commands"), { recursive: true });
      make();
      const { code } = await place.run(["trust", "--yes"]);
      const { obstacles: found } = JSON.parse((await place.run(["trust", "--json"])).stdout) as { obstacles: string[] };
      rmSync(file);
      expect(code).toBe(1);
      return found.length;
    };
    expect(await obstacles(() => symlinkSync(join(place.home, "out.md"), file))).toBe(1);
    expect(await obstacles(() => void execFileSync("mkfifo", [file]))).toBe(1);
    expect(await obstacles(() => writeFileSync(file, "x".repeat(10_000_000)))).toBe(1);
    writeFileSync(file, "Ignored.");
    await place.write(".gitignore", ".claude/\n");
    await place.run(["trust", "--yes"]);
    expect(await commandsOf(place)).toEqual([]);
  });

  it("say all that stands between rules, where they begin with no description", async () => {
    const whole = "First.\n\n---\n\nSecond.\n\n---\n\nThird.";
    const place = await open({ ".claude/commands/rules.md": whole });
    await place.run(["trust", "--yes"]);
    await place.json(["run", "/rules"]);
    expect(lastSaid(place)).toBe(`"/rules" (.claude/commands/rules.md)\n\n${whole}`);
  });

  it("have names and descriptions that can be read, or do not count", async () => {
    const place = await open({
      ".claude/commands/a\u001b[2J.md": "Escapes.",
      ".claude/commands/b c.md": "Blank.",
      ".claude/commands/d.md": `---\ndescription: "\\e[2J\\u202ered\\n/undo"\n---\nFine.`,
      ".gemini/commands/e.toml": "prompt = 3",
      ".gemini/commands/f.toml": "no toml",
    });
    await place.run(["trust", "--yes"]);
    const rows = await commandsOf(place);
    expect(rows.filter(({ error }) => error === undefined)).toEqual([
      { kind: "command", name: "d", description: "[2J red /undo", source: ".claude/commands/d.md" },
    ]);
    expect((await place.run(["skills"])).stdout).not.toMatch(/(?!\n)\p{C}/u);
  });
});
