import { expect, test } from "vitest";
import { onlyPrints } from "../../../../src/tools/shell/reading/awk-script.ts";

test.each([
  "{print $1}",
  "NR>1 {sum+=$3} END {print sum/(NR-1)}",
  "/^function/,/^}/",
  "{extension=$NF; n[extension]++} END {for (e in n) print e, n[e]}",
  '$1 ~ /a"b/ {print} # "all"',
  '{gsub(/a/,"b"); print a[1]/2}',
  '{print $1*1.5e-3, .5 "x", 1e6/2, 3}',
])("%s only prints", (program) => {
  expect(onlyPrints([program])).toBe(true);
});

test.each([
  '/"/{print | "sh"} /"/',
  '/"/{f="a"; while((getline l < f)>0)print l} /"/',
  'BEGIN{ARGV[1]=".gi" "t/config"}{print}',
  '{print a &&\n b > "f"}',
  '/[/]/{print "x" > "/y"}',
  '{if (x) /"/ ; print > "f" /"/}',
  '{print /"/ ; print | "sh" /"/}',
  '#"\n{print | "sh"} #"',
  '{ a = 1 /"/ 2; print > "f" }',
  // A word begins where a number ends.
  '{ if ($1system("id")) print }',
  'BEGIN { x = 1e3system("id") }',
  'BEGIN { x = 0x1fsystem("id") }',
  "BEGIN { x = 1.5getline }",
  // Of a gawk before 5 it loads a library.
  'BEGIN { extension("./x.so") }',
  'BEGIN { extension ( "x", "f" ) }',
  'BEGIN { bindtextdomain(".env"); print dcgettext("a") }',
])("%s does more, or it is not plain that it does not", (program) => {
  expect(onlyPrints([program])).toBe(false);
});

test("a word that is not known may be what parts fields, or the value of a variable, where it is sure to be one word", () => {
  const prints = (words: (string | null)[], head?: string) =>
    onlyPrints(words, head === undefined ? [] : [{ at: words.indexOf(null), head }]);
  const runs = 'BEGIN{system("id")}';
  expect([
    prints(["-v", null, "{print n}"], "n="),
    prints(["-F", null, "{print}", runs], ""),
    prints([null, "{print n}", runs], "-vn="),
    prints([null, "{print}"], "-F"),
    prints([null, "{print}", "f"], "-F"),
    prints([null, "{print}", runs], "-F["),
  ]).toEqual([true, true, true, true, true, true]);
  expect([
    prints(["-v", null, "{print n}"]),
    prints(["-v", null, "{print n}"], ""),
    prints(["-v", null, "{print n}"], "OFMT="),
    prints(["-v", null, runs], "n="),
    prints([null, "{print}", runs], "-F"),
    prints([null, "{print}"], "-f"),
    prints([null, "f"], ""),
  ]).toEqual([false, false, false, false, false, false, false]);
});
