import { room } from "../room.ts";

/** Files of tools: why one is left out. */
export const toolFiles = room("toolFiles", {
  nameShape: "a file of tools has a name that ends with .mjs, .ts or .mts",
  missing: ({ path }: { path: string }) => `there is no file ${path}`,
  noText: "it is not UTF-8",
  noFile: "it is no plain file",
  changed: "it waits for your trust: files of the project were changed since you trusted them (agent trust)",
  waits: "it waits for your trust (agent trust)",
});
