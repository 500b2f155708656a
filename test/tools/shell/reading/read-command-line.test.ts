// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of the shell
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandPlace } from "../../../../src/tools/shell/reading/command-place.ts";
import { readCommandLine } from "../../../../src/tools/shell/reading/read-command-line.ts";

let root: string;
let place: CommandPlace;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "line-")));
  for (const folder of ["ws/sub", "ws/.git", "home"]) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync("../.git", join(root, "ws/sub/link"));
  const workspace = join(root, "ws");
  place = { workspace, cwd: workspace, home: join(root, "home"), path: [] };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const read = (line: string) => readCommandLine(line, place);
/** Each command: its words, `?` for those not known, and in which folder it runs. */
async function shown(line: string): Promise<string[]> {
  const { commands } = await read(line);
  return commands.map(({ argv, cwd, refused }) =>
    refused === undefined
      ? [`[${cwd?.slice(root.length + 1) ?? "?"}]`, ...argv.map((word) => word ?? "?")].join(" ")
      : refused,
  );
}

describe("a line is read", () => {
  it.each([
    ["git status", ["[ws] git status"]],
    ["'git' \"sta\"tus a\\ b", ["[ws] git status a b"]],
    ["a; b | c && d || e & f", ["[ws] a", "[ws] b", "[ws] c", "[ws] d", "[ws] e", "[ws] f"]],
    ["a $(b `c`) ${x:-$(d)} ${x//`e`/f}", ["[ws] a ? ? ?", "[ws] b ?", "[ws] c", "[ws] d", "[ws] e"]],
    ["cat <<E\n$(a) `b`\nE", ["[ws] cat", "[ws] a", "[ws] b"]],
    ["cat <<'E'\n$(a)\nE", ["[ws] cat"]],
    ["a <<< $(b) > >(c) < <(d)", ["[ws] a", "[ws] b", "[ws] c", "[ws] d"]],
    ["for i in $(a); do b $i; done", ["[ws]", "[ws] a", "[ws] b ?"]],
    ["while a; do b; done; until c; do d; done", ["[ws] a", "[ws] b", "[ws] c", "[ws] d"]],
    ["if a; then b; elif c; then d; else e; fi", ["[ws] a", "[ws] b", "[ws] c", "[ws] d", "[ws] e"]],
    ["case $(a) in $(b)) c;; *) d;; esac", ["[ws] a", "[ws] b", "[ws] c", "[ws] d"]],
    ["f() { a; }; f", ["[?] a", "[ws] f"]],
    ["(a); { b; } > x; coproc c; ! d; time e", ["[ws] a", "[ws]", "[ws] b", "[ws]", "[ws] c", "[ws] d", "[ws] e"]],
    ["[[ -f $(a) ]] && b", ["[ws] [[", "[ws] a", "[ws] b"]],
    ["echo $((1 + $(a)))", ["[ws] echo ?", "[ws] a"]],
    ["x=$(a) b", ["[ws] b", "[ws] a"]],
    ["echo ~ ~/a ~root *.ts {a,b} $x a=~/b", ["[ws] echo HOME HOME/a ? ? ? ? ?"]],
    ["cd sub && a", ["[ws] cd sub", "[ws/sub] a"]],
    ["cd sub; a", ["[ws] cd sub", "[?] a"]],
    ["(cd sub && a); b", ["[ws] cd sub", "[ws/sub] a", "[ws] b"]],
    ["cd sub && a || b", ["[ws] cd sub", "[ws/sub] a", "[?] b"]],
    ["cd sub || exit; a", ["[ws] cd sub", "[ws] exit", "[?] a"]],
    ["cd $x && a", ["[ws] cd ?", "[?] a"]],
    ["cd && a", ["[ws] cd", "[home] a"]],
    ["cd - && a", ["[ws] cd -", "[?] a"]],
    ["HOME=/x; cd && a", ["[ws]", "[ws] cd", "[?] a"]],
    ["cd sub/link && cd .. && a", ["[ws] cd sub/link", "[ws/.git] cd ..", "[ws/sub] a"]],
    ["while a; do cd ..; b; done", ["[?] a", "[?] cd ..", "[?] b"]],
    ["cd sub | a; b", ["[ws] cd sub", "[ws] a", "[ws] b"]],
  ])("%s", async (line, expected) => {
    expect(
      (await shown(line)).map((one) => one.replaceAll(place.home ?? "", "HOME").replaceAll("[HOME", "[home")),
    ).toEqual(expected);
  });

  it.each([
    ["", "the command is empty"],
    [" \n\t", "the command is empty"],
    ["# nothing", "there is no command in it"],
    ["ls\r\nrm x", "the command holds the character U+000D, which bash and a reader may take for different things"],
    [
      "ls\u00a0x",
      "the command holds the character U+00A0 outside of quotes, which bash takes for a letter and a reader for a blank or nothing: put it in quotes, or write a plain blank",
    ],
    ["ls\0", "the command holds the character U+0000, which bash and a reader may take for different things"],
    ["ls\u001b[2J", "the command holds the character U+001B, which bash and a reader may take for different things"],
    ["ls \ud800", "the command is not well-formed Unicode"],
    ["x".repeat(65_537), "the command is longer than 64 kB"],
  ])("is refused, %#", async (line, why) => {
    expect(await shown(line)).toEqual([why]);
  });

  it.each([
    ["ls ;; pwd"],
    ["fi"],
    ["(ls"],
    ["echo $(ls"],
    ["ls |"],
    ["'a"],
    ["((1"],
    ["$(".repeat(5_000)],
    ["(".repeat(300) + ")".repeat(300)],
  ])("what bash would not read is refused: %#", async (line) => {
    const [why] = await shown(line);
    expect(why).toMatch(/^(bash would not read the command: |the command is nested too deeply|there is no command)/u);
  });
});

it("a program, a script and a task of an added folder are bound by what is in them, as those of the workspace", async () => {
  const lib = join(root, "lib");
  mkdirSync(join(lib, "sub"), { recursive: true });
  for (const name of ["tool", "sub/Makefile", "run.sh"]) writeFileSync(join(lib, name), "x\n", { mode: 0o755 });
  const operands = async (addDirs: string[]) => {
    const found = await readCommandLine("../tool && make && bash ../run.sh", {
      ...place,
      cwd: join(lib, "sub"),
      addDirs,
    });
    return found.operands.filter(({ sha }) => sha !== undefined).map(({ path }) => path.slice(lib.length + 1));
  };
  expect((await operands([lib])).toSorted()).toEqual(["run.sh", "sub/Makefile", "tool"]);
  expect((await operands([])).toSorted()).toEqual(["run.sh", "sub/Makefile"]);
});
