import { room } from "../room.ts";

/** The chat where lines are all there is. */
export const plain = room("plain", {
  /** Below the commands: what keys do, and what is typed to a call that waits. */
  help: [
    "keys",
    "  enter                  send (while the agent works: queue)",
    "  backspace, ctrl+u      rub out a character, the line",
    "  esc                    clear the line, else deny the call that waits, else stop the running turn",
    "  ctrl+c                 clear the line, else stop, a call that waits stays waiting; twice leaves",
    "                         (of a helper where no other one works, else all helpers end)",
    "  ctrl+d                 leave, when the line is empty",
    "",
    "when a call waits, type",
    "  n or deny              deny it; a reason may follow",
    "  r REASON               deny it, and say why",
    "  e JSON                 edit: the whole arguments, then decide",
    "  y or yes               approve once; where the risk is high or not all is shown only the word yes counts",
    "  s or session           approve, and such calls in this session, where it is offered",
    "  p or project           approve, and such calls in this project, where it is offered",
    "  w or written           approve, and what the session writes may run in the sandbox, where it is offered",
    "  m or mode              approve, and allow edits from now on, where it is offered",
  ],
  /** To a line that answers nothing: it was begun before its question, or for one that was answered elsewhere. */
  late: "That line was begun before the question was asked; nothing was decided. Type your answer again.",
  gone: "That question was answered meanwhile; nothing was sent.",
  justAsked: "The question had just come: nothing was decided. Esc again says no.",
  stopped: "Stopped.",
  stoppedOnce: "Stopped. Once more leaves; the session stays saved.",
  leaves: "ctrl+c again leaves; the session stays saved",
  notSent: ({ text }: { text: string }) => `Not sent: ${text}`,
});
