import { expect, test } from "vitest";
import type { FilePlan, Plan } from "../../../src/core/tool.ts";
import { type Content, diffOf } from "../../../src/files/diff/diff.ts";
import { planDiff } from "../../../src/files/diff/diff-text.ts";
import { doneFromText, doneToText, planFromText, planToText } from "../../../src/store/journal/call-row.ts";

const facts = {
  kind: "modify",
  before: "b",
  after: "a",
  mode: 0o644,
  eol: "lf",
  bom: false,
  encoding: "utf-8",
} as const;
const fileOf = (name: string, before: Content, after: Content): FilePlan => ({
  asked: name,
  real: `/w/${name}`,
  ...facts,
  ...diffOf(before, after),
});

const planOf = (files: FilePlan[]): Plan => ({ summary: "s", cwd: "/w", diff: planDiff(files, "/w"), files });

test.each<[string, Plan]>([
  ["of two files", planOf([fileOf("a", "1\nword\n", "1\r\n2"), fileOf("b", { bytes: 9 }, "\uFEFFx\n")])],
  ["without files", { summary: "s", cwd: "/w", command: "ls" }],
  ["with a diff of its own", { ...planOf([fileOf("a", "1\n", "2\n")]), diff: "-1\n+2\n" }],
  ["with hunks and no diff", { summary: "s", cwd: "/w", files: [fileOf("a", "1\n", "2\n")] }],
  [
    "with a section",
    planOf([
      {
        ...fileOf("a", "1\n", "2\n"),
        hunks: diffOf(`f() {\n${"  a\n".repeat(9)}  b\n`, `f() {\n${"  a\n".repeat(9)}`).hunks,
      },
    ]),
  ],
  ["with a lone surrogate", planOf([fileOf("a", "1\n", "2\ud800\n")])],
])("a plan %s comes back as it was", (_, plan) => {
  expect(planFromText(planToText(plan))).toEqual(plan);
});

test("the lines of a change are kept once", () => {
  const plan = planOf([fileOf("a", "1\n", "a line that is kept\n")]);
  expect(planToText(plan).split("a line that is kept")).toHaveLength(2);
});

test("a plan of before hunks is its text, without counts", () => {
  const { added: _added, removed: _removed, hunks: _hunks, ...file } = fileOf("a", "1\n", "2\n");
  const text = JSON.stringify({ summary: "s", cwd: "/w", diff: "-1\n+2\n", files: [file] });
  expect(planFromText(text)).toEqual({
    summary: "s",
    cwd: "/w",
    diff: "-1\n+2\n",
    files: [{ ...file, added: 0, removed: 0, hunks: [] }],
  });
  expect(doneFromText(JSON.stringify([file]))).toEqual([{ ...file, added: 0, removed: 0, hunks: [] }]);
});

test("what was done of a plan is kept without its lines", () => {
  const file = fileOf("a", "1\n", "2\n");
  expect(doneFromText(doneToText([file]))).toEqual([{ ...file, hunks: [] }]);
});
