/**
 * Prints "N passed, N failed" from vitest's JSON report and says by its exit code whether the run counts: it does not where a test
 * failed, a file could not be run, a test was skipped, or no test ran.
 */
import { readFileSync } from "node:fs";

/** @returns {object | undefined} undefined where vitest ended before it wrote its report */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

const report = read(process.argv[2] ?? "");
const passed = report?.numPassedTests ?? 0;
const failed = report?.numFailedTests ?? 0;
const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
/** Files that failed before any of their tests could. */
const broken = (report?.testResults ?? []).filter(
  (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
);

if (report === undefined) console.error("there is no report: the tests did not run to their end");
if (skipped > 0) console.error(`${skipped} tests were skipped: a test that does not run proves nothing`);
for (const file of broken) console.error(`${file.name} could not be run`);
console.log(`${passed} passed, ${failed + broken.length} failed`);
process.exitCode = passed > 0 && failed === 0 && skipped === 0 && broken.length === 0 ? 0 : 1;
