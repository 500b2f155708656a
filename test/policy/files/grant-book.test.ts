import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { execPath, pid } from "node:process";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openGrantBook } from "../../../src/policy/files/grant-book.ts";
import { updatePolicyFile } from "../../../src/policy/files/policy-file.ts";
import { PolicyProblem } from "../../../src/policy/problem.ts";
import { thisMachine } from "../../../src/process/process-identity.ts";
import { builtProgram } from "../../support/built.ts";
import { grant } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const run = promisify(execFile);
const session = grant({ id: "s" });
const project = grant({ id: "p", scope: "project", key: "/ws", paths: ["src/**"] });
const { key: _, ...user } = grant({ id: "u", scope: "user", tool: "shell", command: "npm test *" });

const deadPid = spawnSync(execPath, ["-e", "0"]).pid;
const lockOf = (holder: number) => `${holder} ${hostname()} 00 ${thisMachine().boot}\n`;

describe("a grant book", () => {
  it("gives what it was given, to the session, workspace or user that it was given for", async () => {
    const file = join(temporaryFolder(), "config/grants.json");
    const book = openGrantBook(file);
    for (const each of [session, project, user]) await book.add(each);
    expect(await openGrantBook(file).all()).toEqual([session, project, user]);
    expect(await book.inForce("brisk-otter-4f2a", "/elsewhere")).toEqual([session, user]);
    expect(await book.inForce("other", "/ws")).toEqual([project, user]);
  });

  it("takes a grant for what a session made, which is one session's and reaches nothing else", async () => {
    const file = join(temporaryFolder(), "grants.json");
    const { paths: _, ...made } = { ...grant({ id: "m", tool: "shell" }), made: true as const };
    await openGrantBook(file).add(made);
    expect(await openGrantBook(file).all()).toEqual([made]);
    for (const wrong of [{ scope: "project" }, { command: "npm test" }, { paths: ["a"] }, { made: false }]) {
      writeFileSync(file, JSON.stringify({ v: 1, grants: [{ ...made, ...wrong }] }));
      await expect(openGrantBook(file).all()).rejects.toThrow(PolicyProblem);
    }
  });

  it("is empty where there is no file, and makes none by being read", async () => {
    const folder = temporaryFolder();
    const book = openGrantBook(join(folder, "grants.json"));
    expect(await book.all()).toEqual([]);
    expect(await book.revoke("s")).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is readable by its owner only, in a folder likewise, with nothing left beside it", async () => {
    const folder = join(temporaryFolder(), "config");
    await openGrantBook(join(folder, "grants.json")).add(session);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "grants.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["grants.json"]);
  });

  it("keeps a grant that is added twice once, and forgets what is revoked", async () => {
    const book = openGrantBook(join(temporaryFolder(), "grants.json"));
    await Promise.all([book.add(session), book.add(project), book.add(session)]);
    expect((await book.all()).map(({ id }) => id).sort()).toEqual(["p", "s"]);
    expect([await book.revoke("s"), await book.revoke("s")]).toEqual([true, false]);
    expect(await book.all()).toEqual([project]);
  });

  it("does not take back again what was revoked since it was given, but takes what is given anew", async () => {
    const file = join(temporaryFolder(), "grants.json");
    const book = openGrantBook(file);
    await book.add(session);
    await book.revoke("s");
    await book.add(project);
    await book.add(session, true);
    expect(await openGrantBook(file).all()).toEqual([project]);
    // Another session was given the same a little later, and died too: that was before it was revoked.
    await book.add({ ...session, at: session.at + 1 }, true);
    expect(await openGrantBook(file).all()).toEqual([project]);
    // A new answer counts, whatever the clock says of it.
    await book.add(session);
    expect(await openGrantBook(file).all()).toEqual([project, session]);
    expect(readFileSync(file, "utf8")).not.toContain("revoked");
  });

  it("remembers the last hundred that were revoked, and refuses what is none of them", async () => {
    const file = join(temporaryFolder(), "grants.json");
    const book = openGrantBook(file);
    for (let at = 0; at <= 100; at += 1) {
      await book.add({ ...session, id: `s${at}` });
      await book.revoke(`s${at}`);
    }
    const { revoked } = JSON.parse(readFileSync(file, "utf8")) as { revoked: { id: string }[] };
    expect([revoked.length, revoked[0]?.id]).toEqual([100, "s1"]);
    for (const wrong of [[{ id: "s" }], [{ at: 1 }], ["s"], [{ id: "s", at: 1, why: "" }], {}]) {
      writeFileSync(file, JSON.stringify({ v: 1, grants: [], revoked: wrong }));
      await expect(book.all()).rejects.toThrow(PolicyProblem);
    }
  });

  it("loses nothing when two processes add at once, also where a dead one left its lock", async () => {
    const folder = temporaryFolder({ "grants.json.lock": lockOf(deadPid) });
    const file = join(folder, "grants.json");
    const addGrants = await builtProgram("test/policy/support/add-grants.ts");
    const add = (name: string) => run(execPath, [addGrants, file, name, "12"]);
    await Promise.all([add("a"), add("b")]);
    const ids = (await openGrantBook(file).all()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(24);
    expect(readdirSync(folder)).toEqual(["grants.json"]);
  });

  it("is whole and open to others after its writer was killed at any point", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "grants.json");
    const book = openGrantBook(file);
    const addGrants = await builtProgram("test/policy/support/add-grants.ts");
    const writer = spawn(execPath, [addGrants, file, "a", "100000"], { stdio: "ignore" });
    const gone = once(writer, "exit");
    while ((await book.all()).length < 5) await setImmediate();
    writer.kill("SIGKILL");
    await gone;
    const kept = await book.all();
    await book.add(session);
    expect((await book.all()).map(({ id }) => id)).toEqual([...kept.map((_, at) => `a-${at}`), "s"]);
    expect(readdirSync(folder)).not.toContain("grants.json.lock");
  });

  it.each([
    ["cut off", '{"v": 1,\n "grants": [', /grants\.json:2: the file ends too early/],
    ["empty", "", /grants\.json:1: the file is empty/],
    ["of another form", '{"grants": []}', /grants\.json:1: grants are kept as/],
    ["with every command", JSON.stringify({ v: 1, grants: [{ ...user, command: "*" }] }), /:1: command pattern "\*"/],
    [
      "with an unrestricted shell",
      JSON.stringify({ v: 1, grants: [{ ...session, tool: "shell" }] }),
      /every command of shell/,
    ],
    [
      "with a misspelt restriction",
      JSON.stringify({ v: 1, grants: [{ ...session, path: ["a"] }] }),
      /unknown key "path"/,
    ],
    [
      "with a scope of nobody",
      JSON.stringify({ v: 1, grants: [{ ...session, key: "" }] }),
      /"scope" session or project/,
    ],
    ["with a session's grant for the user", JSON.stringify({ v: 1, grants: [{ ...user, key: "x" }] }), /"scope"/],
    ["without an id", JSON.stringify({ v: 1, grants: [{ ...session, id: "" }] }), /has no "id"/],
    ["without a time", JSON.stringify({ v: 1, grants: [{ ...session, at: "now" }] }), /has no "at"/],
    ["with a text for a grant", '{"v": 1, "grants": ["all"]}', /a grant is an object/],
    ["not text at all", Buffer.from([0xff, 0xfe, 0x00]), /cannot be read/],
  ])("says so when its file is %s, and leaves it as it is", async (_name, content, message) => {
    const folder = temporaryFolder({ "grants.json": content });
    const book = openGrantBook(join(folder, "grants.json"));
    for (const use of [() => book.all(), () => book.add(project), () => book.revoke("s")]) {
      const problem = await use().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(problem).toBeInstanceOf(PolicyProblem);
      expect((problem as PolicyProblem).message).toMatch(message);
    }
    expect(readFileSync(join(folder, "grants.json"))).toEqual(Buffer.from(content));
    expect(readdirSync(folder)).toEqual(["grants.json"]);
  });

  it("refuses a grant that it would refuse to read, and keeps what it had", async () => {
    const file = join(temporaryFolder(), "grants.json");
    const book = openGrantBook(file);
    await book.add(session);
    await expect(book.add(grant({ id: "x", tool: "shell", command: "bash *" }))).rejects.toThrow(PolicyProblem);
    expect(await book.all()).toEqual([session]);
  });

  it("blocks on nothing and says what is there instead of a file", async () => {
    const folder = temporaryFolder();
    execFileSync("mkfifo", [join(folder, "fifo.json")]);
    mkdirSync(join(folder, "folder.json"));
    symlinkSync("nowhere", join(folder, "link.json"));
    writeFileSync(join(folder, "huge.json"), " ".repeat(1_000_001));
    await expect(openGrantBook(join(folder, "fifo.json")).all()).rejects.toThrow(/fifo\.json:1: .*FIFO/);
    await expect(openGrantBook(join(folder, "folder.json")).all()).rejects.toThrow(/folder\.json:1: .*folder/);
    await expect(openGrantBook(join(folder, "link.json")).all()).rejects.toThrow(/link\.json:1: .*cannot be read/);
    await expect(openGrantBook(join(folder, "huge.json")).all()).rejects.toThrow(/huge\.json:1: .*limit/);
    await expect(openGrantBook(join(folder, "huge.json/grants.json")).add(session)).rejects.toThrow(
      /cannot be written/,
    );
  });

  it("stays a link where the person made it one", async () => {
    const folder = temporaryFolder({ "dotfiles/grants.json": '{"v": 1, "grants": []}' });
    symlinkSync("dotfiles/grants.json", join(folder, "grants.json"));
    await openGrantBook(join(folder, "grants.json")).add(session);
    expect(await openGrantBook(join(folder, "dotfiles/grants.json")).all()).toEqual([session]);
  });

  it("names the holder of a lock that is not given back, and leaves the lock", async () => {
    const folder = temporaryFolder({ "grants.json.lock": lockOf(pid) });
    const file = join(folder, "grants.json");
    const update = updatePolicyFile(file, () => "never", { waitMs: 0 });
    await expect(update).rejects.toThrow(PolicyProblem);
    await expect(update).rejects.toThrow(`grants.json.lock is held by process ${pid}`);
    expect(readdirSync(folder)).toEqual(["grants.json.lock"]);
  });

  it("gives the lock back when a change is refused", async () => {
    const folder = temporaryFolder();
    const refusal = new PolicyProblem([{ file: "x", line: 1, message: "no" }]);
    const update = updatePolicyFile(join(folder, "grants.json"), () => {
      throw refusal;
    });
    await expect(update).rejects.toBe(refusal);
    expect(readdirSync(folder)).toEqual([]);
  });
});
