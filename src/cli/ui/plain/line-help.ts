import { commandHelp } from "../composer/slash-commands.ts";

/** The text of `/help` here: the same commands, and what the keys of a line do. */
export function lineHelp(): string {
  return [
    commandHelp(),
    "",
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
  ].join("\n");
}
