import { boilingTest, kettlePath, rightLine, testPath, wrongLine } from "./demo-project.ts";
import type { ScriptedCall } from "./play.ts";
import type { ScriptedAnswer } from "./port.ts";

/** The end of the calls of the tour's last message, as their observations tell it; `none` before the first. */
export type Outcome = "none" | "success" | "refused" | "failed";

export interface TourStep {
  text: string;
  calls: ScriptedCall[];
}

/** The first words of the tour. */
export const demoNotice = "This is a scripted demo: the words are fixed, but the tools, diffs and approvals are real.";

/** The person's answers in a run without a terminal, by tool, in the order in which the tour asks. */
export const demoAnswers: Readonly<Record<string, readonly ScriptedAnswer[]>> = {
  edit_file: [
    { decision: "approve" },
    { decision: "deny", reason: "A mended defect is a patch: 1.0.1, please." },
    { decision: "approve" },
  ],
  write_file: [{ decision: "approve" }],
};

const bump = (version: string): ScriptedCall => ({
  name: "edit_file",
  arguments: {
    file_path: "package.json",
    old_string: '"version": "1.0.0"',
    new_string: `"version": "${version}"`,
  },
});

/**
 * The tour's steps, one a model request. Each reads how the calls before it ended, so that a person who answers otherwise
 * than the script is answered truly; undefined leaves the step out.
 */
export const tourSteps: readonly ((before: Outcome) => TourStep | undefined)[] = [
  () => ({
    text: `${demoNotice}

This is a small project in a folder of its own: a program that tells when the tea water is ready. Let me look around. \
Reading asks nothing of you.`,
    calls: [
      { name: "read_file", arguments: { file_path: "README.md" } },
      { name: "grep", arguments: { pattern: "toCelsius", path: "." } },
    ],
  }),
  (before) => ({
    text: `${before === "success" ? "The sensor talks in Fahrenheit, and one function turns that into Celsius." : "Not all of that could be read, but there is one more place to look."} \
212 °F should be 100 °C. Here is the function.`,
    calls: [{ name: "read_file", arguments: { file_path: kettlePath } }],
  }),
  () => ({
    text: `The formula lacks its parentheses: \`*\` binds stronger than \`-\`, so only the 32 is scaled, and 212 becomes 194. \
One line mends it. I may not write that by myself: you see the diff, and what you approve is what is written, byte for byte.`,
    calls: [{ name: "edit_file", arguments: { file_path: kettlePath, old_string: wrongLine, new_string: rightLine } }],
  }),
  (before) => ({
    text: `${afterFix(before)} A test shows whether water boils where it should; here is one.`,
    calls: [{ name: "write_file", arguments: { file_path: testPath, content: boilingTest } }],
  }),
  (before) => ({
    text: `${afterTest(before)} Now the version. I am proud of this one, so I suggest 2.0.0. You may say no, and why: \
the reason is what I go on with.`,
    calls: [bump("2.0.0")],
  }),
  (before) =>
    before === "success"
      ? undefined
      : {
          text: `${before === "refused" ? "Fair: only a defect was mended, so a patch release is enough." : "That did not work, and 2.0.0 was too much anyway."} \
1.0.1 then.`,
          calls: [bump("1.0.1")],
        },
  (before) => ({
    text: `${afterVersion(before)}

That was the tour. What you saw is kept: every call with its diff, who decided, and how it ended.

- Try \`node src/kettle.js 212\` and \`node --test\` in the demo's folder.
- \`agent sessions --all\` lists this session from any folder, \`agent resume ID\` goes on with it; it may be stopped at any time, also by force.
- With a model of your own: set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server, and run \`agent chat\` in your project.`,
    calls: [],
  }),
];

/** To whatever is said after the tour. */
export const afterTour = `The tour is over, and I only know these fixed words: nothing was read or changed just now. \
For a real conversation set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server, and run \`agent chat\`. \
\`agent chat --model demo\` begins the tour anew.`;

function afterFix(before: Outcome): string {
  if (before === "success") return "The line is mended.";
  if (before === "refused") return "As you like: the line stays as it was, and the kettle keeps boasting.";
  return "The edit did not go through, and nothing was changed by it.";
}

function afterTest(before: Outcome): string {
  if (before === "success") return "The test is written.";
  if (before === "refused") return "No test, then.";
  return "The test could not be written.";
}

function afterVersion(before: Outcome): string {
  if (before === "success") return "The new version is in package.json.";
  if (before === "refused") return "The version stays 1.0.0, as you said.";
  return "The version could not be changed.";
}
