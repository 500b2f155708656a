import { room } from "../room.ts";

/** Whose a file's lines and changes are. */
export const provenance = room("provenance", {
  noSuchFile: ({ file }: { file: string }) => `${file}: there is no such file`,
  noText: ({ file }: { file: string }) => `${file} is no text: agent log shows what was done with it`,
  noCall: "no recorded call changed this file",
  changedSince: "changed since by something else",
  damaged: ({ session }: { session: string }) => `session ${session} is damaged: its calls are not looked at`,
  noFile: ({ file }: { file: string }) => `${file} is no file`,
  tooLarge: ({ file, size, most }: { file: string; size: number; most: number }) =>
    `${file} has ${size} bytes: at most ${most} are looked at`,
  unreadable: ({ file }: { file: string }) => `${file} cannot be read`,
  owners: {
    other: "not the agent's",
    unknown: "not known any more",
  },
  by: {
    unrecorded: "not recorded",
    person: "approved by you",
    script: "approved by a script",
    policy: "allowed",
    recovery: "recovered",
  },
});
