import { room } from "../room.ts";

/** The things that a session is begun or gone on with, and the obstacles to it. */
export const starting = room("starting", {
  needsTerminal: "agent chat needs a terminal on stdin and stdout",
  needsTerminalHint:
    'without one: agent run "what to do" (add --json for events), or agent chat --model demo for the tour',
  noShell: ({ shell }: { shell: string }) =>
    `there is a completion for bash, zsh and fish, not for ${JSON.stringify(shell)}`,
  demo: ({ workspace }: { workspace: string }) =>
    `This is a scripted demo, on a copy of a small project in ${workspace}`,
  schemaOfTurn: "--output-schema is for the turn that a prompt begins",
  schemaHint: "a turn that goes on keeps the schema that it was begun with",
  imageOfMessage: "-i comes with a message",
  imageHint: 'agent resume ID "what is it?" -i FILE',
  notSent: "the message was not sent: answer the waiting calls first",
  emptyPrompt: "the prompt is empty",
  emptyPromptHint: 'agent run "what to do", or agent run - with the prompt on stdin',
  toResume: "to resume",
  toContinue: "to continue",
  toUndo: "in which something could be undone",
});
