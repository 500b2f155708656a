import { room } from "../room.ts";

/** A statement about a commit: how it is made and sealed, and what does not fit. */
export const attest = room("attest", {
  notInPath: ({ program }: { program: string }) => `there is no ${program} in PATH`,
  install: ({ program }: { program: string }) => `install ${program}`,
  noCommit: ({ asked, why }: { asked: string; why: string }) => `git could not say what ${asked} is: ${why}`,
  notSealed: ({ key, why }: { key: string; why: string }) => `${key} could not sign: ${why}`,
  agentHint: "a key with a passphrase signs through the ssh agent: name its .pub file",
  notVerified: ({ why }: { why: string }) => `not verified: ${why}`,
  /** The reasons why not. */
  nobodySigned: ({ signers }: { signers: string }) => `none of ${signers} signed it`,
  badSignature: ({ why }: { why: string }) => `its signature is not good: ${why}`,
  noStatement: "it is no statement of this program",
  unsealed: "it is not sealed: only a signed statement proves anything",
  otherCommit: ({ said, commit }: { said: string; commit: string }) => `it is about commit ${said}, not ${commit}`,
  otherParent: "it has another parent of the commit",
  missing: ({ path }: { path: string }) => `it says nothing of ${path}`,
  twice: "it tells of a file twice",
  wrongSums: "its lines do not come to its sums",
  notChanged: ({ path }: { path: string }) => `the commit does not change ${path}`,
  isText: ({ path }: { path: string }) => `${path} is text, and it says nothing of its lines`,
  otherBytes: ({ path }: { path: string }) => `${path} has other bytes`,
  noSuchLines: ({ path }: { path: string }) => `${path}: it tells of lines that are not there`,
  otherLines: ({ path }: { path: string }) => `${path}: its lines are not those that the commit added`,
  linesDiffer: ({ path, from, to }: { path: string; from: number; to: number }) =>
    `${path}: lines ${from} to ${to} have other bytes`,
  needsSigners: "--verify needs --signers FILE: whose signatures count",
  signersHint: 'a line of it: NAME namespaces="holdfast-attest" ssh-ed25519 AAAA…',
  unreadable: ({ file }: { file: string }) => `${file} is no statement that can be read`,
  verified: ({ by, commit, sums }: { by: string; commit: string; sums: string }) =>
    `verified: signed by ${by}; commit ${commit}: ${sums}`,
  ofCalls: ({ lines }: { lines: number }) => `${lines} added lines of recorded calls`,
  ofOthers: ({ lines }: { lines: number }) => `${lines} of others`,
  unknown: ({ lines }: { lines: number }) => `${lines} not known any more`,
  noText: ({ files }: { files: number }) => `${files} files that are no text, or too large`,
});
