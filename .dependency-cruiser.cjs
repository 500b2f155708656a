// The house of CONTEXT.md: imports run one way, bin -> cli -> graph -> {policy, store, model} -> tools.
const only = (from, ...to) => ({
  name: `${from}-imports`,
  severity: "error",
  from: { path: `^src/${from}/` },
  to: { path: "^(src|bin|test)/", pathNot: [`^src/${from}/`, ...to.map((d) => `^src/${d}/`)] },
});
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
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    only("tools"),
    only("policy", "tools"),
    only("store", "tools"),
    only("model", "tools"),
    only("graph", "tools", "policy", "store", "model"),
    // cli speaks to the graph and uses the ground floor's words; composition alone sees all.
    { ...only("cli", "graph", "tools"), from: { path: "^src/cli/", pathNot: "^src/cli/composition\\.ts$" } },
    keeps("langchain-stays-below", "@langchain/", "^src/graph/", "^src/model/", "^src/store/"),
    keeps("sqlite-stays-in-store", "better-sqlite3", "^src/store/"),
    keeps("ink-stays-in-ui", "^(node_modules/)?(ink|react)(/|$)", "^src/cli/ui/"),
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
