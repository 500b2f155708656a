import { room } from "../room.ts";

/** The texts that a person reads of a server before they trust it, and of what became of it. */
export const mcpTrust = room("mcpTrust", {
  cannot: ({ name, why }: { name: string; why: string }) => `${name} cannot be trusted: ${why}`,
  cannotStart: "it cannot be started",
  already: ({ name }: { name: string }) => `${name} is trusted already; to look at its tools again go on`,
  toSee: ({ isReached, name }: { isReached: boolean; name: string }) =>
    `${isReached ? "Ask" : "Start"} ${name}, to see its tools? Type yes: `,
  isOther: "it is another one by now than was shown",
  trust: ({ what }: { what: string }) => `Trust ${what}? Type yes: `,
  notTrusted: ({ name, why }: { name: string; why: string }) => `${name} was not trusted: ${why}`,
  trusted: ({ name, hasTools }: { name: string; hasTools: boolean }) =>
    `trusted ${name}${hasTools ? "; new sessions have its tools" : ""}`,
  hasNothing: ({ name }: { name: string }) => `${name} has no tool, prompt or resource that can be used here`,
  declined: "not trusted: nothing changed",
  notSignedIn: "not signed in: nothing changed",
  asks: ({ command }: { command: string }) => `agent mcp ${command} asks at a terminal`,
  asksHint: ({ command }: { command: string }) => `after reading what is above: agent mcp ${command} NAME --yes`,
  startedBy: ({ isYours, entry }: { isYours: boolean; entry: string }) =>
    `${isYours ? "your" : "the project's"} server is started by\n  ${entry}`,
  runs: ({ path, sha }: { path: string; sha: string }) => `which runs ${path} (sha ${sha})`,
  unpinned: ({ name }: { name: string }) =>
    `careful: ${name} is fetched in whatever version there is that day; name one (NAME@1.2.3)`,
  inWorkspace:
    "careful: it runs in the workspace, and its words name no program or script there: what it runs of the workspace (a folder, a module, a script of a package) may change, and you are not asked again",
  looksFor: ({ variable, folder }: { variable: string; folder: string }) =>
    `careful: ${variable} has it look for code in ${folder}: what lies there may change, and you are not asked again`,
  outside: "it runs outside the sandbox, with the network and all that you may read and write",
  mayAsk:
    "it may ask your model while a call of it runs: you read what it asks and what is answered, and say yes to each",
  proxy:
    "its pages reach the internet through a proxy of the agent, by your rules for hosts, and nothing else unless a rule or a call that you approve names it",
  isRoot: "careful: you are root, and Chromium has no sandbox of its own then",
  spokenTo: ({ isYours, entry }: { isYours: boolean; entry: string }) =>
    `${isYours ? "your" : "the project's"} server is there already, and is spoken to at\n  ${entry}`,
  header: ({ name }: { name: string }) => `with the header ${name}`,
  unencrypted: "careful: it goes unencrypted: whoever is on the way can read it, headers too, and change it",
  isPrivate: "its name may lead into your own network",
  goesTo: ({ host, port }: { host: string; port: number | undefined }) =>
    `what a call holds goes to ${host}:${port}, which does with it what it likes`,
  asClient: ({ client }: { client: string }) => `where you sign in as a user of the client ${client}`,
  forScopes: ({ scopes }: { scopes: readonly string[] }) => `where you sign in for ${scopes.join(" ")}`,
  comesBack: ({ port }: { port: number }) => `where your sign-in comes back to port ${port} of this machine`,
  unchecked: ({ why }: { why: string }) => `its arguments are not checked: ${why}`,
  forResources: "it for its resources, which are what it says each time",
  these: {
    tools: "these tools, exactly as they are",
    prompts: "these prompts, exactly as they are",
    both: "these tools and prompts, exactly as they are",
  },
  /** `title`: empty where it has none. */
  has: ({ title, tools }: { title: string; tools: number }) =>
    `${title === "" ? "the server" : title} has ${tools} ${tools === 1 ? "tool" : "tools"}`,
  leftOut: ({ name, why }: { name: string; why: string }) => `left out: ${name}: ${why}`,
  /** Of what starts it: `NAME=VALUE`. */
  withSetting: ({ setting }: { setting: string }) => `with ${setting}`,
  /** Behind a name: of what is not trusted yet, and of what is another than was. */
  freshMark: " (new)",
  changeMark: ({ change }: { change: string }) => ` (${change})`,
  prompts: ({ count }: { count: number }) => `and ${count} ${count === 1 ? "prompt" : "prompts"}, for you to type`,
  cannotBeStarted: ({ name }: { name: string }) => `${name} cannot be started`,
  stopped: "it was stopped",
  logsHint: ({ name }: { name: string }) => `what it said: agent mcp logs ${name}`,
  /** `title`: empty where it has none. */
  works: ({ name, title, tools, prompts }: { name: string; title: string; tools: number; prompts: number }) => {
    const and = prompts === 0 ? "" : ` and ${prompts} trusted prompts`;
    return `${name} works${title === "" ? "" : ` (${title})`}: ${tools} trusted tools${and}`;
  },
  isOff: ({ name, why }: { name: string; why: string }) => `${name} is off: ${why} since you trusted it`,
  isOffNow: ({ name, why }: { name: string; why: string }) => `${name} is off: ${why}`,
  isNew: ({ name }: { name: string }) => `${name} is new, and waits for your trust`,
  look: ({ name }: { name: string }) => `to look at them and trust them: agent mcp trust ${name}`,
});
