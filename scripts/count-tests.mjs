/**
 * Prints "N passed, N failed" from vitest's JSON reports, all together, and says by its exit code whether they count: they do not
 * where a test failed, a file could not be run, a test was skipped, or one of the runs has no test in it. A test whose name says what
 * it needs, "(needs root)", may be skipped: it is told how many were. What failed is told by name, beside the numbers: the runs themselves are
 * long, and of what they print the end may be all that is kept.
 * usage: node count-tests.mjs REPORT...
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** @returns {object | undefined} undefined where vitest ended before it wrote its report */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** @returns {string[]} what each test that was skipped and may be is in need of */
const lackingIn = (report) =>
  report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "skipped" || status === "pending")
    .flatMap(({ fullName }) => /\(needs ([^)]+)\)/.exec(fullName)?.[1] ?? []);

const shortest = (message = "") => stripVTControlCharacters(message).trim().split("\n", 1)[0].slice(0, 300);

/** @returns {string[]} each test that failed, by its file and whole name, with the first line of why */
const failuresIn = (report) =>
  report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${relative(".", name)}: ${fullName}: ${shortest(failureMessages?.[0])}`),
  );

/** @returns {{ passed: number, failed: number, counts: boolean }} of one run; what is wrong with it goes to stderr */
function count(file) {
  const report = read(file);
  if (report === undefined) {
    console.error(`there is no report ${file}: the tests did not run to their end`);
    return { passed: 0, failed: 0, counts: false };
  }
  const passed = report.numPassedTests;
  const lacking = lackingIn(report);
  const skipped = report.numPendingTests + report.numTodoTests - lacking.length;
  /** Files that failed before any of their tests could. */
  const broken = report.testResults.filter(
    (one) => one.status === "failed" && !one.assertionResults.some((test) => test.status === "failed"),
  );
  for (const need of new Set(lacking)) {
    const tests = lacking.filter((one) => one === need).length;
    console.error(`${tests} tests were not run: they need ${need}`);
  }
  if (skipped > 0) console.error(`${skipped} tests were skipped: a test that does not run proves nothing`);
  for (const { name, message } of broken)
    console.error(`${relative(".", name)} could not be run: ${shortest(message)}`);
  for (const failure of failuresIn(report)) console.error(`failed: ${failure}`);
  const failed = report.numFailedTests + broken.length;
  return { passed, failed, counts: passed > 0 && failed === 0 && skipped === 0 };
}

const counted = process.argv.slice(2).map(count);
const sum = (what) => counted.reduce((all, one) => all + one[what], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = counted.length > 0 && counted.every(({ counts }) => counts) ? 0 : 1;
