import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";
import { itAsRoot } from "../support/needs.ts";

function makeSparse(path: string, bytes: number): void {
  writeFileSync(path, "");
  truncateSync(path, bytes);
}

const another = 65_534;

const commands = [["run", "hi"], ["sessions"], ["policy", "list"], ["trust"]];

/** Each command ends with 52, says why and how to mend it, and has read and sent nothing. */
async function refused(place: Place, env: Record<string, string | undefined>, words: RegExp, mends: RegExp) {
  const before = place.server.requests.length;
  for (const argv of commands) {
    const ran = await place.run(argv, { env });
    expect([argv, ran.code, ran.stdout]).toEqual([argv, 52, ""]);
    expect(ran.stderr).toMatch(words);
    expect(ran.stderr).toMatch(mends);
  }
  expect(place.server.requests).toHaveLength(before);
}

describe("the agent's own places", () => {
  itAsRoot("are not taken where they belong to another user (needs root)", async () => {
    const place = await openPlace();
    chownSync(place.home, another, another);
    await refused(place, {}, /belongs to another user \(uid 65534\)/, /sudo chown -R 0 '/);
  });

  itAsRoot.each(["config.json", "policy.json", "grants.json", "trust.json", "CONTEXT.md", "agent.db"])(
    "are not taken where their %s belongs to another user (needs root)",
    async (name) => {
      const place = await openPlace();
      writeFileSync(join(place.home, name), "{}");
      chownSync(join(place.home, name), another, another);
      await refused(place, {}, new RegExp(`${name} belongs to another user`), /chown/);
    },
  );

  it("are not taken where everybody can write them, and the command that is told mends it", async () => {
    const place = await openPlace([says("Hi.")]);
    chmodSync(place.home, 0o777);
    await refused(place, {}, /can be written by everybody/, new RegExp(`chmod go-w '${place.home}'`));
    chmodSync(place.home, 0o755);
    writeFileSync(join(place.home, "policy.json"), '{"rules": []}');
    chmodSync(join(place.home, "policy.json"), 0o666);
    await refused(place, {}, /policy\.json can be written by everybody/, /chmod go-w/);
    chmodSync(join(place.home, "policy.json"), 0o644);
    expect(await place.run(["run", "hi"])).toMatchObject({ code: 0 });
  });

  itAsRoot("are not taken where another group can write them; the user's own group may (needs root)", async () => {
    const place = await openPlace([says("Hi.")]);
    chownSync(place.home, 0, another);
    chmodSync(place.home, 0o775);
    await refused(place, {}, /can be written by its group/, /chmod go-w/);
    chownSync(place.home, 0, userInfo().gid);
    expect(await place.run(["run", "hi"])).toMatchObject({ code: 0 });
  });

  itAsRoot("of the usual folders are looked at too (needs root)", async () => {
    const place = await openPlace();
    const [config, data] = [join(place.home, "config"), join(place.home, "data")];
    const env = { AGENT_HOME: undefined, XDG_CONFIG_HOME: config, XDG_DATA_HOME: data };
    for (const folder of [config, data]) {
      mkdirSync(join(folder, "holdfast"), { recursive: true });
      chownSync(join(folder, "holdfast"), another, another);
      await refused(place, env, /belongs to another user/, /chown/);
      chownSync(join(folder, "holdfast"), 0, 0);
    }
    expect(await place.run(["sessions"], { env })).toMatchObject({ code: 0 });
  });

  it.each(["AGENT_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"])(
    "are not looked for below the project, by a relative %s",
    async (name) => {
      const place = await openPlace();
      await place.write(".cache/policy.json", '{"rules": []}');
      const none = { AGENT_HOME: undefined, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined };
      await refused(place, { ...none, [name]: ".cache" }, new RegExp(`${name} is a relative path`), /whole path/);
      expect(readdirSync(place.path(".cache"))).toEqual(["policy.json"]);
    },
  );

  it("are never in the workspace where HOME is empty", async () => {
    const place = await openPlace([says("Hi.")]);
    const data = join(place.home, "data");
    const env = { AGENT_HOME: undefined, HOME: "", XDG_DATA_HOME: data, XDG_CONFIG_HOME: "" };
    expect(await place.run(["run", "hi"], { env })).toMatchObject({ code: 0 });
    expect(readdirSync(place.workspace)).toEqual([]);
    expect(existsSync(join(data, "holdfast", "agent.db"))).toBe(true);
  });

  itAsRoot("are not taken where others can exchange a folder on the way to them (needs root)", async () => {
    const place = await openPlace([says("Hi.")]);
    const above = join(place.home, "above");
    const env = { AGENT_HOME: join(above, "deep", "agent"), HOME: join(place.home, "person") };
    mkdirSync(join(above, "deep"), { recursive: true });
    chmodSync(above, 0o777);
    await refused(place, env, /above can be written by everybody/, new RegExp(`chmod go-w '${above}'`));
    // As /tmp is: each may change what is their own, and what is on the way is ours.
    chmodSync(above, 0o1777);
    expect(await place.run(["sessions"], { env })).toMatchObject({ code: 0 });
    chownSync(above, another, another);
    await refused(place, env, /reached through a folder of another user \(uid 65534\): .*above/, /set AGENT_HOME/);
    chownSync(above, 0, userInfo().gid);
    chmodSync(above, 0o775);
    expect(await place.run(["run", "hi"], { env })).toMatchObject({ code: 0 });
  });

  itAsRoot("are taken through links of one's own, never through another user's (needs root)", async () => {
    const place = await openPlace([says("Hi.")]);
    const [real, link] = [join(place.home, "real"), join(place.home, "link")];
    mkdirSync(join(real, "agent"), { recursive: true });
    symlinkSync("real", link);
    const env = { AGENT_HOME: join(link, "agent"), HOME: join(place.home, "person") };
    // The person's own settings may be kept elsewhere.
    writeFileSync(join(real, "settings.json"), "{}");
    symlinkSync(join(real, "settings.json"), join(real, "agent", "config.json"));
    expect(await place.run(["run", "hi"], { env })).toMatchObject({ code: 0 });
    lchownSync(link, another, another);
    await refused(place, env, /reached through a link of another user \(uid 65534\): .*link$/m, /set AGENT_HOME/);
    lchownSync(link, 0, 0);
    chmodSync(real, 0o777);
    await refused(place, env, /real can be written by everybody/, /chmod go-w/);
  });

  itAsRoot("are taken in a home that others can reach, as everything of that person is (needs root)", async () => {
    const place = await openPlace([says("Hi.")]);
    const home = join(place.home, "above", "home");
    mkdirSync(join(home, ".config"), { recursive: true });
    symlinkSync(home, join(place.home, "way"));
    chmodSync(join(place.home, "above"), 0o777);
    const env = { AGENT_HOME: undefined, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined };
    expect(await place.run(["run", "hi"], { env: { ...env, HOME: join(place.home, "way") } })).toMatchObject({
      code: 0,
    });
    chmodSync(join(home, ".config"), 0o777);
    await refused(
      place,
      { ...env, HOME: join(place.home, "way") },
      /\.config can be written by everybody/,
      /chmod go-w/,
    );
  });

  itAsRoot(
    "are not taken where an access control list lets others write, which the group's bit hides (needs root)",
    async () => {
      const place = await openPlace([says("Hi.")]);
      const agent = join(realpathSync(place.home), "agent");
      mkdirSync(agent);
      chmodSync(agent, 0o775);
      const env = { AGENT_HOME: agent };
      expect(await place.run(["run", "hi"], { env })).toMatchObject({ code: 0 });
      const list = "user::rwx\nuser:65534:rwx\ngroup::r-x\nmask::rwx\nother::r-x\n";
      const script = `tar -C "$1" --format=pax --pax-option="SCHILY.acl.access:=$2" --no-recursion -c agent | tar -C "$1" --acls -x`;
      const set = spawnSync("bash", ["-c", script, "-", join(agent, ".."), list], { encoding: "utf8" });
      expect(set).toMatchObject({ status: 0, stderr: "" });
      await refused(place, env, /agent can be written by others, by its access control list/, /chmod go-w/);
      chmodSync(agent, 0o755);
      expect(await place.run(["sessions"], { env })).toMatchObject({ code: 0 });
    },
  );

  const odd: [name: string, make: (path: string) => void][] = [
    ["a named pipe", (path) => spawnSync("mkfifo", [path])],
    ["a link to a device without an end", (path) => symlinkSync("/dev/zero", path)],
    ["3 GB of nothing", (path) => makeSparse(path, 3e9)],
    ["a link that leads nowhere", (path) => symlinkSync("/nowhere/at/all", path)],
    ["a link to itself", (path) => symlinkSync(path, path)],
    ["a folder", (path) => mkdirSync(path)],
  ];

  it.each(odd)(
    "end a command with a word, at once and without a defect, where a file of theirs is %s",
    async (_, make) => {
      for (const name of ["config.json", "policy.json", "trust.json", "agent.db"]) {
        const place = await openPlace();
        make(join(place.home, name));
        const ran = await place.run(["run", "hi"]);
        expect([name, ran.code, ran.stdout]).toEqual([name, name === "agent.db" ? expect.any(Number) : 52, ""]);
        expect([52, 74]).toContain(ran.code);
        expect(ran.stderr).toContain(name);
        expect(ran.stderr).not.toMatch(/defect|chmod/);
        expect(place.server.requests).toEqual([]);
      }
    },
  );
});
