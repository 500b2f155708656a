import { room } from "../room.ts";

interface Whose {
  name: string;
  /** Of this project's settings, not the person's. */
  isProjects: boolean;
}

const server = ({ name, isProjects }: Whose): string => `${isProjects ? "this project's " : ""}${name}`;

/** Signing in to a server, and out of it. */
export const mcpSignIn = room({
  noAnswer: "This is no answer that is waited for.",
  heard: "The agent has heard it. How it ended stands in its terminal; this page can be closed.",
  portTaken: "another program has it",
  notHeard: ({ port, why }: { port: number; why: string }) =>
    `nothing can be heard at port ${port} of this machine: ${why}`,
  wrongHint: "look at it; agent mcp logout removes it",
  inKeyring: ({ program }: { program: string }) => `in the system's keyring, by ${program}`,
  inFile: ({ file }: { file: string }) => `in ${file}, which you alone may read`,
  /** `why`: where that is known. */
  unread: ({ why }: { why: string | undefined }) =>
    `its tokens could not be read${why === undefined ? "" : ` (${why})`}, and nobody was told`,
  stays: ({ why, ...whose }: Whose & { why: string }) => `the sign-in at ${server(whose)} stays: ${why}`,
  staysInKeyring: ({ told, ...whose }: Whose & { told: string }) =>
    `the sign-in at ${server(whose)} stays: the system's keyring, where it is or may be, did not remove it; ${told}`,
  signedOut: ({ told, ...whose }: Whose & { told: string }) =>
    `signed out of ${server(whose)}: what was kept is gone; ${told}`,
  /** Whether tokens are of no use to anybody any more. */
  revoked: ({ host }: { host: string }) => `${host} was told that its tokens are of no use any more`,
  endAlone: ({ host }: { host: string }) => `${host} cannot be told, and its tokens end by themselves`,
  untold: ({ host, why }: { host: string; why: string }) =>
    `${host} could not be told, and its tokens end by themselves (${why})`,
});
