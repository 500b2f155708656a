// The house of CONTEXT.md: imports run one way,
// bin -> cli -> session -> records -> graph -> {policy, store, model} -> tools -> {files, process, net} -> core.
const only = (from, ...to) => ({
  name: `${from}-imports`,
  severity: "error",
  from: { path: `^src/${from}/` },
  to: { path: "^(src|bin|test)/", pathNot: [`^src/${from}/`, ...to.map((d) => `^src/${d}/`)] },
});
const ground = ["files", "process", "net", "core"];
const keeps = (name, packages, ...homes) => ({
  name,
  severity: "error",
  from: { path: "^src/", pathNot: homes },
  to: { path: packages },
});
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    only("core"),
    // Words are made of data: whose sentences they are, they do not know.
    only("words", "core"),
    only("files", "process", "core"),
    only("process", "core"),
    only("net", "core"),
    // The reasons of the reader of command lines become those of calls: they are worded where policy's are, as a contract.
    only("tools", "words/contract", ...ground),
    {
      name: "words-of-shell-alone",
      comment: "What other tools tell is for the model, and stands where it is told.",
      severity: "error",
      from: { path: "^src/tools/(?!shell/)" },
      to: { path: "^src/words/" },
    },
    only("policy", "words", "tools", ...ground),
    only("store", "tools", ...ground),
    // The tour speaks to a person in the place of a model.
    only("model", "words/en", "tools", ...ground),
    {
      name: "words-of-the-tour-alone",
      comment: "What a model and its client tell is for other code, or is thrown, and stands where it is told.",
      severity: "error",
      from: { path: "^src/model/(?!demo-tour)" },
      to: { path: "^src/words/" },
    },
    only("graph", "words", "policy", "store", "model", "tools", ...ground),
    only("records", "words", "graph", "policy", "store", "model", "tools", ...ground),
    // A session tells what it was by the same readers as the listings do; nothing of records knows a session that is driven.
    only("session", "words", "records", "graph", "policy", "store", "model", "tools", ...ground),
    // What a program gets in the place of a command: the parts of the engine, wired without flags, files of the user or a screen.
    only("sdk", "session", "records", "graph", "policy", "store", "model", "tools", ...ground),
    only("cli", "session", "words", "records", "graph", "policy", "store", "model", "tools", ...ground),
    {
      name: "a-start-stays-light",
      comment:
        "A prompt and a listing come before the graph, the tools and the store are loaded: these files import them when needed. Words and figures are light.",
      severity: "error",
      from: {
        path: "^src/cli/([^/]+|commands/(chat|chat-at-terminal|demo|run|resume|sessions|policy)|settings/.*|services/(session-services|session-door|open-services|about-session|find-files)|print/.*|command-line/.*|completion/.*)[.]ts$",
      },
      to: {
        path: "^src/(graph/(?!talk/call-words|calls/partial)|records/|tools/)|^src/session/(?!exit-codes)|^src/store/(?!types)|^src/model/(?!port|spec|servers)",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "policy-is-pure",
      severity: "error",
      from: { path: "^src/policy/[^/]+$" },
      to: { path: "^src/policy/files/|^(node:)?fs" },
    },
    keeps(
      "langchain-stays-below",
      "@langchain/",
      "^src/graph/",
      "^src/session/",
      "^src/records/",
      "^src/model/",
      "^src/store/",
    ),
    keeps("sqlite-stays-in-its-room", "better-sqlite3|^(node:)?sqlite$", "^src/store/sqlite/driver/"),
    {
      name: "engine-stays-in-its-room",
      comment: "Which engine a store has is known where it is opened alone.",
      severity: "error",
      from: { path: "^(src|bin)/", pathNot: "^src/store/(sqlite/|open-(store|names)[.]ts$)" },
      to: { path: "^src/store/sqlite/" },
    },
    keeps("ink-stays-in-ui", "^(node_modules/)?(ink|react)(/|$)", "^src/cli/ui/"),
    {
      name: "below-commands",
      comment:
        "Any front end is given the services, and what they stand on: they know no command, and no screen. What they tell is said beside them.",
      severity: "error",
      from: { path: "^src/cli/(services|settings|mcp|secrets|print|terminal|completion|attest|import)/" },
      to: { path: "^src/cli/(ui|commands)/" },
    },
    {
      name: "sessions-come-by-one-door",
      comment:
        "Whoever begins or opens a session asks `services/session-door.ts`, which checks its folder, mode and model first.",
      severity: "error",
      from: { path: "^src/cli/", pathNot: "^src/cli/services/session-door[.]ts$" },
      to: { path: "^src/session/(open-agent|driven-session)[.]ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "src-never-imports-test",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|scripts)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
