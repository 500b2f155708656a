import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { openPlace, type Place, type Ran, told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeAsOther } from "../support/needs.ts";
import { endless } from "../support/under-way.ts";

const storeOf = (place: Place): string => join(place.home, "agent.db");
const logOf = (place: Place): string => `${storeOf(place)}-wal`;
const look = (session: string): string[][] => [
  ["sessions", "list"],
  ["sessions", "show", session],
  ["sessions", "verify"],
];

/** A place with a session that is done, and one whose process was killed, so that its log is left. */
async function killed(): Promise<{ place: Place; session: string; last: string }> {
  const place = await openPlace([says("First."), endless]);
  const { session } = await place.json(["run", "one"]);
  const running = place.spawn(["run", "two", "--json"]);
  await running.shows('"text_delta"');
  running.child.kill("SIGKILL");
  const { stdout } = await running.done;
  return { place, session, last: (JSON.parse(stdout.split("\n")[0] ?? "") as { session: string }).session };
}

/** A place with one session that is done, and nothing beside its store. */
async function used(): Promise<{ place: Place; session: string }> {
  const place = await openPlace([says("First.")]);
  const { session } = await place.json(["run", "one"]);
  return { place, session };
}

/** Whatever is asked of the store ends with 74, says why and what to do, and changes and sends nothing. */
async function refused(place: Place, session: string, words: string): Promise<void> {
  const before = readFileSync(storeOf(place));
  const asked = place.server.requests.length;
  for (const argv of [["run", "more"], ["resume", session, "more"], ...look(session)]) {
    const ran = await place.run(argv);
    expect([argv, ran.code, ran.stdout]).toEqual([argv, 74, ""]);
    expect(ran.stderr).toContain(`${storeOf(place)}: the store is damaged; nothing was changed (${words}`);
    expect(ran.stderr).toContain("To start with a fresh store and keep this one: mkdir ");
  }
  expect(readFileSync(storeOf(place)).equals(before)).toBe(true);
  expect(place.server.requests).toHaveLength(asked);
}

describe("a store whose files were damaged (m8)", () => {
  test("by a cut in its last page", async () => {
    const { place, session } = await used();
    truncateSync(storeOf(place), statSync(storeOf(place)).size - 100);
    await refused(place, session, "it is cut off");
  });

  test("by pages that are gone", async () => {
    const { place, session } = await used();
    truncateSync(storeOf(place), statSync(storeOf(place)).size - 2 * 1024);
    await refused(place, session, "it is cut off");
  });

  test("by having been emptied is no new store", async () => {
    const { place, session } = await used();
    truncateSync(storeOf(place), 0);
    await refused(place, session, "it is empty, and was a store before");
  });

  test("by the loss of its log, or of the log's end; and with it again the session goes on", async () => {
    const { place, last } = await killed();
    const log = readFileSync(logOf(place));
    rmSync(logOf(place));
    await refused(place, last, "its log is gone, with what was written last");
    writeFileSync(logOf(place), log.subarray(0, log.length - 2_000));
    await refused(place, last, "its log is cut off, with what was written last");
    writeFileSync(logOf(place), log);
    place.server.push(says("Here again."));
    expect((await place.json(["resume", last])).end).toMatchObject({ reason: "done", text: "Here again." });
    expect((await place.run(["sessions", "verify"])).code).toBe(0);
  });

  test("by a cut while its log is there is found by verify, where the log does not mend it", async () => {
    const { place, session } = await used();
    place.server.push(endless);
    const running = place.spawn(["run", "two", "--json"]);
    await running.shows('"text_delta"');
    const size = statSync(storeOf(place)).size;
    truncateSync(storeOf(place), size - 3 * 1024 - 100);
    running.child.kill("SIGKILL");
    await running.done;
    const ran = await place.run(["sessions", "verify", session]);
    expect([ran.code, ran.stdout === "" ? ran.stderr : ran.stdout]).toEqual([74, expect.stringMatching(/✖|damaged/)]);
  });
});

describe("a store whose files are whole is no damaged one", () => {
  test("moved with its log, copied alone, removed, or left with nothing in it by whoever made the file", async () => {
    const { place, last } = await killed();
    const aside = (end: string): string => `${storeOf(place)}.aside${end}`;
    for (const end of ["", "-wal", "-shm"]) renameSync(`${storeOf(place)}${end}`, aside(end));
    expect(await place.run(["sessions"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no sessions/) });
    for (const end of ["-wal", "-shm", ""]) renameSync(aside(end), `${storeOf(place)}${end}`);
    expect((await place.run(["sessions", "show", last])).stdout).toContain("two");
    copyFileSync(storeOf(place), aside(""));
    for (const name of readdirSync(place.home))
      if (name.startsWith("agent.db") && !name.includes("aside")) rmSync(join(place.home, name));
    writeFileSync(storeOf(place), "");
    expect((await place.run(["sessions"])).code).toBe(0);
    rmSync(storeOf(place));
    renameSync(aside(""), storeOf(place));
    expect((await place.run(["sessions", "show", last])).stdout).toContain("two");
    expect((await place.run(["sessions", "verify"])).code).toBe(0);
  });
});

describe("a store that goes away under a run (m7)", () => {
  const ways: [string, (place: Place) => void][] = [
    ["removed with its folder", (place) => rmSync(place.home, { recursive: true })],
    ["removed", (place) => rmSync(storeOf(place))],
    ["replaced by a copy of itself", replace],
    ["left without its log", (place) => rmSync(`${storeOf(place)}-wal`)],
    ["left with an empty log", (place) => truncateSync(`${storeOf(place)}-wal`)],
  ];
  function replace(place: Place): void {
    copyFileSync(storeOf(place), `${storeOf(place)}.copy`);
    renameSync(`${storeOf(place)}.copy`, storeOf(place));
  }

  test.each(ways)("%s: nothing more is done, and the run says so with 74", async (_, take) => {
    const place = await openPlace([], { "a.txt": "1\n" });
    place.server.push(() => {
      take(place);
      return asks("edit_file", { file_path: "a.txt", old_string: "1", new_string: "2" });
    });
    const ran = told(await place.spawn(["run", "do it", "--mode", "accept-edits", "--json"]).done);
    expect(ran).toMatchObject({ code: 74, end: { reason: "failed", exitCode: 74 } });
    // What is left may not even be read.
    expect(ran.of("error")[0]?.message).toContain(
      "was removed or replaced while it was in use, so nothing more is done",
    );
    expect(await place.read("a.txt")).toBe("1\n");
    expect(place.server.requests).toHaveLength(1);
  });

  test("whose log another process has emptied into it is the same", async () => {
    const place = await openPlace([says("Hi.")], { "a.txt": "1\n" });
    const { session } = await place.json(["run", "to be removed"]);
    place.server.push(async () => {
      expect(await place.run(["sessions", "rm", session])).toMatchObject({ code: 0 });
      return asks("edit_file", { file_path: "a.txt", old_string: "1", new_string: "2" });
    }, says("Done."));
    expect(await place.json(["run", "do it", "--mode", "accept-edits"])).toMatchObject({ code: 0 });
    expect(await place.read("a.txt")).toBe("2\n");
  });

  test("that is only moved aside and put back in between is the same", async () => {
    const place = await openPlace([], { "a.txt": "1\n" });
    place.server.push(() => {
      renameSync(storeOf(place), `${storeOf(place)}.aside`);
      renameSync(`${storeOf(place)}.aside`, storeOf(place));
      return asks("edit_file", { file_path: "a.txt", old_string: "1", new_string: "2" });
    }, says("Done."));
    expect(await place.json(["run", "do it", "--mode", "accept-edits"])).toMatchObject({ code: 0 });
    expect(await place.read("a.txt")).toBe("2\n");
  });
});

const isRoot = process.getuid?.() === 0;

/** The command as a user whom permissions bind. */
function asAnother(place: Place, argv: string[]): Promise<Ran> {
  const env = Object.fromEntries(Object.entries(place.env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const [node, program] = agentCommand;
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(node, [program, ...argv], {
    cwd: place.workspace,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  return new Promise((resolve) =>
    child.on("close", (code) => resolve({ code: code ?? -1, stdout: out.join(""), stderr: err.join("") })),
  );
}

describeAsOther("a store that may only be read (m9) (needs a checkout that others reach)", () => {
  const temp = (place: Place): string => join(dirname(place.home), "tmp");
  const give = (path: string): void => {
    if (isRoot) chownSync(path, 65_534, 65_534);
  };

  /** Everything may be read, and nothing written but what is temporary. */
  function closeAll(place: Place): void {
    for (const name of readdirSync(place.home)) {
      const path = join(place.home, name);
      chmodSync(path, statSync(path).isDirectory() ? 0o555 : 0o444);
    }
    chmodSync(place.home, 0o555);
    for (const open of [dirname(place.home), place.workspace]) chmodSync(open, 0o755);
    give(temp(place));
  }

  /** The user's own, but for the store's file. */
  function closeFile(place: Place): void {
    const root = dirname(place.home);
    for (const name of ["", ...readdirSync(root, { recursive: true, encoding: "utf8" })]) give(join(root, name));
    chmodSync(storeOf(place), 0o400);
  }

  test.each<[string, typeof used, (place: Place) => void]>([
    ["with nothing beside it", used, closeAll],
    ["with the log of a killed process", killed, closeAll],
    ["in a folder that may be written", used, closeFile],
  ])("is listed, shown and checked as it is, %s", async (_, make, close) => {
    const { place, session } = await make();
    const before = readFileSync(storeOf(place));
    close(place);
    try {
      const [list, show, check] = await Promise.all(look(session).map((argv) => asAnother(place, argv)));
      expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining(session) });
      expect(show).toMatchObject({ code: 0, stdout: expect.stringContaining("First.") });
      expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining(`✔ ${storeOf(place)}\n✔ `) });
      const refusal = { code: 74, stderr: expect.stringContaining("the store cannot be written") };
      expect(await asAnother(place, ["resume", session, "more"])).toMatchObject(refusal);
    } finally {
      chmodSync(place.home, 0o755);
    }
    expect(readFileSync(storeOf(place)).equals(before)).toBe(true);
    expect(readdirSync(temp(place)).filter((name) => name.startsWith("holdfast-"))).toEqual([]);
  });
});
