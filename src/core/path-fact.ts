/** The part of the files it reads that a tool tells of: their names, their content, or nothing. */
export type Access = "names" | "content" | "none";

/** One path as asked by the model and as it resolves (symlinks followed by the nearest existing ancestor). */
export interface PathFact {
  asked: string;
  real: string;
  access: "read" | "write";
  /** It lies in a directory of git's data, whatever that is called, or would make its folder one. */
  gitDir?: true;
  /** The file begins as a private key does. */
  key?: true;
  /** Of a write: git runs it by itself, because settings of a repository say so. `hooks`: it lies in a folder of hooks. */
  gitRuns?: "hooks" | "named";
  /** With all that lies below it. */
  deep?: true;
  /** Nobody wrote its name: the patterns of its command, by number, that stand for it. */
  matched?: number[];
  /** Of a read: it was installed for all users of the machine, who may read it; root alone may change it. */
  ofMachine?: true;
  /** Of a read: it is no file and no folder, but a FIFO, a socket or a device: what is read there comes of something else, and may be gone then. */
  stream?: true;
  /** Of a file with more than one name: what it is, by device and inode. */
  file?: string;
}
