import { room } from "../room.ts";

interface Whose {
  name: string;
  /** Of this project's settings, not the person's. */
  isProjects: boolean;
}

interface Page {
  name: string;
  host: string;
  issuer: string;
  goesTo: string;
  rights: string | undefined;
}

const server = ({ name, isProjects }: Whose): string => `${isProjects ? "this project's " : ""}${name}`;

/** Signing in to a server, and out of it. */
export const mcpSignIn = room("mcpSignIn", {
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
  /** The words on whether tokens are of no use to anybody any more. */
  revoked: ({ host }: { host: string }) => `${host} was told that its tokens are of no use any more`,
  endAlone: ({ host }: { host: string }) => `${host} cannot be told, and its tokens end by themselves`,
  untold: ({ host, why }: { host: string; why: string }) =>
    `${host} could not be told, and its tokens end by themselves (${why})`,
  ask: ({ name }: { name: string }) => `Ask ${name} where to sign in? Type yes: `,
  stopped: "it was stopped",
  nothingChanged: "nothing changed",
  notSignedIn: ({ why }: { why: string }) => `not signed in: ${why}`,
  cannotSignIn: ({ name, why }: { name: string; why: string }) => `nobody can sign in at ${name}: ${why}`,
  unreachable: "it cannot be reached",
  isStarted: ({ name }: { name: string }) => `nobody signs in at ${name}: it is started, and not spoken to over HTTP`,
  nobody: ({ name, why }: { name: string; why: string }) => `nobody signs in at ${name}: ${why}`,
  signedIn: ({ name, where }: { name: string; where: string }) => `signed in to ${name}; the sign-in is kept ${where}`,
  waitsForTrust: ({ name }: { name: string }) => `it is off until you trust it: agent mcp trust ${name}`,
  /** `rights`: those that it is asked for; undefined for none. */
  page: ({ name, host, issuer, goesTo, rights }: Page) => {
    const of = host === issuer ? "" : ` (of ${issuer})`;
    return `${name} has you sign in at ${host}${of}; its token goes to ${goesTo}${rights === undefined ? "" : `, for ${rights}`}`;
  },
  openIt: "open it in a browser of this machine",
  opens: ({ opener }: { opener: string }) => `${opener} opens it`,
  waiting: ({ how, minutes }: { how: string; minutes: number }) =>
    `${how}; waiting for ${minutes} minutes, Ctrl-C ends it`,
  noneCame: ({ minutes }: { minutes: number }) => `no answer came within ${minutes} minutes`,
  unkept: ({ why, told }: { why: string; told: string }) => `it could not be kept: ${why}; ${told}`,
  nobodyThere: ({ name }: { name: string }) => `nobody is signed in at ${JSON.stringify(name)}`,
  listHint: "agent mcp list shows them",
});
