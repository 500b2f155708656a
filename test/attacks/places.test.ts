import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

const isRoot = process.geteuid?.() === 0;
const another = 65_534;

const commands = [["run", "hi"], ["sessions"], ["policy", "list"], ["trust"]];

/** Each command ends with 52, says why and how to mend it, and has read and sent nothing. */
async function refused(place: Place, env: Record<string, string | undefined>, words: RegExp, mends: RegExp) {
  for (const argv of commands) {
    const ran = await place.run(argv, { env });
    expect([argv, ran.code, ran.stdout]).toEqual([argv, 52, ""]);
    expect(ran.stderr).toMatch(words);
    expect(ran.stderr).toMatch(mends);
  }
  expect(place.server.requests).toEqual([]);
}

describe("the agent's own places", () => {
  it.skipIf(!isRoot)("are not taken where they belong to another user", async () => {
    const place = await openPlace();
    chownSync(place.home, another, another);
    await refused(place, {}, /belongs to another user \(uid 65534\)/, /sudo chown -R 0 '/);
  });

  it.skipIf(!isRoot).each(["config.json", "policy.json", "grants.json", "trust.json", "CONTEXT.md", "agent.db"])(
    "are not taken where their %s belongs to another user",
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

  it.skipIf(!isRoot)("are not taken where another group can write them; the user's own group may", async () => {
    const place = await openPlace([says("Hi.")]);
    chownSync(place.home, 0, another);
    chmodSync(place.home, 0o775);
    await refused(place, {}, /can be written by its group/, /chmod go-w/);
    chownSync(place.home, 0, userInfo().gid);
    expect(await place.run(["run", "hi"])).toMatchObject({ code: 0 });
  });

  it.skipIf(!isRoot)("of the usual folders are looked at too", async () => {
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
});
