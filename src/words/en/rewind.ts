import { room } from "../room.ts";

/** Going on from an earlier message. */
export const rewind = room("rewind", {
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
