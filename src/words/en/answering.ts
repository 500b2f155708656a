import { room } from "../room.ts";

/** Answers for a session that another process drives. */
export const answering = room("answering", {
  nothingSaid: "what is answered is not said",
  nothingSaidHint: "agent answer ID --approve c3@DIGEST",
  noCall: ({ name, id }: { name: string; id: string }) =>
    `${name} is no call of session ${id}, nor of one that it drives`,
  nameEach: ({ flag }: { flag: string }) => `--${flag} all: name each call`,
  needsDigest: ({ call }: { call: string }) => `--approve ${call} needs the digest of what was read: ID@DIGEST`,
  digestHint: "agent sessions show ID --calls has it",
  taken: {
    approve: ({ name }: { name: string }) => `${name} is approved`,
    deny: ({ name }: { name: string }) => `${name} is denied`,
  },
});
