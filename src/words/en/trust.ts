import { room } from "../room.ts";

/** The reasons why files of a project cannot be trusted as they are, and the faults of the tables of what is trusted. */
export const trust = room("trust", {
  leadsToProtected: ({ path }: { path: string }) => `${path}: a link that leads to what is protected`,
  leadsOutOfProject: ({ path }: { path: string }) => `${path}: a link that leads out of the project`,
  leadsOutOfWorkspace: ({ path }: { path: string }) => `${path}: a link that leads out of the workspace`,
  leadsNowhere: ({ path }: { path: string }) => `${path}: a link that leads nowhere`,
  tooDeep: ({ path, most }: { path: string; most: number }) =>
    `${path}: folders lie deeper than ${most} (or a link leads round)`,
  tooManyNames: ({ most }: { most: number }) => `there are more than ${most} names`,
  tooManyFiles: ({ most }: { most: number }) => `there are more than ${most} files`,
  tooManyBytes: ({ megabytes }: { megabytes: number }) => `the files have more than ${megabytes} MB`,
  notWorkspaces: ({ wrong }: { wrong: string }) => `this is not a list of trusted workspaces: ${wrong}`,
  notServers: ({ wrong }: { wrong: string }) => `this is not a list of trusted servers: ${wrong}`,
  hashes: "each file has its sha256",
});
