import { room } from "../room.ts";

/** The end of the calls before, as the tour tells of it. */
interface Before {
  before: "done" | "refused" | "failed";
}

const notice = "This is a scripted demo: the words are fixed, but the tools, diffs and approvals are real.";

const fixed = {
  done: "The line is mended.",
  refused: "As you like: the line stays as it was, and the kettle keeps boasting.",
  failed: "The edit did not go through, and nothing was changed by it.",
};
const tested = { done: "The test is written.", refused: "No test, then.", failed: "The test could not be written." };
const versioned = {
  done: "The new version is in package.json.",
  refused: "The version stays 1.0.0, as you said.",
  failed: "The version could not be changed.",
};

/** The talk of the tour: what `demo` says in the place of a model, and the person of its script. */
export const demoTour = room("demoTour", {
  /** The person's request at the beginning of the tour. */
  prompt: "My kettle says that water boils at 194 °C. Please find out why, and mend it.",
  /** The reason of the person of the script. */
  patch: "A mended defect is a patch: 1.0.1, please.",
  look: `${notice}

This is a small project in a folder of its own: a program that tells when the tea water is ready. Let me look around. \
Reading asks nothing of you.`,
  function: ({ before }: Before) =>
    `${before === "done" ? "The sensor talks in Fahrenheit, and one function turns that into Celsius." : "Not all of that could be read, but there is one more place to look."} \
212 °F should be 100 °C. Here is the function.`,
  formula: `The formula lacks its parentheses: \`*\` binds stronger than \`-\`, so only the 32 is scaled, and 212 becomes 194. \
One line mends it. I may not write that by myself: you see the diff, and what you approve is what is written, byte for byte.`,
  test: ({ before }: Before) => `${fixed[before]} A test shows whether water boils where it should; here is one.`,
  version: ({ before }: Before) =>
    `${tested[before]} Now the version. I am proud of this one, so I suggest 2.0.0. You may say no, and why: \
the reason is what I go on with.`,
  smaller: ({ before }: Before) =>
    `${before === "refused" ? "Fair: only a defect was mended, so a patch release is enough." : "That did not work, and 2.0.0 was too much anyway."} \
1.0.1 then.`,
  end: ({ before }: Before) => `${versioned[before]}

That was the tour. What you saw is kept: every call with its diff, who decided, and how it ended.

- Try \`node src/kettle.js 212\` and \`node --test\` in the demo's folder.
- \`agent sessions --all\` lists this session from any folder, \`agent resume ID\` goes on with it; it may be stopped at any time, also by force.
- With a model of your own: set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server, and run \`agent chat\` in your project.`,
  /** The answer to whatever is said after the tour. */
  over: `The tour is over, and I only know these fixed words: nothing was read or changed just now. \
For a real conversation set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server, and run \`agent chat\`. \
\`agent chat --model demo\` begins the tour anew.`,
});
