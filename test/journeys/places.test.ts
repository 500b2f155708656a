import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

const commands = [["sessions"], ["run", "hi"], ["policy", "list"], ["tools"]];

describe("a folder for the agent's own files that cannot be one", () => {
  it.each([
    ["lies below a device", () => "/dev/null/x"],
    ["is a file", (home: string) => join(home, "file")],
    ["lies below a file", (home: string) => join(home, "file", "sub", "folder")],
  ])("and %s: 74, the folder named, nothing sent", async (_, named) => {
    const place = await openPlace();
    await writeFile(join(place.home, "file"), "mine");
    const folder = named(place.home);
    for (const argv of commands) {
      const ran = await place.run(argv, { env: { AGENT_HOME: folder } });
      expect([argv, ran.code, ran.stdout]).toEqual([argv, 74, ""]);
      expect(ran.stderr).toContain(`cannot keep its files in ${folder}: `);
    }
    expect(place.server.requests).toEqual([]);
  });

  it("and stands in the way of the usual places: 74 too", async () => {
    const place = await openPlace();
    const file = join(place.home, "file");
    await writeFile(file, "mine");
    const ran = await place.run(["sessions"], { env: { AGENT_HOME: undefined, XDG_DATA_HOME: file } });
    expect(ran).toMatchObject({ code: 74, stdout: "" });
    expect(ran.stderr).toContain(join(file, "holdfast"));
  });

  it.skipIf(process.platform !== "linux")("and cannot be made by the system: 74, and it comes to an end", async () => {
    const place = await openPlace();
    const ran = await place.spawn(["run", "hi"], { env: { AGENT_HOME: "/proc/holdfast/home" } }).done;
    expect(ran).toMatchObject({ code: 74, signal: null });
    expect(ran.stderr).toContain("/proc/holdfast");
  });
});

it("a folder that is not there yet is made, private, with those above it", async () => {
  const place = await openPlace([says("Hi.")]);
  const folder = join(place.home, "a", "b");
  expect(await place.run(["run", "hi"], { env: { AGENT_HOME: folder } })).toMatchObject({ code: 0 });
  expect((await place.run(["sessions"], { env: { AGENT_HOME: folder } })).stdout).toContain("hi");
});
