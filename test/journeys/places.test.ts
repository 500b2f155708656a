import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { agentCommand } from "../support/agent-command.ts";
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

describe.skipIf(process.platform !== "linux")("a folder to work in", () => {
  it("whose path is not UTF-8 is refused with its name, also where another has the name that Node makes of it (m11)", async () => {
    const place = await openPlace();
    const start = async () => {
      const child = spawnSync(
        "bash",
        ["-c", `cd "$1"/caf$'\\xe9' && exec "\${@:2}"`, "-", place.workspace, ...agentCommand, "sessions"],
        {
          encoding: "utf8",
          env: Object.fromEntries(
            Object.entries(place.env).filter(([, value]) => value !== undefined),
          ) as NodeJS.ProcessEnv,
        },
      );
      return [child.status, child.stdout, child.stderr];
    };
    await mkdir(Buffer.concat([Buffer.from(`${place.workspace}/caf`), Buffer.from([0xe9])]));
    const said = expect.stringMatching(/^agent: the path of the folder is not UTF-8: .*caf\ufffd\n/) as string;
    expect(await start()).toEqual([2, "", said]);
    await mkdir(place.path("caf\ufffd"));
    expect(await start()).toEqual([2, "", said]);
  });

  it("that is gone is told in words, with 2", async () => {
    const place = await openPlace();
    const gone = () => {
      throw Object.assign(new Error("ENOENT: no such file or directory, uv_cwd"), { code: "ENOENT" });
    };
    const io = { stdin: process.stdin, stdout: process.stdout, stderr: new PassThrough(), env: place.env, cwd: gone };
    expect(await main(["sessions"], io as unknown as Parameters<typeof main>[1])).toBe(2);
    expect(String(io.stderr.read())).toContain("is not there any more");
  });
});

it("a folder that is not there yet is made, private, with those above it", async () => {
  const place = await openPlace([says("Hi.")]);
  const folder = join(place.home, "a", "b");
  expect(await place.run(["run", "hi"], { env: { AGENT_HOME: folder } })).toMatchObject({ code: 0 });
  expect((await place.run(["sessions"], { env: { AGENT_HOME: folder } })).stdout).toContain("hi");
});
