import { room } from "../room.ts";

/** The texts of the view that is read on the whole screen. */
export const fullView = room("fullView", {
  /** Its line of /help. */
  help: { argument: "", text: "all that this session changed" },
  nothingChanged: "this session has changed nothing",
  changed: "changed by this session",
  /** The keys, the widest first. */
  hints: [
    "j k space b g G · J K change · ] [ file · / search · h l sideways · v sides · esc back",
    "J K change · ] [ file · / search · h l sideways · esc back",
    "J K change · / search · esc back",
    "J K · / · esc back",
  ],
  files: ({ files }: { files: number }) => `${files} files`,
  position: ({ from, to, of }: { from: number; to: number; of: number }) => `${from}-${to} of ${of}`,
  end: ({ to }: { to: number }) => `${to} (end)`,
  otherKeys: "J goes to the next change, K to the one before",
  noFurther: { file: "no further file", hunk: "no further change" },
  noneBefore: { file: "no file before this one", hunk: "no change before this one" },
  needsRoom: "two sides need 140 columns",
  found: ({ query }: { query: string }) => `/ and enter finds “${query}” again`,
  notFound: ({ query }: { query: string }) => `“${query}” is not in it`,
  searching: ({ query, looked, total }: { query: string; looked: number; total: number }) =>
    `searching “${query}”, ${looked} of ${total} rows · esc gives up`,
});
