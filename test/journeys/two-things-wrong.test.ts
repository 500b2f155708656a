import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

const noKey = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined };

async function heldSession(place: Place): Promise<{ session: string; release(): void }> {
  const { session } = await place.json(["run", "hi"]);
  const store = await openStore({ file: join(place.home, "agent.db") });
  await store.acquire(session);
  return { session, release: () => store.close() };
}

describe("where more than one thing is wrong", () => {
  it("both are said, and the exit code is that of the first by precedence", async () => {
    const place = await openPlace();
    const rules = join(place.home, "policy.json");
    await writeFile(rules, '{ "rules": [');
    const ran = await place.run(["run", "hi"], { env: noKey });
    expect(ran.code).toBe(41);
    expect(ran.stderr).toContain("OPENAI_API_KEY");
    expect(ran.stderr).toContain(`${rules}:1`);
    const told = await place.json(["run", "hi"], { env: noKey });
    expect(told.the("error").message).toContain(`${rules}:1`);
    expect(told.end.exitCode).toBe(41);
  });

  it("a store that cannot be used is told beside a missing key", async () => {
    const place = await openPlace();
    const file = join(place.home, "agent.db");
    await writeFile(file, "somebody's file\n".repeat(100));
    const ran = await place.run(["run", "hi"], { env: noKey });
    expect(ran.code).toBe(41);
    expect(ran.stderr).toContain(file);
  });

  it("a session that another process holds says who holds it, although there is no key", async () => {
    const place = await openPlace([says("Hi.")]);
    const { session, release } = await heldSession(place);
    try {
      for (const argv of [
        ["resume", session],
        ["resume", session, "go on"],
        ["run", "go on", "--session", session],
      ]) {
        const ran = await place.run(argv, { env: noKey });
        expect([argv, ran.code]).toEqual([argv, 75]);
        expect(ran.stderr).toContain(`process ${process.pid}`);
      }
    } finally {
      release();
    }
  });
});

describe("a model spec", () => {
  it.each(["foo", "demmo", "script:", ""])("%j is none: 2, the three kinds named, nothing stored", async (spec) => {
    const place = await openPlace();
    const ran = await place.run(["run", "hi", "-m", spec]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(/SERVER:NAME[\s\S]*demo[\s\S]*script:FILE/);
    expect((await place.run(["sessions"])).stdout).toContain("no sessions");
  });

  it("that is a bare name says what was perhaps meant", async () => {
    const place = await openPlace();
    expect((await place.run(["run", "hi", "-m", "gpt-5"])).stderr).toContain("did you mean openai:gpt-5?");
  });

  it("from AGENT_MODEL or config.json is held to the same, as configuration; OPENAI_MODEL is a bare name", async () => {
    const place = await openPlace([says("Hi.")]);
    expect(await place.run(["run", "hi"], { env: { AGENT_MODEL: "foo" } })).toMatchObject({ code: 52 });
    expect(await place.run(["run", "hi"], { env: { OPENAI_MODEL: "foo:latest" } })).toMatchObject({ code: 0 });
    expect(place.server.requests.map((request) => request.body.model)).toEqual(["foo:latest"]);
    await writeFile(join(place.home, "config.json"), '{"model": "foo"}');
    expect(await place.run(["run", "hi"])).toMatchObject({ code: 52 });
    expect(await place.run(["sessions"], { env: { AGENT_MODEL: "foo" } })).toMatchObject({ code: 0 });
  });
});
