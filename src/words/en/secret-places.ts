import { room } from "../room.ts";

/** The places where the person's secrets are kept, and the faults there. */
export const secretPlaces = room("secretPlaces", {
  notGivenInTime: "the system's keyring did not give it within 2 s; agent secrets set keeps it anew",
  unread: ({ file, why }: { file: string; why: string }) => `${file} cannot be read: ${why}`,
  noFile: ({ file }: { file: string }) => `${file} cannot be read: it is no file`,
  /** The reasons why a file or a folder is not taken for the place of secrets. */
  isLink: ({ path }: { path: string }) => `${path} is a link: it is not taken for the place of secrets`,
  hasOtherNames: ({ path }: { path: string }) => `${path} has other names: it is not taken for the place of secrets`,
  isNoFolder: ({ path }: { path: string }) => `${path} is no folder: it is not taken for the place of secrets`,
  isOthers: ({ path, uid }: { path: string; uid: number }) =>
    `${path} belongs to another user (uid ${uid}): it is not taken for the place of secrets`,
  isOpen: ({ path, mode }: { path: string; mode: string }) =>
    `${path} is open to others (mode ${mode}): it is not taken for the place of secrets`,
  isOther: ({ path }: { path: string }) => `${path} is not as it was written: it is not taken for the place of secrets`,
  placeHint: "look at it, remove it, and set the secrets anew",
  inKeyring: ({ program }: { program: string }) => `in the system's keyring, by ${program}`,
  inFile: ({ file }: { file: string }) =>
    `in ${file}, which you alone may read (there is no program for the system's keyring)`,
  inFileInstead: ({ file, program }: { file: string; program: string }) =>
    `in ${file}, which you alone may read (${program} did not take it)`,
});
