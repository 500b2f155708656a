import { room } from "../room.ts";

/** The texts on a session for any front end that asks for them. */
export const services = room("services", {
  picture: ({ file }: { file: string }) => `the picture is in ${file}`,
  nothingSaid: "nothing was said in this session yet",
  noTitle: "nothing of that can be a title",
  called: ({ title }: { title: string }) => `this session is now called ${title}`,
  nothingToFork: "this session has no settled step: there is nothing to fork",
  forked: ({ fork, turns, session }: { fork: string; turns: number; session: string }) =>
    `${fork} begins with ${turns} turns of ${session}, which stays as it is; files are as they are now`,
  mode: ({ mode, means }: { mode: string; means: string }) => `mode ${mode}: ${means}`,
  autoSandbox: "auto-sandbox: what a session writes may run, apart from the workspace",
  /** The state of a session, by names. */
  status: {
    version: "version",
    folder: "folder",
    saved: "saved",
    title: "title",
    turns: "turns",
    files: "files",
    notSaved: "not yet: nothing was said",
    noneChanged: "none changed",
    changed: ({ files }: { files: number }) => `${files} changed: /diff shows them`,
  },
  /** The parts that take the room of the model's context, by names. */
  context: {
    prompt: "prompt",
    tools: "tools",
    files: "files",
    memories: "memories",
    summary: "summary",
    promptIs: "what the agent is, and where",
    toolsAre: ({ tools }: { tools: number }) => `${tools} of them; /tools lists each`,
    filesAre: "instructions of the project",
    filesOf: ({ sources }: { sources: readonly string[] }) => `instructions of the project: ${sources.join("; ")}`,
    memoriesAre: "what you want remembered, and the agent's notes; agent memories lists them",
    summaryIs: "of the talk before it; /undo compact takes it back",
  },
  tools: ({ tools }: { tools: number }) => `${tools} tools, with their risk, and their tokens in each request`,
  moreModels: ({ models }: { models: number }) => `and ${models} more: agent models lists all`,
  moreRules: ({ rules }: { rules: number }) => `${rules} more: agent policy suggest lists them`,
  showAnew: "/suggest shows it anew",
  /** Commands of files. */
  leftOut: ({ name, source, why }: { name: string; source: string; why: string }) =>
    `/${name} of ${source} is left out: ${why}`,
  wrong: ({ name, source, why }: { name: string; source: string; why: string }) => `/${name} of ${source}: ${why}`,
  ofChat: ({ name }: { name: string }) => `/${name} is a command of the chat, and is typed there`,
  noCommand: ({ name }: { name: string }) => `there is no command /${name}; agent skills lists those of files`,
  slashHint: ({ name }: { name: string }) => `a message that begins with a slash: "//${name}"`,
  waitsForTrust: ({ source }: { source: string }) => `waits for your trust (/trust) · ${source}`,
  demoApart: ({ session }: { session: string }) => `the demo works in a project of its own, not in session ${session}`,
  demoHint: "begin one: agent chat --model demo",
});
