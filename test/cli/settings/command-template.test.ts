import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { expandTemplate } from "../../../src/cli/settings/command-template.ts";

const kindOf = (path: string) => (path === "src" ? "folder" : path.startsWith("there") ? "file" : undefined);
const md = (template: string, argument = "") => expandTemplate(template, "md", argument, kindOf);
const toml = (template: string, argument = "") => expandTemplate(template, "toml", argument, kindOf);
const commandsOf = ({ calls }: ReturnType<typeof md>) => calls.map(({ arguments: { command } }) => command);

describe("the words of a command", () => {
  it("take what was typed, whole or word by word, and behind them where they name none of it", () => {
    expect(md("All: $ARGUMENTS. First $1, third $3, $10.", `a "b c" 'd e'`).text).toBe(
      `All: a "b c" 'd e'. First a, third d e, a0.`,
    );
    expect(md("Missing: $2.", "a").text).toBe("Missing: .");
    expect(md("Nothing.", "a b").text).toBe("Nothing.\n\na b");
    expect(md("{{args}} costs $0 and US$", "").text).toBe("{{args}} costs $0 and US$");
    expect(toml("All: {{args}}. $1", "a b").text).toBe("All: a b. $1");
  });

  it("never take a sign from what was typed", () => {
    const typed = "!`touch x` @there.md $1 {{args}} !{touch x} @{there.md}";
    expect(md("Say $ARGUMENTS", typed)).toEqual({ text: `Say ${typed}`, calls: [] });
    expect(toml("Say {{args}}", typed)).toEqual({ text: `Say ${typed}`, calls: [] });
    expect(md("Say", typed)).toEqual({ text: `Say\n\n${typed}`, calls: [] });
  });

  it("run lines in which each word that was typed is one word, whatever stands in it", () => {
    const typed = `a; "b $(touch x)" 'it is' \`c\` it's`;
    expect(commandsOf(md("!`echo $ARGUMENTS` !`git show $1`", typed))).toEqual([
      "echo 'a;' 'b $(touch x)' 'it is' '`c`' 'it'\\''s'",
      "git show 'a;'",
    ]);
    expect(commandsOf(toml("!{grep -r {{args}} src | awk '{print}'}", "a b"))).toEqual([
      "grep -r a b src | awk '{print}'",
    ]);
    expect(commandsOf(md("!`echo $1\n$2`"))).toEqual([]);
  });

  it.each([
    [`printf '%s|' "$1" '$2' "$(printf %s $1)" a"b"$1 \\"$2 "$ARGUMENTS" $3`],
    [`printf '%s|' x{$1,$2} $HOME \${HOME} "'" '"' $(printf %s $1)`],
  ])("leave each word that was typed one word of the shell in %s", (line) => {
    const folder = mkdtempSync(join(tmpdir(), "line-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const hard = ["$(touch pwned)", "`touch pwned`", "'; touch pwned; '", '\\"; touch pwned; \\"', "a\nb", "$HOME"];
    for (const word of hard) {
      const quote = word.includes('"') ? "'" : '"';
      if (word.includes("'") && quote === "'") continue;
      const [command] = commandsOf(md(`!\`${line}\``, `${quote}${word}${quote} two`));
      const said = execFileSync("bash", ["-c", String(command)], { cwd: folder, encoding: "utf8" });
      expect([said.includes(word), existsSync(join(folder, "pwned"))]).toEqual([true, false]);
    }
  });

  it.each([
    `echo "say $1"`,
    `echo "$1 $2"`,
    `perl -e 'print "$1"'`,
    `awk '{print $1}' a`,
    `sh -c "git show $ARGUMENTS"`,
    `echo \\$1`,
    `echo $$1`,
    `echo $'$1'`,
    `echo "\${x:-$1}"`,
    `echo $((1 + $1))`,
    `((x = $1))`,
    `echo $[ $1 ]`,
    `echo "$["$1"]"`,
    `[[ $1 -eq 1 ]]`,
    `x[$1]=1`,
    `echo a # $1`,
    `echo $2# $1`,
    `cat <<E $1`,
    `echo "$(case x in x) echo '$1';; esac)"`,
    `echo a) '$1'`,
  ])("are refused where %s would take what was typed for more than a word", (line) => {
    expect(() => md(`!\`${line}\``, "x")).toThrow("outside of quotes");
  });

  it("are words of their own too where something stands right beside them", () => {
    const lines = md("!`echo $HOME$1 $1>a 2>&$1 x$3y -$1$2` !`$1 env` !`echo $2`", "2 A=b --c=d");
    expect(commandsOf(lines)).toEqual(["echo $HOME'2' '2'>a 2>&'2' x'--c=d'y -'2''A=b'", "2 env", "echo 'A=b'"]);
    expect(commandsOf(md("!`echo $ARGUMENTS` !`echo x$4`", "a --b=c"))).toEqual(["echo a --b=c", "echo x"]);
  });

  it("are refused in TOML alike, and run where quotes are the line's own", () => {
    expect(() => toml(`!{echo "say {{args}}"}`, "x")).toThrow("outside of quotes");
    expect(() => toml("!{echo `git show {{args}}`}", "x")).toThrow("outside of quotes");
    expect(commandsOf(toml(`!{echo "{{args}}" it's}`, "a $b"))).toEqual([`echo "a \\$b" it's`]);
    expect(commandsOf(md('!`awk \'{print $(1)}\' "a b" <<<$1 | grep -c "$(date)" -- $2;`', "x"))).toEqual([
      `awk '{print $(1)}' "a b" <<<'x' | grep -c "$(date)" -- ;`,
    ]);
  });

  it("are read in one go where a sign has no end", () => {
    const { text } = toml(`@{${"a".repeat(300_000)}`);
    expect(text).toHaveLength(300_002);
    expect(toml("See @{a/{{args}}/{{args}}.md}", "b").calls).toEqual([
      { name: "read_file", arguments: { file_path: "a/b/b.md" } },
    ]);
  });

  it("read what is there, each once", () => {
    const { text, calls } = md('See @there.md, @src and @"there two.md" (not a@there.md, @types/node), @there.md.');
    expect(calls).toEqual([
      { name: "read_file", arguments: { file_path: "there.md" } },
      { name: "ls", arguments: { path: "src" } },
      { name: "read_file", arguments: { file_path: "there two.md" } },
    ]);
    expect(text).toContain("(not a@there.md, @types/node)");
    expect(toml("See @{none.md}.").calls).toEqual([{ name: "read_file", arguments: { file_path: "none.md" } }]);
    expect(md("See @$1", "there.md").calls).toHaveLength(1);
  });

  it("make at most twenty calls", () => {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `!\`echo ${at}\``).join(" ");
    expect(md(lines(20)).calls).toHaveLength(20);
    expect(() => md(lines(21))).toThrow("more than 20 calls");
  });
});
