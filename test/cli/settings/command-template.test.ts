import { describe, expect, it } from "vitest";
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
