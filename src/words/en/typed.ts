import { room } from "../room.ts";

/** The faults of flags as they were typed, and of the folder that they name. */
export const typed = room("typed", {
  approve: ({ text }: { text: string }) => `--approve takes ID, ID@DIGEST or all, not ${JSON.stringify(text)}`,
  named: ({ flag, text }: { flag: string; text: string }) =>
    `--${flag} takes ID or SESSION:ID, not ${JSON.stringify(text)}`,
  digestOfAll: ({ told }: { told: string }) => `--approve ${told}: a digest belongs to one call, name it`,
  digestShape: ({ told, least }: { told: string; least: number }) =>
    `--approve ${told}: a digest takes ${least} to 64 characters, 0-9 and a-f`,
  digestHint: "it is printed with the call that waits: copy it from there",
  deepEdit: ({ call, deep }: { call: string; deep: string }) => `--edit ${call}: the arguments are ${deep}`,
  reasonPlace: "--reason must follow the --deny that it explains",
  contradict: ({ one, of, other, otherOf }: { one: string; of: string; other: string; otherOf: string }) =>
    `--${one} ${of} and --${other} ${otherOf} contradict each other: nothing was decided`,
  noneWaits: ({ kind, of, known }: { kind: string; of: string; known: string }) =>
    `--${kind} ${of}: no call with this id waits for that (waiting: ${known})`,
  oneOf: ({ flag, allowed, text }: { flag: string; allowed: readonly string[]; text: string }) =>
    `${flag} takes one of ${allowed.join(", ")}, not ${JSON.stringify(text)}`,
  steps: ({ text }: { text: string }) => `--max-steps takes a whole number from 1 to 1000, not ${JSON.stringify(text)}`,
  cost: ({ text }: { text: string }) => `--max-cost takes a number above 0, not ${JSON.stringify(text)}`,
  since: ({ text }: { text: string }) =>
    `--since takes a time back such as 12h, 30d or 4w, or a day such as 2026-11-01, not ${JSON.stringify(text)}`,
  folderGone: "the folder that this was started in is not there any more",
  notUtf8: ({ folder }: { folder: string }) => `the path of the folder is not UTF-8: ${folder}`,
  notUtf8Hint: "rename it, or the folder above it that is not",
  noFolder: ({ folder }: { folder: string }) => `there is no folder ${folder}`,
  isNoFolder: ({ folder }: { folder: string }) => `${folder} is not a folder`,
});
