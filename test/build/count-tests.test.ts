import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, runNode, tempFolder } from "./support/run.ts";

const count = (...reports: unknown[]) => {
  const folder = tempFolder();
  const files = reports.map((report, at) => {
    const file = join(folder, `report-${at}.json`);
    if (report !== undefined) writeFileSync(file, typeof report === "string" ? report : JSON.stringify(report));
    return file;
  });
  const { code, stdout, stderr } = runNode([join(root, "scripts", "count-tests.mjs"), ...files]);
  return { code, line: stdout, told: stderr };
};

const lineOf = (...reports: unknown[]) => {
  const { code, line } = count(...reports);
  return { code, line };
};

const good = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };

test("tests that all passed count", () => {
  expect(lineOf(good)).toEqual({ code: 0, line: "3 passed, 0 failed\n" });
});

test("those of several runs are counted together", () => {
  expect(lineOf(good, { ...good, numPassedTests: 4 })).toEqual({ code: 0, line: "7 passed, 0 failed\n" });
});

test("a failed test fails the run", () => {
  expect(lineOf({ ...good, numFailedTests: 2 })).toEqual({ code: 1, line: "3 passed, 2 failed\n" });
});

test("what failed is told by file, name and the first line of why, beside the numbers", () => {
  const failureMessages = ["\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n    at a.test.ts:3"];
  const failed = { status: "failed", fullName: "a sum is right", failureMessages };
  const passed = { status: "passed", fullName: "a sum is a number", failureMessages: [] };
  const testResults = [
    { name: join(root, "test", "a.test.ts"), status: "failed", assertionResults: [failed, passed] },
    { name: join(root, "test", "b.test.ts"), status: "failed", message: "SyntaxError: no\nat b", assertionResults: [] },
  ];
  const { line, told } = count({ ...good, numFailedTests: 1, testResults });
  expect(line).toBe("3 passed, 2 failed\n");
  expect(told).toContain("a.test.ts: a sum is right: AssertionError: expected 1 to be 2\n");
  expect(told).toContain("b.test.ts could not be run: SyntaxError: no\n");
  expect(told).not.toContain("a number");
});

test("a file that could not be run counts as a failure", () => {
  const testResults = [{ name: "a.test.ts", status: "failed", assertionResults: [] }];
  expect(lineOf({ ...good, testResults })).toEqual({ code: 1, line: "3 passed, 1 failed\n" });
});

test.each([
  ["skipped", { numPendingTests: 1 }],
  ["left to do", { numTodoTests: 1 }],
])("a test that was %s fails the run", (_, numbers) => {
  expect(lineOf({ ...good, ...numbers })).toEqual({ code: 1, line: "3 passed, 0 failed\n" });
});

test("a test that was skipped and says what it needs fails nothing, and does not hide another", () => {
  const skipped = { status: "skipped", fullName: "files (needs root) are given away" };
  const testResults = [{ name: "a.test.ts", status: "passed", assertionResults: [skipped] }];
  expect(lineOf({ ...good, numPendingTests: 1, testResults })).toEqual({ code: 0, line: "3 passed, 0 failed\n" });
  expect(lineOf({ ...good, numPendingTests: 2, testResults })).toEqual({ code: 1, line: "3 passed, 0 failed\n" });
});

test.each([
  ["no report", undefined],
  ["a report that is cut off", '{"numPassedTests": 3'],
  ["no test at all", { ...good, numPassedTests: 0 }],
])("%s fails the run, also where another run is good", (_, report) => {
  expect(lineOf(report)).toEqual({ code: 1, line: "0 passed, 0 failed\n" });
  expect(lineOf(good, report)).toEqual({ code: 1, line: "3 passed, 0 failed\n" });
});

test("no run at all is a failed one", () => {
  expect(lineOf()).toEqual({ code: 1, line: "0 passed, 0 failed\n" });
});
