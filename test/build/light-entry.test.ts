import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What a file imports when it is loaded: nothing by `import()`, and nothing that is a type alone. */
function imported(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    return isType(statement) ? [] : [moduleSpecifier.text];
  });
}

function isType(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  const named = clause?.namedBindings;
  const typesAlone =
    clause?.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every(({ isTypeOnly }) => isTypeOnly);
  return clause !== undefined && (clause.isTypeOnly || typesAlone);
}

/** Packages that are loaded with a file of the source, each with the files that lead to it. */
function packagesOf(entry: string, seen = new Set<string>()): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const walk = (file: string, way: readonly string[]): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const by = [...way, relative(root, file)];
    for (const name of imported(file)) {
      if (name.startsWith(".")) walk(join(dirname(file), name), by);
      else if (!name.startsWith("node:") && !found.has(name)) found.set(name, by);
    }
  };
  walk(join(root, entry), []);
  return found;
}

test("the library loads no package of LangChain's by itself; the graph does, which shows that the walk finds them", () => {
  const isPeer = ([name]: [string, string[]]) => name.startsWith("@langchain/");
  const packages = packagesOf("src/index.ts");
  expect([...packages].filter(isPeer)).toEqual([]);
  expect([...packages.keys()]).toContain("zod");
  expect([...packagesOf("src/graph/compile-graph.ts")].filter(isPeer)).not.toEqual([]);
});

test("what opens a session's tools loads nothing of servers before there is one", () => {
  const seen = new Set<string>();
  for (const entry of ["src/cli/main.ts", "src/cli/composition.ts", "src/cli/open-tools.ts"]) packagesOf(entry, seen);
  const files = [...seen].map((file) => relative(root, file));
  expect(files).toContain("src/cli/open-tools.ts");
  expect(files.filter((file) => /^src\/(?:tools|cli)\/mcp\//u.test(file))).toEqual([]);
});
