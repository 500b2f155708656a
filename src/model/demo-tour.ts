import { demoTour as words } from "../words/en/demo-tour.ts";
import { boilingTest, kettlePath, rightLine, testPath, wrongLine } from "./demo-project.ts";
import type { ScriptedCall } from "./play.ts";
import type { ScriptedAnswer } from "./port.ts";

/** The end of the calls of the tour's last message, as their observations tell it; `none` before the first. */
export type Outcome = "none" | "success" | "refused" | "failed";

export interface TourStep {
  text: string;
  calls: ScriptedCall[];
}

/** Returns the person's answers in a run without a terminal to the calls of one tool, in the order in which the tour asks. */
export function demoAnswers(tool: string): readonly ScriptedAnswer[] {
  if (tool === "write_file") return [{ decision: "approve" }];
  if (tool !== "edit_file") return [];
  return [{ decision: "approve" }, { decision: "deny", reason: words().patch }, { decision: "approve" }];
}

const bump = (version: string): ScriptedCall => ({
  name: "edit_file",
  arguments: {
    file_path: "package.json",
    old_string: '"version": "1.0.0"',
    new_string: `"version": "${version}"`,
  },
});

const said = (before: Outcome) =>
  ({ before: before === "success" ? "done" : before === "refused" ? "refused" : "failed" }) as const;

/**
 * The tour's steps, one a model request. Each reads how the calls before it ended, so that a person who answers otherwise
 * than the script is answered truly; undefined leaves the step out.
 */
export const tourSteps: readonly ((before: Outcome) => TourStep | undefined)[] = [
  () => ({
    text: words().look,
    calls: [
      { name: "read_file", arguments: { file_path: "README.md" } },
      { name: "grep", arguments: { pattern: "toCelsius", path: "." } },
    ],
  }),
  (before) => ({
    text: words().function(said(before)),
    calls: [{ name: "read_file", arguments: { file_path: kettlePath } }],
  }),
  () => ({
    text: words().formula,
    calls: [{ name: "edit_file", arguments: { file_path: kettlePath, old_string: wrongLine, new_string: rightLine } }],
  }),
  (before) => ({
    text: words().test(said(before)),
    calls: [{ name: "write_file", arguments: { file_path: testPath, content: boilingTest } }],
  }),
  (before) => ({ text: words().version(said(before)), calls: [bump("2.0.0")] }),
  (before) => (before === "success" ? undefined : { text: words().smaller(said(before)), calls: [bump("1.0.1")] }),
  (before) => ({ text: words().end(said(before)), calls: [] }),
];

/** Returns what is answered to whatever is said after the tour. */
export const afterTour = (): string => words().over;
