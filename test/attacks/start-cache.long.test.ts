import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { copyOfInstall, runNode, tempFolder } from "../build/support/run.ts";

/** A person's place with every folder in which a start could keep something, and a command that has an install of its own. */
function openPlace() {
  const root = tempFolder();
  const at = (name: string): string => {
    mkdirSync(join(root, name), { recursive: true });
    return join(root, name);
  };
  const [user, home, cache, temp, workspace] = [at("user"), at("home"), at("cache"), at("temp"), at("work")];
  const install = copyOfInstall();
  const env = { HOME: user, AGENT_HOME: home, XDG_CACHE_HOME: cache, TMPDIR: temp };
  writeFileSync(
    join(workspace, "script.ndjson"),
    '{"v":1,"kind":"holdfast-script"}\n{"calls":[{"name":"ls","arguments":{}}]}\n{"text":"Seen."}\n',
  );
  return {
    root,
    home,
    cache,
    workspace,
    install,
    /** One turn with a call, without a person. */
    run: (changes: Record<string, string> = {}) =>
      runNode([join(install, "bin", "agent.js"), "run", "-m", "script:script.ndjson", "look around"], {
        env: { ...env, ...changes },
        cwd: workspace,
      }),
  };
}

/** Every file below a folder, with what is in it and when it was written. */
const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file), `${readFileSync(file, "utf8")} ${statSync(file).mtimeMs}`]),
  );

/** Ten entries that are nobody's but their owner's, the oldest first to go where someone tidies up. */
function fillWithOthers(folder: string): Record<string, string> {
  for (let i = 0; i < 5; i += 1) {
    mkdirSync(join(folder, `project-${i}`), { recursive: true });
    writeFileSync(join(folder, `project-${i}`, "thesis.tex"), `chapter ${i}`);
    writeFileSync(join(folder, `0123456789abcde${i}-${process.version}-${process.arch}`), "not ours");
  }
  return filesOf(folder);
}

test("folders in which others keep their files are as they were after starts, also through a link", () => {
  const place = openPlace();
  const others = tempFolder();
  symlinkSync(others, join(place.home, "cache"));
  const before = [fillWithOthers(others), fillWithOthers(join(place.cache, "holdfast"))];
  for (let i = 0; i < 3; i += 1) expect(place.run()).toMatchObject({ code: 0, stdout: "Seen.\n" });
  expect([filesOf(others), filesOf(join(place.cache, "holdfast"))]).toEqual(before);
});

test("a turn writes the store in its home and nothing anywhere else, the install not either", () => {
  const place = openPlace();
  const [script] = [join("work", "script.ndjson")];
  const installed = [filesOf(join(place.install, "dist")), filesOf(join(place.install, "bin"))];
  expect(place.run()).toMatchObject({ code: 0, stdout: "Seen.\n" });
  expect(Object.keys(filesOf(place.root)).sort()).toEqual([
    join("home", "agent.db"),
    join("home", "agent.db-made"),
    script,
  ]);
  expect([filesOf(join(place.install, "dist")), filesOf(join(place.install, "bin"))]).toEqual(installed);
});

/** Puts a program that leaves a mark under every name that the command's own files have. */
function poison(folder: string, install: string, mark: string): void {
  const code = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "ran");`;
  const names = [
    join("bin", "agent.js"),
    ...["app", "sdk", "."].flatMap((at) => namesIn(join(install, "dist", at), at)),
  ];
  for (const name of ["package.json", ...names]) {
    const file = join(folder, name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, name === "package.json" ? '{"type":"module"}' : code);
  }
}

const namesIn = (folder: string, at: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .flatMap((name) => [join(at, name), name]);

test.each<[string, Record<string, string>, { code: number; stdout: string }]>([
  ["in the home and the user's cache folder", {}, { code: 0, stdout: "Seen.\n" }],
  ["in the workspace, by a relative home", { AGENT_HOME: ".agent" }, { code: 52, stdout: "" }],
  ["in the workspace, by a relative cache folder", { XDG_CACHE_HOME: ".cache" }, { code: 0, stdout: "Seen.\n" }],
])("code that somebody laid %s is not run", (_, changes, ends) => {
  const place = openPlace();
  const mark = join(place.root, "mark");
  const homes = [place.home, join(place.workspace, ".agent")].flatMap((home) => [home, join(home, "cache")]);
  const caches = [place.cache, join(place.workspace, ".cache")].map((cache) => join(cache, "holdfast"));
  for (const folder of [...homes, ...caches]) poison(folder, place.install, mark);
  expect(place.run(changes)).toMatchObject(ends);
  expect(readdirSync(place.root)).not.toContain("mark");
});
