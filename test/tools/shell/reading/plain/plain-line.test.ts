// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expansions of the shell
import { spawnSync } from "node:child_process";
import { parse } from "unbash";
import { describe, expect, it } from "vitest";
import { plainReading } from "../../../../../src/tools/shell/reading/plain/grammar.ts";
import { findUnplain } from "../../../../../src/tools/shell/reading/plain/plain-line.ts";
import { corpus } from "../../../../policy/lines/corpus.ts";

const unplain = (line: string): string | undefined => findUnplain(parse(line), line);

/** Lines that are plain, and that bash prints as it read them. */
const plain = [
  "ls",
  "ls -la src | sort | head -3 && echo ok || echo no",
  "a & b; c",
  "! grep -q foo package.json",
  "time ls",
  "time -p ls | wc -l",
  "echo \"a $x ${y} $(date +%s)\" 'b c' d\\ e",
  'printf "%s\\n" "$@" "$#" "cost: 5$" "it\'s \\"so\\""',
  "echo ${x} ${#x} ${x:-a b} ${x%.ts} ${x##*/} ${x/a/b} ${a[0]} ${a[@]} ${x:1:2}",
  "echo $((1 + 2)) $x$y $",
  'echo `date` "a `ls | wc -l`" x`pwd`; x=`ls a`',
  'echo ${x:-$HOME/a} ${x:-${y}} "${x:-$y}"',
  "cat a 2> /dev/null > b 2>&1",
  "cat < a 3< b >> c <<< d",
  "cat <<E\na $x ${y} $(ls) `pwd`\nE\nls",
  "git commit -m \"$(cat <<'E'\ndon't (\nE\n)\"",
  "cat <<'E' | wc -l\na `b` ${x-'c'}\nE",
  'cat <<-"E F"\n\ta\n\tE F',
  "cat <(ls a) <(ls b)",
  "diff <(ls) b > c",
  'x=1 y="$z" env; x=a',
  "a=(b 'c d' $e)",
  "echo {a,b}.c {1..3} {} stash@{0} 'a b'{c,d}",
  "ls *.ts [ab]? src/[a-z]*",
  "(cd src && ls) > a",
  "{ ls; pwd; } | wc -l",
  'for f in *.ts "$x"; do head -3 "$f"; done',
  'while read -r l; do echo "$l"; done < a',
  "until test -f a; do sleep 1; done",
  "if [ -f a ]; then cat a; else ls; fi",
  'case "$x" in a | b) ls ;; *) pwd ;; esac',
  "[[ -f a && ! -d b || $x == a* ]] && ls",
  "((1 + 2)) && ls",
  "ls # a comment, and what's more\npwd",
  "ls a \\\n  b |\n  wc -l",
];

/** Without places, and as bash prints it. */
const compared = (reading: string): string =>
  reading
    .replace(/\d+-\d+/gu, "")
    .replaceAll("r(>&", "r(1>&")
    .replaceAll("r(<&", "r(0<&");

function printedByBash(line: string): string {
  const script = `f() {\n${line}\n}\ndeclare -f f`;
  const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-O", "extglob", "-c", script], { encoding: "utf8" });
  return stdout.replace(/^f \(\)\s*/u, "");
}

describe("a plain line", () => {
  it.each(plain)("is read as the grammar reads it: %s", (line) => {
    expect(unplain(line)).toBeUndefined();
  });

  it.each(plain)("is read as bash reads it: %s", (line) => {
    const [list = "", ...documents] = compared(plainReading(line)).split("\n");
    expect(compared(plainReading(printedByBash(line)))).toBe([`{${list}};`, ...documents].join("\n"));
  });

  it("has an escape in $'…' that stands for one sign, elif, loops in loops, a here-document that goes to its end", () => {
    const lines = [
      "printf $'a\\tb\\n\\'c'",
      "if a; then b; elif c; then d; else e; fi",
      "for x in a; do for y in b; do c; done; done",
      "cat <<E\nnever ends (",
      "make >& out.txt; ls >&2 2>&-",
      "ls |& wc -l",
      "",
    ];
    expect(lines.map(unplain)).toEqual(lines.map(() => undefined));
  });
});

describe("a long line", () => {
  it("is read to its end: nots, branches, groups of braces, here-documents, words", () => {
    const many = 2_000;
    const lines = [
      `[[ ${"! ".repeat(many)}a ]]`,
      `if a; then b; ${"elif a; then b; ".repeat(many)}fi`,
      `ls ${"{a,b}".repeat(many)}`,
      `cat${" <<E".repeat(many)}\na`,
      `ls ${"a ".repeat(many)}`,
    ];
    expect(lines.map(unplain)).toEqual(lines.map(() => undefined));
  });
});

describe("a line is not plain", () => {
  it.each([
    ["echo 1<(ls)", "a number before a substitution"],
    ["cat<(ls)", "a substitution that is joined to a word"],
    ["cat <(ls)b", "a substitution that is joined to a word"],
    ["sort a <&--oout", "what stands behind a descriptor"],
    ["make >& '$(ls)'", "what stands behind a descriptor"],
    ["make >&a-", "what stands behind a descriptor"],
    ["cat $'\\x{2e}env'", "an escape in $'…'"],
    ["cat $'a\\\nb'", "an escape in $'…'"],
    ["cat <<E\n${x-'a'}\nE", "an expansion"],
    ["cat <<E\n`ls 'a'`\nE", "a substitution in backticks"],
    ["cat <<E\na\\\nE\nE", "a line break in a here-document"],
    ["cat <<'E\n'\na\nE", "the end of a here-document"],
    ['cat <<"E\\F"\na', "the end of a here-document"],
    ["cat <<$'E'\na\nE", "the end of a here-document"],
    ["cat <<0<a\nb\n0", "what stands before a redirection"],
    ["cat <<E 'a\nb'\nE", "a line break before a here-document"],
    ["echo $(cat <<E)\na\nE", "a here-document in a substitution"],
    ["echo {a}b,c}", "a brace"],
    ["echo {a,{b,c}}", "a brace"],
    ["echo {a}'{b,c}'", "a brace"],
    ["echo {'a',b}", "a brace"],
    ["echo {$x,b}", "a brace"],
    ["echo $x{a,b}", "a brace"],
    ["echo $${a..c}", "a brace"],
    ["echo {a}{b,c}", "a brace"],
    ["ls {x}<a", "what stands before a redirection"],
    ["ls '1'<a", "what stands before a redirection"],
    ["echo `ls \\`a\\``", "a substitution in backticks"],
    ['echo "`ls "a"`"', "a substitution in backticks"],
    ["echo `ls # a`", "a substitution in backticks"],
    ["echo `ls;;`", "a substitution in backticks"],
    ["echo ${x:-$(ls)}", "an expansion"],
    ["echo ${!x}", "an expansion"],
    ["echo $[1]", "an expansion"],
    ['echo $"a"', "a quote behind a dollar"],
    ['echo "$\\\n(ls)"', "a line break in a quote"],
    ["r\\\nm a", "a line break in a word"],
    ["ls |\\\n| a", "a line break in a word"],
    ["echo $(($x))", "arithmetic"],
    ["((ls); a)", "a parenthesis behind another one"],
    ["cat <((cat <<E\n))\nls\nE\n))", "a parenthesis behind another one"],
    ["ls > >((cat))", "a parenthesis behind another one"],
    ["ls @(a|b)", "a parenthesis in a word"],
    ["f() { ls; }", "a parenthesis in a word"],
    ["a=(b)`ls`", "a list"],
    ["a=(b)$(ls)", "a list"],
    ["a=(b)c", "a list"],
    ["a=(b)<c", "a list"],
    ["a=(b\nc)", "a list"],
    ["ls $(a=(\\())", "a list"],
    ["cat <<< <(ls)#`ls`", "a substitution that is joined to a word"],
    ["cat <(ls)# .env", "a substitution that is joined to a word"],
    ["ls > >(cat)#`ls`", "a substitution that is joined to a word"],
    ["tee {.holdfast/policy.json,{b}}", "a brace"],
    ["cat {.env,{b}}", "a brace"],
    ["a[$(ls)]=1", "a word where a command begins"],
    ["declare a[1 + 1]=1", "an index"],
    ["[[ $x =~ a ]]", "a test"],
    ["[[ a < b ]]", "a test"],
    ["for ((i = 0; i < 3; i++)); do ls; done", "a loop"],
    ["for f; do ls; done", "a loop"],
    ["( )", "a block without a command"],
    ["if ls; then fi", "a block without a command"],
    ["coproc ls", "a word of the shell"],
    ["time -pv ls", "what stands behind time"],
    ["time -p -- ls", "what stands behind time -p"],
    ["time x=(a) ls", "what stands behind time"],
    ["echo $(time [[ a && ls ]])", "time where a substitution begins"],
    ["echo $(\ntime ls)", "time where a substitution begins"],
    ["echo $(ls # it's\n)", "a comment in a substitution"],
    ["echo $(cat <<A <<B\nA\nB\n)", "a here-document in a substitution"],
    ["ls # a\\\npwd", "a comment that ends in a backslash"],
    [`${"( ".repeat(60)}ls${" )".repeat(60)}`, "what is so deep in it"],
  ])("%s", (line, why) => {
    expect(unplain(line)).toBe(`bash may read ${why} otherwise than it looks`);
  });

  it("where the grammar's tree has another word, operator, substitution or end", () => {
    const pairs = [
      ["echo a b", "echo ab "],
      ["a | b", "a ; b"],
      ["a && b", "a || b"],
      ["a & b", "a ; b"],
      ['echo "$(a b)"', "echo '$(a b)'"],
      ['echo "$(a b)"', 'echo "$(a c)"'],
      ["cat <<E\na\nE\nb", "cat <<E\na\nb\nE"],
      ["cat <<E\n$x\nE", "cat <<E\n y\nE"],
      ["echo $x", "echo 'x"],
      ["x=1 a", "x+1 a"],
      ["a > b", "a < b"],
    ] as const;
    for (const [read, line] of pairs) expect([line, findUnplain(parse(read), line)]).not.toEqual([line, undefined]);
  });

  it("where one of the corpus is read otherwise by bash, whatever else is known of it", () => {
    const headings =
      /^(?:bash begins another word|of what begins with|what an escape in|a quote within|a brace ends|a here-document ends)/u;
    // The text within the quotes is a program of its own.
    const lines = corpus
      .filter(({ why }) => headings.test(why))
      .map(({ line }) => /^bash -c '(.*)'$/u.exec(line)?.[1] ?? line);
    const isCaught = (line: string): boolean => (parse(line).errors ?? []).length > 0 || unplain(line) !== undefined;
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.filter((line) => !isCaught(line))).toEqual([]);
  });
});
