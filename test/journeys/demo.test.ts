import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CallLife } from "../../src/records/call-life.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

/** What the tour would edit and write, were it played here. */
const own = {
  "package.json": '{\n  "name": "mine",\n  "version": "1.0.0"\n}\n',
  "src/temperature.js": "  return fahrenheit - 32 * (5 / 9);\n",
  "README.md": "mine\n",
};

/** Every file of a folder, by path. */
async function bytesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, "latin1")] as const);
  return Object.fromEntries(await Promise.all(texts));
}

const lives = async (place: Place, session: string): Promise<CallLife[]> =>
  (await place.run(["sessions", "show", session, "--calls", "--json"])).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as CallLife);

describe("agent run with the demo", () => {
  it.each([
    ["named by a flag", ["-m", "demo"], {}],
    ["named by the environment", [], { AGENT_MODEL: "demo" }],
    ["in the mode that asks for nothing", ["-m", "demo", "--mode", "full-auto"], {}],
    ["with a prompt", ["fix it", "-m", "demo"], {}],
  ])("%s plays in a folder of its own, says which, and leaves the person's as it was", async (_, argv, env) => {
    const place = await openPlace([], own);
    const ran = await place.run(["run", ...argv], { env: { OPENAI_API_KEY: undefined, ...env } });
    expect([0, 10]).toContain(ran.code);
    expect(ran.stdout).toContain("That was the tour.");
    const [, folder = ""] = /This is a scripted demo, on a copy of a small project in (\S+)/.exec(ran.stderr) ?? [];
    expect(folder).toContain("holdfast-demo-");
    expect(await bytesOf(place.workspace)).toEqual(own);
    expect(await readFile(join(folder, "src/temperature.js"), "utf8")).toContain("(fahrenheit - 32)");
  });

  it("speaks Chinese where the person does, from the first word to the last", async () => {
    const place = await openPlace([], own);
    const env = { OPENAI_API_KEY: undefined };
    const ran = await place.spawn(["run", "-m", "demo", "--lang", "zh"], { env }).done;
    expect(ran.code).toBe(10);
    expect(ran.stdout).toContain("导览到此结束");
    const english = `${ran.stdout}\n${ran.stderr}`
      .split("\n")
      .filter((line) => /[A-Za-z']{2,} [a-z']{2,} [a-z']{2,}/u.test(line.replace(/agent chat --model demo/u, "")))
      // The change is of a project in English.
      .filter((line) => !/^ *[-+ ]/u.test(line));
    expect(english).toEqual([]);
    const [, folder = ""] = /(\/\S+holdfast-demo-\S+?)(?:[，。：；、]|\s)/u.exec(`${ran.stderr}\n`) ?? [];
    expect(await readFile(join(folder, "src/temperature.js"), "utf8")).toContain("(fahrenheit - 32)");
  });

  it("tells in its events and its journal that a script answered, and not a person", async () => {
    const place = await openPlace([], own);
    const ran = await place.json(["run", "-m", "demo"]);
    expect(ran).toMatchObject({ code: 10, end: { reason: "done" } });
    expect(ran.of("notice")[0]).toMatchObject({ code: "demo", text: expect.stringContaining("scripted demo") });
    expect(ran.the("session_started").workspace).toContain("holdfast-demo-");
    const decided = ran.of("decision").filter(({ by }) => by !== "policy");
    expect(decided.map(({ decision, by }) => `${decision} by ${by}`)).toEqual([
      "approve by script",
      "approve by script",
      "deny by script",
      "approve by script",
    ]);
    const calls = (await lives(place, ran.session)).map(({ call }) => call);
    const edits = calls.filter(({ effect }) => effect === "file");
    expect(edits.map((call) => ("by" in call ? [call.status, call.by] : []))).toEqual([
      ["success", { actor: "script" }],
      ["success", { actor: "script" }],
      ["cancelled", { actor: "script" }],
      ["success", { actor: "script" }],
    ]);
    expect((await place.run(["sessions", "show", ran.session, "--calls"])).stdout).toContain(
      "approved · decided by script",
    );
  });

  it("goes on with its own session, and with no other", async () => {
    const place = await openPlace([says("Hello.")], own);
    const demo = await place.json(["run", "-m", "demo"]);
    expect((await place.run(["run", "more", "--session", demo.session])).stdout).toContain("The tour is over");
    const real = await place.json(["run", "hi"]);
    for (const argv of [
      ["resume", real.session, "more", "-m", "demo"],
      ["run", "more", "--session", real.session, "-m", "demo"],
      ["run", "more", "-c", "-m", "demo"],
    ]) {
      const refused = await place.run(argv);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`the demo works in a project of its own, not in session ${real.session}`);
    }
    expect(await bytesOf(place.workspace)).toEqual(own);
  });
});
