import { room } from "../room.ts";

const more = (count: number): string => `and ${count} more`;

/** Of a call; `by` and `rule` as the record has them. */
const decided =
  (how: string) =>
  ({ by, rule }: { by: string; rule: string | undefined }): string =>
    `${how} by ${by}${rule === undefined ? "" : `, rule ${rule}`}`;

/** Short words of what commands print: cells of tables, parts of a line. */
export const cells = room("cells", {
  more: ({ count }: { count: number }) => more(count),
  leftOut: "left out",
  nameOf: ({ name, source }: { name: string; source: string }) => `${name} of ${source}`,
  model: ({ model }: { model: string }) => `model ${model}`,
  notHeeded: ({ keys }: { keys: readonly string[] }) => `not heeded: ${keys.join(", ")}`,
  allTools: "all",
  noTools: "none",
  takenBack: "taken back",
  versions: ({ versions }: { versions: number }) => (versions === 1 ? "1 version" : `${versions} versions`),
  versionsAt: ({ versions, now }: { versions: number; now: number }) => `${versions} versions, at ${now} again`,
  hasVersions: ({ versions }: { versions: readonly number[] }) => `it has ${versions.join(", ")}`,
  cannotWrite: ({ path, why }: { path: string; why: string }) => `cannot write ${path}: ${why}`,
  forceReplaces: "--force replaces it",
  commit: ({ commit, sums }: { commit: string; sums: string }) => `commit ${commit}: ${sums}`,
  commitUnsigned: ({ commit, sums }: { commit: string; sums: string }) => `commit ${commit}: ${sums}; not signed`,
  scriptedPerson: ({ said }: { said: string }) => `${said}   (scripted person)`,
  error: ({ message }: { message: string }) => `error: ${message}`,
  searchAt: ({ provider, url }: { provider: string; url: string }) => `${provider} at ${url}`,
  asFile: ({ kind, path }: { kind: string; path: string }) => `${kind} as ${path}`,
  byRule: ({ by, rule }: { by: string; rule: string }) => `${by} by ${rule}`,
  importAgain: "import again",
  wrote: ({ file }: { file: string }) => `wrote ${file}`,
  hook: ({ event, command }: { event: string; command: string }) => `hook ${event}: ${command}`,
  hookOf: ({ event, matcher, command }: { event: string; matcher: string; command: string }) =>
    `hook ${event} of ${matcher}: ${command}`,
  notWritten: ({ what, why }: { what: string; why: string }) => `${what}: not written: ${why}`,
  notRead: ({ why }: { why: string }) => `not read: ${why}`,
  server: ({ name, entry }: { name: string; entry: string }) => `server ${name}: ${entry}`,
  scopeIsNone: ({ scope }: { scope: string }) => `--scope: ${scope} is none`,
  serverOn: ({ tools }: { tools: number }) => `on, ${tools} ${tools === 1 ? "tool" : "tools"}`,
  andPrompts: ({ prompts }: { prompts: readonly string[] }) =>
    ` and the ${prompts.length === 1 ? "prompt" : "prompts"} ${prompts.join(", ")}`,
  serverOff: ({ why }: { why: string }) => `off: ${why}`,
  serverLine: ({ name, isYours, state }: { name: string; isYours: boolean; state: string }) =>
    `${name} (${isYours ? "yours" : "this project's"}): ${state}`,
  notNameValue: ({ given }: { given: string }) => `--env ${given} is not NAME=VALUE`,
  yourOwn: "your own",
  everywhere: "everywhere",
  removed: ({ what }: { what: string }) => `removed ${what}`,
  modelInUse: "in use",
  seesImages: "sees images",
  effort: ({ effort }: { effort: string }) => `effort ${effort}`,
  byMethods: ({ methods }: { methods: readonly string[] }) => `by ${methods.join(", ")}`,
  withSecrets: ({ secrets }: { secrets: readonly string[] }) => `with secrets ${secrets.join(", ")}`,
  ofSession: ({ session }: { session: string }) => `session ${session}`,
  grant: ({ id, scope }: { id: string; scope: string }) => `grant ${id} (${scope})`,
  revoked: ({ id }: { id: string }) => `revoked ${id}`,
  risk: ({ risk }: { risk: string }) => `risk ${risk}`,
  effect: ({ effect }: { effect: string }) => `effect ${effect}`,
  attempts: ({ attempts }: { attempts: number }) => `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`,
  ran: ({ time }: { time: string }) => `ran ${time}`,
  decided: {
    asked: decided("asked"),
    allowed: decided("allowed"),
    refused: decided("refused"),
    decided: decided("decided"),
  },
  digest: ({ digest }: { digest: string }) => `digest ${digest}`,
  exported: ({ session, path }: { session: string; path: string }) => `exported ${session} to ${path}`,
  replaced: ({ name, count, by }: { name: string; count: number; by: string }) =>
    `replaced ${name} ${count} ${count === 1 ? "time" : "times"} by ${by}`,
  dropped: ({ what, size }: { what: string; size: string }) => `dropped ${what}: ${size}`,
  wouldDrop: ({ what, size }: { what: string; size: string }) => `would drop ${what}: ${size}`,
  files: ({ files }: { files: number }) => `${files} ${files === 1 ? "file" : "files"}`,
  filesChanged: ({ files }: { files: string }) => `${files} changed`,
  helpers: ({ helpers }: { helpers: number }) => `+${helpers} ${helpers === 1 ? "helper" : "helpers"}`,
  plan: ({ done }: { done: string }) => `plan, ${done}:`,
  forkedFrom: ({ session }: { session: string }) => `forked from ${session}`,
  forkedAt: ({ session, at }: { session: string; at: string }) => `forked from ${session} at ${at}`,
  verified: ({ session, calls, events }: { session: string; calls: number; events: number }) =>
    `✔ ${session}: ${calls} calls, ${events} events`,
  noReplies: "no replies",
  noRepliesSince: ({ since }: { since: string }) => `no replies since ${since}`,
  shownAs: ({ name, label }: { name: string; label: string }) => `${name} as ${label}`,
  changed: { made: "made", removed: "removed", changed: "changed" },
  serverOffNotice: ({ name, why }: { name: string; why: string }) => `MCP server ${name}: ${why}`,
  attached: ({ file }: { file: string }) => `attached: ${file}`,
  /** Things that are said one behind the other. */
  several: ({ what }: { what: readonly string[] }) => what.join("; "),
  helpersFact: "helpers",
  moreAttached: ({ files }: { files: number }) => `${files} more files are attached`,
  notAttached: ({ why }: { why: string }) => `not attached: ${why}`,
  allowRules: ({ rules }: { rules: number }) => `${rules} allow ${rules === 1 ? "rule" : "rules"}`,
  agents: ({ count }: { count: number }) => `${count} agent${count === 1 ? "" : "s"}`,
  commands: ({ count }: { count: number }) => `${count} command${count === 1 ? "" : "s"}`,
  skills: ({ count }: { count: number }) => `${count} skill${count === 1 ? "" : "s"}`,
  toolFiles: ({ count }: { count: number }) => `${count} tool ${count === 1 ? "file" : "files"}`,
  lines: ({ lines }: { lines: string }) => `${lines} lines`,
  characters: ({ characters }: { characters: string }) => `${characters} characters`,
  notSent: ({ text }: { text: string }) => `not sent: ${text}`,
  position: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
  unknownKey: "unknown key",
  unknownKeys: ({ keys }: { keys: readonly string[] }) => `unknown key ${keys.join(", ")}`,
  itsPart: ({ part }: { part: string }) => `its ${part}`,
  helpersTogether: ({ read, written, cost }: { read: string; written: string; cost: string | undefined }) =>
    `${read} read, ${written} written${cost === undefined ? "" : `, which cost ${cost}`}`,
  helpersAll: ({ helpers, together }: { helpers: string; together: string }) =>
    `${helpers}: ${together}; /agents shows them`,
  helperTook: ({ agent, tokens, steps }: { agent: string; tokens: string; steps: number }) =>
    `${agent}: ${tokens} tokens in ${steps} step${steps === 1 ? "" : "s"}`,
  pattern: ({ pattern, path }: { pattern: string; path: string }) => `${pattern} in ${path}`,
});
