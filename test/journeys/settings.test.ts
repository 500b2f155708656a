import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const settings = (place: Place, user: object) => writeFile(join(place.home, "config.json"), JSON.stringify(user));

/** Settings of the project, which the person has trusted. */
const project = async (place: Place, own: object) => {
  await place.write(".holdfast/config.json", JSON.stringify(own));
  expect((await place.run(["trust", "--yes"])).code).toBe(0);
};

describe("statusLine", () => {
  it("shows what the person chose in the last row of the chat", async () => {
    const place = await openPlace([says("Seen.")]);
    await settings(place, { statusLine: ["session", "model"] });
    const pty = place.chat(["chat"], { cols: 60, rows: 20 });
    await pty.waitFor(/^ask · \w+-\w+-\w+ · openai:test-model$/mu);
    pty.type("look\r");
    await pty.waitFor("Seen.");
    await pty.waitFor(/^ask · \w+-\w+-\w+ · openai:test-model$/mu);
    pty.leave();
    expect(await pty.exit).toMatchObject({ code: 0 });
  });

  it("names the part that there is not, and those that there are", async () => {
    const place = await openPlace();
    await settings(place, { statusLine: ["model", "weather"] });
    const ran = await place.run(["run", "look"]);
    expect(ran.code).toBe(52);
    expect(ran.stderr).toMatch(/statusLine.*"jobs".*"keys"/u);
  });
});

describe("ignore", () => {
  it("of the user and of the project leaves files out of ls, glob and grep, beside what .gitignore names", async () => {
    const files = {
      ".gitignore": "*.tmp\n",
      "a.ts": "word\n",
      "a.tmp": "word\n",
      "gen/b.ts": "word\n",
      "c.log": "word\n",
    };
    const look = [asks("ls", {}), asks("glob", { pattern: "**/*" }), asks("grep", { pattern: "word" }), says("Seen.")];
    const place = await openPlace(look, files);
    await settings(place, { ignore: ["*.log"] });
    await project(place, { ignore: ["gen/"] });
    expect(await place.run(["run", "look"])).toMatchObject({ code: 0 });
    const [ls, glob, grep] = [place.heard(1, -1), place.heard(2, -1), place.heard(3, -1)];
    const shown = (text: string) => text.split("\n").filter((line) => !line.startsWith("("));
    // .holdfast is sealed: it is counted, not named.
    expect(shown(ls)).toEqual([".gitignore", "a.ts"]);
    expect(ls).toContain("3 ignored, left out: a.tmp, c.log, gen");
    expect(shown(glob).toSorted()).toEqual([".gitignore", "a.ts"]);
    expect(grep.split("\n")[0]).toBe("a.ts:1:word");
    expect(grep.split("\n").at(-1)).toBe("(the settings' ignore left out 2 names: c.log, gen)");
    expect(grep).not.toMatch(/gen\/|\.log:|\.tmp/);
  });

  it("does not hide what lies in a folder that is asked for by name", async () => {
    const place = await openPlace([asks("grep", { pattern: "word", path: "gen" }), says("Seen.")], {
      "gen/b.ts": "word\n",
    });
    await project(place, { ignore: ["gen"] });
    await place.run(["run", "look"]);
    expect(place.heard(-1, -1)).toContain("gen/b.ts:1:word");
  });
});

describe("maxObserve", () => {
  const long = Array.from({ length: 200 }, (_, i) => `line ${i + 1}\n`).join("");

  it("cuts what the model reads and says how to see more; what is stored stays whole", async () => {
    const place = await openPlace([asks("read_file", { file_path: "a.txt" }), says("Read.")], { "a.txt": long });
    await settings(place, { maxObserve: 100 });
    const { session } = await place.json(["run", "read"]);
    const heard = place.heard(-1, -1);
    expect(heard.slice(0, 20)).toBe("     1\tline 1\n     2");
    expect(heard.slice(67)).toMatch(
      /^\n\([\d,]+ characters were left out here; .* offset and limit: read_file \{"file_path": "call:c1"\} shows all of it\)\n/,
    );
    expect(heard.slice(-12)).toBe("200\tline 200");
    const shown = (await place.run(["sessions", "show", session, "--json"])).stdout;
    expect(shown).toContain("line 200");
  });

  it.each([
    [{ maxObserve: 1000 }, { maxObserve: 100 }, 100],
    [{ maxObserve: 100 }, { maxObserve: 1000 }, 100],
    [{}, { maxObserve: 100 }, 100],
    [{ maxObserve: false }, { maxObserve: 100 }, 100],
    [{ maxObserve: 100 }, { maxObserve: false }, 100],
  ])("of user %j and project %j is the lower one", async (user, own, kept) => {
    const place = await openPlace([asks("read_file", { file_path: "a.txt" }), says("Read.")], { "a.txt": long });
    await settings(place, user);
    await project(place, own);
    await place.run(["run", "read"]);
    expect(place.heard(-1, -1).indexOf("\n(")).toBe(Math.ceil((kept * 2) / 3));
  });

  it.each([0, -1, 1.5, "100", true])("%j is none: 52", async (maxObserve) => {
    const place = await openPlace();
    await settings(place, { maxObserve });
    expect(await place.run(["run", "hi"])).toMatchObject({ code: 52 });
  });
});

describe("settings of a project that nobody has trusted yet", () => {
  it("hide and limit nothing, and one line says so and what to do", async () => {
    const look = [asks("grep", { pattern: "word" }), asks("read_file", { file_path: "hidden.js" }), says("Seen.")];
    const place = await openPlace([...look, says("Hi.")], { "hidden.js": "word word word\n" });
    const own = { ignore: ["hidden.js"], maxSteps: 1, maxObserve: 9, instructions: ["hidden.js"] };
    await place.write(".holdfast/config.json", JSON.stringify(own));
    const allow = { tool: "edit_file", paths: ["src/**"], decision: "allow" };
    await place.write(".holdfast/policy.json", JSON.stringify({ rules: [allow] }));
    const told = await place.json(["run", "look"]);
    expect([told.code, place.heard(1, -1), place.heard(0, 0)]).toEqual([
      0,
      expect.stringContaining("hidden.js:1:word word word"),
      expect.not.stringContaining("word word"),
    ]);
    expect(told.of("notice").map(({ code, text }) => `${code}: ${text}`)).toEqual([
      'untrusted: of this project not in effect until you trust it: instructions: "hidden.js"; ignore: "hidden.js"; maxSteps: 1; maxObserve: 9; 1 allow rule. To read its files and trust them: agent trust',
    ]);
    expect((await place.run(["trust", "--yes"])).code).toBe(0);
    expect((await place.json(["run", "look again"])).of("notice").map(({ code }) => code)).toEqual(["instructions"]);
  });

  it("cannot be changed after they were trusted", async () => {
    const place = await openPlace([says("Hi.")], { "rules.md": "Be kind." });
    await project(place, { instructions: [] });
    await place.write(".holdfast/config.json", JSON.stringify({ instructions: ["rules.md"] }));
    const told = await place.json(["run", "hi"]);
    expect(told.of("notice").map(({ code }) => code)).toEqual(["untrusted"]);
    expect(place.heard(0, 0)).not.toContain("Be kind.");
  });
});
