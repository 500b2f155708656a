import { expect, test } from "vitest";
import { onlyPrints } from "../../../../src/tools/shell/reading/awk-script.ts";

test.each([
  "{print $1}",
  "NR>1 {sum+=$3} END {print sum/(NR-1)}",
  "/^function/,/^}/",
  '$1 ~ /a"b/ {print} # "all"',
  '{gsub(/a/,"b"); print a[1]/2}',
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
])("%s does more, or it is not plain that it does not", (program) => {
  expect(onlyPrints([program])).toBe(false);
});
