/** The text of `/init` to the model, as a message of the person's. */
export const initMessage = `Write AGENTS.md in the root of this project: what an agent that works here must know, and could not guess.
Look first: at the readme, the build files, the tests, the settings of linters and of CI, and at a few typical sources.
Say how to build, test (one test too), check and format; how the code is laid out; which conventions it follows; and what to leave alone.
Keep it under 60 lines, with commands that you found in the project, and nothing that is true of any project.
If there is an AGENTS.md, read it and improve it; take over what CLAUDE.md or CONTEXT.md say, where there is one.`;
