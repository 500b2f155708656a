import { room } from "../room.ts";

/** The texts of the place where the person writes. */
export const composer = room("composer", {
  /** In an empty input. */
  hint: "ask, or / for commands, @ for files, ? for keys",
  hintAtWork: "enter tells the agent at its next step, alt+enter when this turn ends",
  hintWaiting: "up takes back what waits · enter tells the agent at its next step",
  moreNames: ({ names }: { names: number }) => `… ${names} more · ↑↓`,
  moreKeys: "… /help has them all",
  /** Before the words that are searched for. */
  searching: "earlier messages with: ",
  none: "none",
  position: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
  searchKeys: "ctrl+r older · enter takes it into the input · esc goes back",
  draftKept: ({ draft }: { draft: string }) => `your draft is kept: “${draft}”`,
  /** Stands for a long paste; `at` where it is not the first. */
  pastedLines: ({ lines, at }: { lines: string; at: number | undefined }) =>
    `[pasted ${lines} lines${at === undefined ? "" : ` #${at}`}]`,
  pastedCharacters: ({ characters, at }: { characters: string; at: number | undefined }) =>
    `[pasted ${characters} characters${at === undefined ? "" : ` #${at}`}]`,
  editorFailed: "the editor failed: the message is as it was",
  /** Each key, and what it does. */
  keys: {
    enter: "send; while the agent works: tell it at its next step",
    "alt+enter": "while the agent works: send when this turn ends",
    "shift+enter, ctrl+j": "new line; a \\ at the end of the line too",
    "! COMMAND": "run it yourself; the model sees it with your next message",
    "/": "commands",
    "@": "a file's name",
    "up, down": "earlier messages; up first takes back what waits",
    "ctrl+r": "search earlier messages",
    "ctrl+g": "write the message in your editor",
    tab: "write out the paste before the cursor",
    "shift+tab": "mode: ask, accept-edits, read-only, plan",
    esc: "stop the turn; messages that wait come back",
    "esc esc": "on an empty line, at rest: go on from an earlier message",
    "ctrl+p": "all that can be done here, in one list: commands, modes, sessions",
    "ctrl+o": "the helpers and their talks; without any, all of this talk",
    "ctrl+s": "a command that runs goes on in the background; on an empty line ctrl+b too",
    "ctrl+t": "fold the row of the plan, or show it",
    "ctrl+x": "take back a memory that was just saved, when the draft is empty",
    "ctrl+c": "clear the draft, else stop the turn; twice leaves",
    "ctrl+d": "leave, when the draft is empty",
  },
});
