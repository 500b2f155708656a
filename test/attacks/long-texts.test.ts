import { realpathSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { namedImages } from "../../src/cli/image-names.ts";
import { cleanLine } from "../../src/cli/ui/safe-text.ts";
import { limits } from "../../src/core/limits.ts";
import { mayRunPrograms } from "../../src/files/git/working-keys.ts";
import { foldProtected } from "../../src/policy/names.ts";
import { cleanTitle, longestTitle, titleOfReply } from "../../src/records/title.ts";
import { readCommandLine } from "../../src/tools/shell/reading/read-command-line.ts";
import { openPlace } from "../support/cli.ts";
import { deadlineMs } from "../support/tool-process.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** What `work` gives; what has no end is broken off. */
const ended = <T>(work: () => T): T => runInNewContext("work()", { work }, { timeout: deadlineMs / 4 }) as T;

const many = 2_000_000;
const blanks = " ".repeat(many);

describe("texts that take the square of their length to be matched (F8)", { timeout: deadlineMs }, () => {
  it("come to an end where they are shown, judged or looked through", () => {
    expect(ended(() => cleanLine(`a${blanks}b`))).toBe(`a${blanks}b`);
    expect(ended(() => cleanLine(`a \r\n${blanks}\n b`))).toBe("a b");
    expect(ended(() => foldProtected(`${".".repeat(many)}x`))).toHaveLength(many + 1);
    expect(ended(() => namedImages(`@${")".repeat(many)}x and @a.png).`))).toEqual(["a.png"]);
    expect(ended(() => mayRunPrograms("\n".repeat(many)))).toBe(false);
    expect(ended(() => mayRunPrograms("\r".repeat(many)))).toBe(false);
  });

  it("name no session, but for their beginning", () => {
    expect(cleanTitle("a".repeat(4_000_000))).toBe(`${"a".repeat(longestTitle - 1)}…`);
    expect(titleOfReply(`Title: ${"b ".repeat(2_000_000)}`)).toMatch(/^(b )+b?…?$/);
    expect(cleanTitle(`ab${"\u0301".repeat(200_000)}`)).toBe("a…");
  });
});

describe("a command that takes long to judge", () => {
  const judged = (line: string) => {
    const cwd = realpathSync(tempTree({ "a/x": "x\n" }));
    return readCommandLine(line, { workspace: cwd, cwd, path: ["/bin", "/usr/bin"] });
  };
  const deep = "a/".repeat(30_000);

  it.each(["cat", "mkdir -p", "rm -rf", "git -C", "cp a/x", "[[ -f", "echo >"])(
    "is not understood where a path of %s is longer than any that can be opened",
    async (program) => {
      const { commands, understood } = await judged(`${program} ${deep}${program === "[[ -f" ? " ]]" : ""}`);
      expect(understood).toBe(false);
      expect(commands.flatMap(({ paths }) => paths.filter(({ real }) => real.length > 5_000))).toEqual([]);
    },
  );

  it("is in any folder after it went further than a path can say", async () => {
    const { commands } = await judged(`cd ${"a/".repeat(1_500)} && cd ${"a/".repeat(1_500)} && cat x`);
    expect(commands.map(({ cwd }) => typeof cwd)).toEqual(["string", "string", "undefined"]);
  });

  it.each([
    ["true;", limits.commandParts.most + 1, /it holds more than 1000 programs/],
    ["true && ", limits.commandParts.most + 1, /it holds more than 1000 programs/],
    ["env ", 21, /programs start each other more than 20 levels deep/],
    ["sudo -n ", 1_900, /programs start each other more than 20 levels deep/],
    ["cat {a,b};", limits.commandWords.most / 2, /it holds more than 4000 words/],
    ["for f in a b c; do cat $f; done; ", limits.commandWords.most / 4, /it holds more than 4000 words/],
    ["bash -c 'cat a b c d e f'; ", limits.commandWords.most / 8, /it holds more than 4000 words/],
    ["cat {a,b} ", limits.commandWords.most, /it holds more than 4000 words/],
    ["cat {,} ", limits.commandWords.most, /it holds more than 4000 words/],
    ["x={a,b} ", limits.commandWords.most, /it holds more than 4000 words/],
    ["cat <<< a ", limits.commandWords.most, /it holds more than 4000 words/],
  ])("is refused where it is many times %j", async (part, times, words) => {
    expect((await judged(`${part.repeat(times)}true`)).commands[0]?.refused).toMatch(words);
  });

  it("is refused where its braces stand for more files than are looked at: one of the others may be denied", async () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const line = `cat ${letters.flatMap((one) => letters.map((other) => `${one}${other}/{${letters.join(",")}}`)).join(" ")}`;
    for (const one of [line, `true; bash -c '${line}'`])
      expect((await judged(one)).commands[0]?.refused).toMatch(/stand for more than 5,000 files/);
    expect(await judged(`cat ${letters.map((one) => `${one}/{${letters.join(",")}}`).join(" ")}`)).toMatchObject({
      understood: true,
    });
  });

  it("is refused where its braces stand for more parts of words that may be files than are looked at", async () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const words = letters.map((one) => `${"x=".repeat(300)}${one}{${letters.join(",")}}`);
    for (const program of ["cat", "foo"])
      expect((await judged(`${program} ${words.join(" ")}`)).commands[0]?.refused).toMatch(/more than 50,000 parts/);
    expect((await judged(`cat ${words.slice(0, 3).join(" ")}`)).commands[0]?.refused).toBe(undefined);
  });

  it("is read as before where people write it", async () => {
    const steps = await judged("true\n".repeat(limits.commandParts.most));
    expect([steps.understood, steps.commands.length]).toEqual([true, limits.commandParts.most]);
    expect(await judged(`${"env ".repeat(18)}cat a/x`)).toMatchObject({ understood: true });
    expect(await judged(`cat ${"./".repeat(2_000)}a/x`)).toMatchObject({ understood: true });
    // A word that is a text may be longer than a path.
    expect(await judged(`echo ${"a/b ".repeat(3_000)}`)).toMatchObject({ understood: true });
    expect(await judged(`git commit -m '${"a/b ".repeat(3_000)}'`)).toMatchObject({ understood: true });
  });
});

it("ends a run at once that is asked to end while it judges a message of many calls with deep paths", async () => {
  const place = await openPlace();
  const calls = Array.from({ length: 100 }, (_, i) => ({
    name: "read_file",
    arguments: { file_path: `${"a/".repeat(1_900)}${i}` },
  }));
  await place.write(
    "play.ndjson",
    [{ v: 1, kind: "holdfast-script" }, { calls }].map((one) => JSON.stringify(one)).join("\n"),
  );
  const running = place.spawn(["run", "go", "-m", "script:play.ndjson", "--json"]);
  running.child.stdout?.on("data", (text: string | Buffer) => {
    if (String(text).includes('"pending"')) running.child.kill("SIGTERM");
  });
  const { code, stdout } = await running.done;
  expect(code).toBe(143);
  // None was judged: the session goes on with the first of them.
  expect(stdout).not.toContain('"type":"decision"');
  expect(stdout).not.toContain('"executing"');
});
