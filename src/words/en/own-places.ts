import { room } from "../room.ts";

/** The agent's own folders and the person's: why one cannot be used. */
export const ownPlaces = room("ownPlaces", {
  /** The others who can write it. */
  everybody: "everybody",
  group: "its group",
  byList: "others, by its access control list",
  linksHint: "remove these links, or set AGENT_HOME to another folder",
  foreignHint: ({ mine, path }: { mine: number | undefined; path: string }) =>
    `if it is to be yours: sudo chown -R ${mine} ${path}; else set AGENT_HOME to a folder of your own`,
  foreign: ({ path, uid }: { path: string; uid: number }) => `${path} belongs to another user (uid ${uid})`,
  foreignWay: ({ place, isLink, uid, path }: { place: string; isLink: boolean; uid: number; path: string }) =>
    `${place} is reached through ${isLink ? "a link" : "a folder"} of another user (uid ${uid}): ${path}`,
  foreignWayHint: "set AGENT_HOME to a folder that only you can exchange",
  writableHint: ({ path }: { path: string }) => `look at what is in it, then: chmod go-w ${path}`,
  writable: ({ path, who }: { path: string; who: string }) => `${path} can be written by ${who}`,
  noFolder: ({ path }: { path: string }) => `${path} is not a folder`,
  unusable: ({ folder, reason }: { folder: string; reason: string }) =>
    `the agent cannot keep its files in ${folder}: ${reason}`,
  unusableHint: "set AGENT_HOME to a folder that can be created and written",
  wholePath: ({ name, path }: { name: string; path: string }) => `give the whole path: export ${name}="$PWD/${path}"`,
  relative: ({ name, path }: { name: string; path: string }) => `${name} is a relative path: ${path}`,
  homeHint: "set HOME, or AGENT_HOME to a folder for the agent's own files",
  noHome: "this user has no home folder",
  round: ({ path }: { path: string }) => `${path} leads through links that go round`,
});
