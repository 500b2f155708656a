import { room } from "../room.ts";

/** The list of sessions. */
export const picker = room("picker", {
  /** Its line of /help. */
  help: { argument: "ID", text: "choose a session to go over to" },
  /** The answers of its command. */
  answers: {
    notListed: ({ typed }: { typed: string }) => `there is no session ${typed} in the list: /sessions shows it`,
    here: "this is that session",
    none: "there are no sessions",
    usage: "/sessions NUMBER goes over to one",
  },
  ofAll: "sessions of all folders",
  ofFolder: ({ folder }: { folder: string }) => `sessions of ${folder}`,
  position: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
  filtered: ({ text }: { text: string }) => `with ${text}`,
  noneFound: "no session has these words",
  none: "there are no sessions; a shows other folders",
  untitled: "(no title)",
  /** The widest first. */
  hints: [
    "enter goes on · / filter · r rename · x remove · a all folders · esc back",
    "enter · / filter · r rename · x remove · a all · esc",
    "enter · / r x a · esc back",
  ],
  remove: "remove it for good? y removes, any other key keeps it",
  removeShort: "remove for good? y · any key keeps it",
  kept: "it was kept",
  /** Before the title that is typed. */
  naming: "title: ",
  emptyTitle: "a title has at least one character",
  nothingLeft: "nothing is left of that title: it is as it was",
  renamed: ({ title }: { title: string }) => `it is called “${title}” now`,
  here: "you are in it",
  inUse: "in use by another process",
  filesChanged: ({ files }: { files: number }) => (files === 1 ? "1 file changed" : `${files} files changed`),
  busy: "another process works in this session",
  removeHere: "this is the session you are in: /new first",
  more: ({ sessions }: { sessions: number }) => `… and ${sessions} more: agent sessions`,
});
