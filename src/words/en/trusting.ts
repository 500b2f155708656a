import { room } from "../room.ts";

/** Trust in a project's files: what is asked, and what became of it. */
export const trusting = room("trusting", {
  cannot: ({ obstacles }: { obstacles: readonly string[] }) =>
    `this workspace cannot be trusted: ${obstacles.join("; ")}`,
  othersMay: ({ who }: { who: string }) => `${who}: whoever that is may change what you are about to trust`,
  notTrusted: "not trusted: nothing changed",
  lookAgain: "look again: agent trust",
  changedMeanwhile: "the files changed while you were reading them: nothing was trusted",
  trusted: ({ workspace }: { workspace: string }) => `trusted ${workspace}, as these files are now`,
  notTrustedFor: ({ why }: { why: string }) => `not trusted: ${why}`,
  notTrustedForHint:
    "nobody but you should be able to change it: chmod go-w, or chown; at a terminal agent trust asks you instead",
  yesAndRevoke: "--yes trusts, and --revoke takes that back: give one of them",
  revoked: ({ workspace, what }: { workspace: string; what: string }) =>
    `${workspace} is not trusted any more: ${what}`,
  wasNot: "it was not trusted: nothing changed",
  revokedText:
    "its allow rules and tools are not used from the next call on, its settings and instructions not in new sessions",
  revokeHint: "to take that back: /trust revoke",
  tooLong: ({ files }: { files: number }) => `${files} files, too long to be read in a chat: leave, then agent trust`,
  offer: ({ force }: { force: string }) =>
    `would come into force: ${force}\nto trust these files, exactly as they are: /trust yes`,
  nothingBrought: "nothing that this version uses",
  inForce: ({ brought, files }: { brought: string; files: string }) =>
    `in force: ${brought}\nby these files, as they are: ${files}`,
  servers: ({ servers }: { servers: number }) =>
    `${servers} ${servers === 1 ? "server" : "servers"}, each with agent mcp trust NAME`,
  alreadyTrusted: ({ workspace }: { workspace: string }) => `${workspace}: trusted already`,
  nothingToTrust: ({ workspace }: { workspace: string }) => `${workspace}: nothing to trust here`,
  changedSince: ({ files }: { files: readonly string[] }) => `changed since you trusted: ${files.join(", ")}`,
  asks: "agent trust asks at a terminal",
  asksHint: "after reading the files above: agent trust --yes",
  question: "Trust these files, exactly as they are? Type yes: ",
});
