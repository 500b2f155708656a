import { spawnSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openPlace, type Place, type Running, told } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";

/**
 * SQLite's locks belong to the process, and go when the process closes any descriptor of the file, by whatever name it was opened. The
 * kernel tells which are held: a connection to a store with a log holds one on the file and one on the shared memory.
 */
const heldBy = (pid: number, file: string): number => {
  const { ino } = statSync(file);
  return readFileSync("/proc/locks", "utf8")
    .split("\n")
    .filter((line) => new RegExp(`POSIX .* ${pid} [0-9a-f]+:[0-9a-f]+:${ino} `, "u").test(line)).length;
};

/** Names by which the agent reads files unasked or on request, all of which are the store here. */
const names = [
  ...["notes.txt", "AGENTS.md", "CLAUDE.md", "package.json", "Makefile", "picture.png", "page.ipynb", "script.py"],
  ...[".gitignore", ".git/config", ".git/HEAD", ".git/hooks/pre-commit", "sub/.git", ".env", "keys/id_rsa", ".npmrc"],
  ...[".holdfast/tools/t.mjs", "tsconfig.json", "run.sh"],
];

function linkAll(place: Place, file: string, link: (from: string, to: string) => void): void {
  for (const name of names) {
    const path = place.path(name);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    link(file, path);
  }
}

const requests: Reply[] = [
  ...["notes.txt", "picture.png", "page.ipynb", "home/agent.db", "home/agent.db-wal", "home/agent.db-shm"].map((path) =>
    asks("read_file", { file_path: path }),
  ),
  asks("grep", { pattern: "SQLite" }),
  asks("grep", { pattern: "(?<=S)QLite", path: "." }),
  asks("glob", { pattern: "**/*" }),
  asks("ls", { path: "." }),
  asks("edit_file", { file_path: "notes.txt", old_string: "SQLite", new_string: "sqlite" }),
  asks("write_file", { file_path: "run.sh", content: "echo\n" }),
  ...["cat plain.txt", "git status", "python3 script.py", "bash run.sh", "make", "npm test", "echo 1 > made.txt"].map(
    (command) => asks("shell", { command }),
  ),
];

it.each([
  ["hard links to", linkSync],
  ["links to", symlinkSync],
] as const)(
  "a workspace full of %s the store, which lies in it, does not make the agent give up its locks",
  async (_, link) => {
    const place = await openPlace([], { "plain.txt": "plain\n" });
    const home = place.path("home");
    const files = ["agent.db", "agent.db-shm"].map((name) => join(home, name));
    const opened = join(place.home, "opened");
    const env = {
      AGENT_HOME: home,
      NODE_OPTIONS: `--import=${fileURLToPath(new URL("../support/watch-opens.mjs", import.meta.url))}`,
      STORE_WATCHED: files[0],
      STORE_OPENED: opened,
    };
    const locks: number[][] = [];
    let running: Running | undefined;
    const looking = requests.map(
      (answer): Answer =>
        () => {
          locks.push(files.map((file) => heldBy(running?.child.pid ?? 0, file)));
          return answer;
        },
    );
    const first = (): Reply => {
      linkAll(place, files[0] ?? "", link);
      return asks("ls", {});
    };
    place.server.push(first, ...looking, says("Done."));

    running = place.spawn(["run", "look at @notes.txt", "--mode", "full-auto", "--json"], { env });
    let ended = told(await running.done);
    for (let waits = 0; ended.code === 11 && waits < requests.length; waits += 1) {
      const answer = ended.end.reason === "awaiting_recovery" ? "--cancel" : "--deny";
      running = place.spawn(["resume", ended.session, answer, "all", "--mode", "full-auto", "--json"], { env });
      ended = told(await running.done);
    }
    expect([ended.code, ended.end.text], ended.stdout).toEqual([10, "Done."]);
    expect(existsSync(opened) ? readFileSync(opened, "utf8") : "").toBe("");
    expect(locks).toHaveLength(requests.length);
    expect(locks.filter((held) => held.some((count) => count === 0))).toEqual([]);
    expect((await place.spawn(["sessions", "verify"], { env }).done).code).toBe(0);
  },
);

it("what the test looks at is told by the kernel and by the program that watches", async () => {
  const place = await openPlace([says("Hi.")]);
  await place.run(["run", "hi"]);
  const file = join(place.home, "agent.db");
  const watch = fileURLToPath(new URL("../support/watch-opens.mjs", import.meta.url));
  const opened = join(place.home, "opened");
  const program = `const store = process.argv[1];
    import("better-sqlite3").then(async ({ default: Driver }) => {
      const db = new Driver(store);
      db.prepare("SELECT count(*) FROM session").get();
      const { readFileSync } = await import("node:fs");
      const held = () => readFileSync("/proc/locks", "utf8").split("\\n").filter((line) => line.includes(" " + process.pid + " ")).length;
      const before = held();
      readFileSync(store);
      console.log(before > held());
    });`;
  const ran = spawnSync(process.execPath, [`--import=${watch}`, "-e", program, file], {
    env: { ...process.env, STORE_WATCHED: file, STORE_OPENED: opened },
    encoding: "utf8",
  });
  expect([ran.stdout, ran.stderr]).toEqual(["true\n", ""]);
  expect(readFileSync(opened, "utf8")).toMatch(/^readFileSync .*agent\.db\n/u);
});
