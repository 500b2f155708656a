import { room } from "../room.ts";

/** Folders that the person adds, and the one that the agent is started in: why one is not taken. */
export const addedFolders = room("addedFolders", {
  relative: ({ dir }: { dir: string }) => `${dir} is a relative path: write the whole one`,
  missing: ({ dir }: { dir: string }) => `there is no folder ${dir}`,
  noFolder: ({ dir }: { dir: string }) => `${dir} is not a folder`,
  holdsHome: ({ dir }: { dir: string }) => `${dir} holds your home, or is it: name the folder that is meant`,
  kernel: ({ dir }: { dir: string }) => `${dir} holds kernel files`,
});
