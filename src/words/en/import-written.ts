import { room } from "../room.ts";

/** What becomes of a person's files where another program's settings are taken over. */
export const importWritten = room({
  link: ({ path, isFolder }: { path: string; isFolder: boolean }) =>
    `${path} is a link, or no ${isFolder ? "folder" : "plain file"}: nothing is written through it`,
  noServers: ({ file, line }: { file: string; line: number }) => `${file}:${line}: "mcpServers" must be an object`,
  mendFirst: "nothing was written: mend it first",
  noList: ({ file, line, path }: { file: string; line: number; path: readonly string[] }) =>
    `${file}:${line}: "${path.join(".")}" must be a list`,
});
