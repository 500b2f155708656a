import { room } from "../room.ts";

/** Going on from an earlier message. */
export const rewind = room("rewind", {
  /** Its line of /help. */
  help: { argument: "N CHOICE", text: "go on from an earlier message: the talk, the files, or both" },
  /** The answers of its command. */
  answers: {
    later: "a turn is under way: let it end, or stop it, then /rewind",
    underWay: "a rewind is under way: let it end, or stop it, then /rewind",
    none: "there is no earlier message to go on from",
    usage: "/rewind N tells what going on from one would do",
    notThere: ({ message }: { message: string }) => `there is no message ${message}: /rewind shows them`,
    noChoice: ({ typed, choices }: { typed: string; choices: readonly string[] }) =>
      `no such choice here: ${typed}; it is one of ${choices.join(", ")}`,
  },
  title: "go on from an earlier message",
  listHint: "enter looks at it · esc back",
  position: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
  filesSince: ({ files }: { files: number }) => (files === 1 ? "1 file since" : `${files} files since`),
  from: ({ message }: { message: string }) => `go on from before “${message}”`,
  choices: {
    both: "talk and files (the undo asks first)",
    talk: "talk only: files stay as they are",
    files: "files only: the talk stays as it is",
    back: "back",
  },
  inNewSession: "the talk goes on in a new session, with this message in the input; this one stays as it is",
  more: ({ rows }: { rows: number }) => `… ${rows} more`,
  looking: "looking at the files …",
  noneChanged: "no file is changed since",
  /** Before what an undo cannot take back. */
  stays: "stays: ",
  staying: "changed since, and not to be taken back:",
  takenBack: "changed since, to be taken back:",
  leftOut: ({ what }: { what: string }) => `${what}: it is left out`,
});
