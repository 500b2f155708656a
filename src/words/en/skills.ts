import { room } from "../room.ts";

/** Skills of files: why one is left out. */
export const skills = room("skills", {
  nameShape: "a skill's name has 1 to 64 of a-z, 0-9 and -",
  otherFolder: ({ name }: { name: string }) => `its name is ${name}, and its folder another one`,
  noDescription: "it has no description",
  longDescription: ({ most }: { most: number }) => `its description is longer than ${most}`,
  longCompatibility: ({ most }: { most: number }) => `its compatibility is longer than ${most}`,
  noKeys: "it has no keys",
  leadsOut: ({ file }: { file: string }) => `its ${file} leads out of its folder`,
  noFile: "it is no regular file that can be read",
  tooLarge: ({ kilobytes }: { kilobytes: number }) => `it is larger than ${kilobytes} kB`,
  waits: "it waits for your trust (agent trust)",
  noText: "it is no UTF-8 text",
  hasName: ({ source }: { source: string }) => `another one has this name, and comes first: ${source}`,
  more: ({ count }: { count: number }) => `and ${count} more (agent skills)`,
  leftOut: ({ names }: { names: readonly string[] }) => `skills left out: ${names.join("; ")}`,
});
