import { mediaLimits } from "./media-limits.ts";
import { patternLimits } from "./pattern-limits.ts";

export interface Limit {
  /** What is counted, for people. */
  what: string;
  most: number;
  unit: keyof typeof units;
  /** Why there is a limit, why it is this one, and what happens past it. */
  why: string;
}

const kB = 1000;
const MB = 1000 * kB;
const second = 1000;
const minute = 60 * second;

/**
 * How much is taken from whoever is not the person: the model's server, the model, a repository. `agent doctor --limits`
 * prints the table. Each is far above what honest use comes to, and low enough that memory and time stay bounded.
 */
export const limits = {
  replyText: {
    what: "text of one reply",
    most: 4 * MB,
    unit: "bytes",
    why: "ten times what the longest models can say; past it the reply is cut and nothing of it is carried out",
  },
  replyThoughts: {
    what: "thoughts told with one reply",
    most: 4 * MB,
    unit: "bytes",
    why: "they are shown and not kept, as many as there may be text; past it the reply is cut",
  },
  callArguments: {
    what: "arguments of one call",
    most: 2 * MB,
    unit: "bytes",
    why: "a change of more than 1 MB, which is approved by its digest, still fits; past it the reply is cut",
  },
  replyArguments: {
    what: "arguments of all calls of one reply",
    most: 8 * MB,
    unit: "bytes",
    why: "four of the largest; past it the reply is cut",
  },
  replyCalls: {
    what: "calls of one reply",
    most: 128,
    unit: "calls",
    why: "each is planned, judged and stored, and a person reads those that ask; past it the reply is cut",
  },
  callName: {
    what: "name or id of one call",
    most: kB,
    unit: "characters",
    why: "tools have names of 64 at most, and a name is compared and repeated; past it the reply is cut",
  },
  argumentDepth: {
    what: "depth of a call's arguments",
    most: 200,
    unit: "levels",
    why: "every walk over them is recursive; deeper ones are INVALID_ARGUMENT for that call alone",
  },
  replyEvent: {
    what: "one event of a reply's stream",
    most: 16 * MB,
    unit: "bytes",
    why: "the whole of a reply may come in one, with its escapes; past it the reply is cut",
  },
  replyStream: {
    what: "stream of one reply, with all that is said around it",
    most: 128 * MB,
    unit: "bytes",
    why: "200,000 tokens of which each comes with 600 bytes around it; past it the reply is cut",
  },
  errorBody: {
    what: "body of an answer that is no reply",
    most: 64 * kB,
    unit: "bytes",
    why: "300 characters of it are shown; the rest is not read",
  },
  errorBodyTime: {
    what: "time for the body of an answer that is no reply",
    most: 10 * second,
    unit: "ms",
    why: "what has come by then is what is told",
  },
  silence: {
    what: "silence of the model's server",
    most: 2 * minute,
    unit: "ms",
    why: "without a byte the connection is lost; before anything was shown the request is made again",
  },
  localSilence: {
    what: "silence of a model's server on this machine",
    most: 10 * minute,
    unit: "ms",
    why: "a model that the processor computes says nothing while it reads a long prompt; silenceMs of a server sets its own",
  },
  noProgress: {
    what: "time in which a server keeps talking and says nothing",
    most: 10 * minute,
    unit: "ms",
    why: "models that hide their thoughts send signs of life for minutes; past it the reply is cut",
  },
  replyTime: {
    what: "one reply from its request to its end",
    most: 6 * 60 * minute,
    unit: "ms",
    why: "a slow model on a slow machine writes its longest reply in two hours; past it the reply is cut",
  },
  memoryLength: {
    what: "one memory that the agent saves",
    most: 500,
    unit: "characters",
    why: "it is told to the model with every request; a longer one is refused",
  },
  memories: {
    what: "memories in the person's file",
    most: 200,
    unit: "lines",
    why: "so many can be looked over; another is refused until some are removed (agent memories rm)",
  },
  memoriesOfTurn: {
    what: "memories saved in one turn",
    most: 3,
    unit: "lines",
    why: "a turn that wants to save more was told to by what it read; the fourth is refused",
  },
  instructionFile: {
    what: "one instruction file, or the memories",
    most: 32 * 1024,
    unit: "bytes",
    why: "it is sent with every request; the rest is left out, and the model is told so",
  },
  commandOutput: {
    what: "output of one command that is kept",
    most: 8 * MB,
    unit: "bytes",
    why: "no log that anybody reads is longer; of more the first and last half of it are kept, and what is between is counted",
  },
  observation: {
    what: "what the model gets of one call, unless the settings or the tool say otherwise",
    most: 30_000,
    unit: "characters",
    why: "it is sent with every later request; the first two thirds and the last one are shown, and read_file shows the rest",
  },
  commandShown: {
    what: "output of one command that the model gets at once",
    most: 30_000,
    unit: "characters",
    why: "it is sent with every later request; the first third and the last two are shown, and read_file shows the rest",
  },
  commandLine: {
    what: "text of one command",
    most: 64 * 1024,
    unit: "bytes",
    why: "nobody reads a longer one before it runs; it is refused",
  },
  commandParts: {
    what: "programs that one command starts, as far as its text tells",
    most: 1000,
    unit: "programs",
    why: "each is judged with the files that it names, and nothing else is done meanwhile; more are refused",
  },
  commandNesting: {
    what: "programs of one command that start each other, as env, sudo or bash -c do",
    most: 20,
    unit: "levels",
    why: "each level reads all that is behind it once more; a deeper one is refused",
  },
  commandTime: {
    what: "one command that does not run in the background",
    most: 60 * minute,
    unit: "ms",
    why: "a call holds up all that comes after it; the model may ask for less, and gets 2 min where it does not say",
  },
  requestTries: {
    what: "one request to the model, made again where nothing of its reply was shown",
    most: 5,
    unit: "times",
    why: "a server that is down stays down; then the turn fails, and can be continued",
  },
  requestWait: {
    what: "wait before a request is made again",
    most: minute,
    unit: "ms",
    why: "nobody waits longer without a word; where the server asks for more the turn fails, says for how long, and can be continued",
  },
  unseenStarts: {
    what: "starts of one call by itself whose end was never seen",
    most: 3,
    unit: "times",
    why: "the call may be what ends the process; then a read is an error, and of any other call the person decides",
  },
  toolTime: {
    what: "one call of a tool that says no time of its own",
    most: 10 * minute,
    unit: "ms",
    why: "a call holds up all that comes after it (toolTimeoutMs in config.json); past it the call is stopped with all that it started",
  },
  outputCheckTime: {
    what: "checking the last words of a turn by its schema",
    most: second,
    unit: "ms",
    why: "a pattern of the schema may have no end with some text; past it the text does not fit",
  },
  outputSchema: {
    what: "a file for --output-schema",
    most: 256 * kB,
    unit: "bytes",
    why: "it is told to the model with every request of the turn",
  },
  toolGrace: {
    what: "time that a stopped call has to end by itself",
    most: 1.5 * second,
    unit: "ms",
    why: "a person who stops it waits; then a read is CANCELLED, and of any other call the outcome is unknown and said to be",
  },
  childGrace: {
    what: "the same of a call that has a child, or that writes a file or our own data",
    most: 5 * second,
    unit: "ms",
    why: "a child has two seconds before it is killed, and a slow disk may take as long: their end is to be seen",
  },
  toolFileTime: {
    what: "loading one file of your own tools",
    most: 5 * second,
    unit: "ms",
    why: "nothing is asked of the model before all are loaded; past it the file is left out, and told",
  },
  toolLookTime: {
    what: "what your own tool does before it runs: its description, its arguments, its plan",
    most: 10 * second,
    unit: "ms",
    why: "it only looks; past it the call is refused, and the process of a tool of a file is ended and started anew with the next call",
  },
  toolPartTime: {
    what: "what a tool of yours does with arguments that the model still writes, each time",
    most: 2 * second,
    unit: "ms",
    why: "it only shows something; past it the tool is not asked again for that call, and the process of tools of files is ended",
  },
  toolStopTime: {
    what: "time that a stopped tool of a file has to end by itself",
    most: second,
    unit: "ms",
    why: "then the process of the tools is ended with all that it started, and started anew with the next call",
  },
  toolMessage: {
    what: "one message of the process of your own tools",
    most: 64 * MB,
    unit: "bytes",
    why: "the longest output that is kept fits, however it is escaped; past it the process is ended",
  },
  instructionFiles: {
    what: "instruction files named by a project",
    most: 50,
    unit: "files",
    why: "more nobody has written for an agent; the rest is left out, and told",
  },
  instructions: {
    what: "all instruction files together",
    most: 100 * kB,
    unit: "bytes",
    why: "they are sent with every request; the rest is left out, and told",
  },
  changedFile: {
    what: "one file that is changed, before or after",
    most: 16 * 1024 * 1024,
    unit: "bytes",
    why: "both are held in memory, and kept to be taken back; a larger one is TOO_LARGE",
  },
  editPlaces: {
    what: "places of one edit",
    most: 100_000,
    unit: "places",
    why: "so many take a second in which nothing else is done; more are TOO_LARGE",
  },
  ...patternLimits,
  globFound: {
    what: "files that glob collects",
    most: 200_000,
    unit: "files",
    why: "all are held in memory to find the newest; past it the search stops, and says so",
  },
  grepCounted: {
    what: "matching lines that grep counts",
    most: 10_000,
    unit: "lines",
    why: "at most 1,000 are shown; past it the search stops, and says that there are more",
  },
  folderEntries: {
    what: "entries of a folder that ls reads",
    most: 100_000,
    unit: "files",
    why: "at most 1,000 are shown; past it the count is told as more than that",
  },
  readOutput: {
    what: "what one read_file shows",
    most: 50 * kB,
    unit: "bytes",
    why: "it is sent with every later request; the rest is read by offset",
  },
  regexTime: {
    what: "one match of a regular expression of the model",
    most: second,
    unit: "ms",
    why: "a pattern may backtrack without end; it runs beside, is ended, and is REGEX_TIMEOUT",
  },
  grepTime: {
    what: "one search by grep",
    most: 20 * second,
    unit: "ms",
    why: "a folder may be of any size; what was found by then is told, with the word that it is not all",
  },
  webBody: {
    what: "one page, document or list of search results, unpacked",
    most: 10 * MB,
    unit: "bytes",
    why: "long documents fit, and a small answer that unpacks to a large one does not; past it the call is TOO_LARGE",
  },
  webTime: {
    what: "one page from its request to its last byte, over all redirects",
    most: 30 * second,
    unit: "ms",
    why: "a slow server still answers; past it the call is TIMEOUT",
  },
  webSilence: {
    what: "silence of a web server",
    most: 15 * second,
    unit: "ms",
    why: "also for the connection to it; past it the call is UNREACHABLE",
  },
  pageTime: {
    what: "making a page into markdown, or into plain text",
    most: 2 * second,
    unit: "ms",
    why: "pages can be written that take for ever; past it the page is given as plain text, or not at all",
  },
  pdfTime: {
    what: "reading the text of a PDF",
    most: 10 * second,
    unit: "ms",
    why: "a book of a thousand pages is read in it; past it the call is TIMEOUT",
  },
  ...mediaLimits,
  keptTreeFile: {
    what: "one file that is kept before a command runs",
    most: MB,
    unit: "bytes",
    why: "what people write is smaller; a larger file that a command changed is named and cannot be taken back",
  },
  keptTreeFiles: {
    what: "files of a workspace that are kept before a command runs",
    most: 20_000,
    unit: "files",
    why: "each is looked at before and after every command; beyond it nothing is kept, and the question says so",
  },
  keptTree: {
    what: "all files of a workspace that are kept before a command runs",
    most: 200 * MB,
    unit: "bytes",
    why: "they are copied once; beyond it nothing is kept, and the question says so",
  },
  keptTrees: {
    what: "what is kept for commands of all sessions",
    most: 1000 * MB,
    unit: "bytes",
    why: "that of the session which was used least lately is dropped; its commands cannot be taken back any more",
  },
} as const satisfies Record<string, Limit>;

const units = {
  bytes: (most: number) =>
    most % MB === 0 ? `${most / MB} MB` : most % 1024 === 0 ? `${most / 1024} KiB` : `${most / kB} kB`,
  ms: (most: number) => {
    if (most % (60 * minute) === 0) return `${most / (60 * minute)} h`;
    return most % minute === 0 ? `${most / minute} min` : `${most / second} s`;
  },
  characters: (most: number) => `${most} characters`,
  levels: (most: number) => `${most} levels`,
  calls: (most: number) => `${most} calls`,
  programs: (most: number) => `${most} programs`,
  lines: (most: number) => `${most} lines`,
  files: (most: number) => `${most} files`,
  places: (most: number) => `${most} places`,
  times: (most: number) => `${most} times`,
  patterns: (most: number) => `${most} patterns`,
  pixels: (most: number) => `${most / 1_000_000} million pixels`,
  pages: (most: number) => `${most} pages`,
};

/** A limit's figure as people read it, e.g. "4 MB" or "10 min". */
export const limitText = ({ most, unit }: Limit): string => units[unit](most);
