import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "./support.ts";

/** What a program prints that is told these lines. */
async function runs(place: Place, path: string, args: readonly string[], lines: readonly string[]) {
  const { child, ended, printed, errors } = place.start(path, args);
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  return { end: await ended, errors: errors(), printed: printed() };
}

describe("the example of a tool of one's own", () => {
  it("does what was said yes to, once", async () => {
    const place = await openPlace();
    expect(await runs(place, "custom-tool.mjs", [], ["y"])).toEqual({
      end: 0,
      errors: "",
      printed: "put on the board: No water on Monday from 9 to 11.\nDo it? [y/N] That is all there was to do.\n",
    });
    expect(place.text("board.txt")).toBe("No water on Monday from 9 to 11.\n");
  });

  it("does nothing where nobody says yes", async () => {
    const place = await openPlace();
    expect(await runs(place, "custom-tool.mjs", [], [])).toMatchObject({ end: 0, errors: "" });
    expect(place.text("board.txt")).toBeUndefined();
  });
});

describe("the example of a browser of one's own", () => {
  it("logs in with a password and a code that are typed and never told", async () => {
    const place = await openPlace();
    const { end, errors, printed } = await runs(place, "own-browser.mjs", [], ["y", "y", "y"]);
    expect([end, errors]).toEqual([0, ""]);
    expect(printed).toContain('"<secret>SITE_PASSWORD</secret>" is in password.');
    expect(printed).toMatch(/You are in: 2 new letters\.\nYou are in\. There are 2 new letters\.\n$/);
    expect(printed).not.toMatch(/correct-horse|JBSWY3DP|\b\d{6}\b/);
  });

  it("types nothing where nobody says yes", async () => {
    const place = await openPlace();
    const { printed } = await runs(place, "own-browser.mjs", [], []);
    expect(printed).not.toContain(" is in password.");
    expect(printed).not.toContain("You are in:");
  });
});

it.each([
  ["docs/embedding.md", "createAgent("],
  ["docs/langgraph.md", "createGraph("],
  ["README.md", "createAgent("],
])("runs the program of %s that calls %s) as it stands, with another model and places", async (name, calls) => {
  const place = await openPlace();
  const page = await readFile(new URL(`../../${name}`, import.meta.url), "utf8");
  const blocks = [...page.matchAll(/```[jt]s\n(.*?)```/gsu)].map(([, block = ""]) => block);
  const { code } = await transform(blocks.find((block) => block.includes(calls)) ?? "", { loader: "ts" });
  const model = await place.script("model.ndjson", [writes("LICENSE", "free\n"), { text: "Done." }]);
  const [own, packages] = [new URL("../../", import.meta.url), join(place.root, "node_modules")];
  await mkdir(packages);
  await symlink(fileURLToPath(own), join(packages, "holdfast"));
  await symlink(fileURLToPath(new URL("node_modules/@langchain", own)), join(packages, "@langchain"));
  const file = join(place.root, "program.mjs");
  const places = code.replace("/srv/agent", place.root).replace("/srv/work", place.workspace);
  await writeFile(file, places.replace('"openai:gpt-5"', JSON.stringify(model)));
  const { ended, printed, errors } = place.run(file, []);
  expect([await ended, errors()]).toEqual([0, ""]);
  expect(printed()).toContain("+free");
  expect(place.text("LICENSE")).toBe("free\n");
});

it("starts each program by the line that stands in examples/README.md", async () => {
  const page = await readFile(new URL("../../examples/README.md", import.meta.url), "utf8");
  const lines = [...page.matchAll(/node examples\/([\w/.-]+\.mjs)([^\n#`]*)/gu)];
  expect(new Set(lines.map(([, path]) => path))).toEqual(
    new Set(["custom-tool.mjs", "own-browser.mjs", "web-service/server.mjs", "bot.mjs"]),
  );
  for (const [, path = "", args = ""] of lines) {
    const { child, ended, printed, errors } = (await openPlace()).start(path, args.split(" ").filter(Boolean));
    child.stdin.end("note it\n");
    await expect.poll(() => printed() + errors(), { timeout: 60_000 }).not.toBe("");
    child.kill("SIGTERM");
    await ended;
    expect(errors()).toBe("");
  }
});

const writes = (file_path: string, content: string) => ({
  calls: [{ name: "write_file", arguments: { file_path, content } }],
});

describe("the example of a bot", () => {
  it("does what a rule allows, and is not led out of it by a path, a protected name or a command", async () => {
    const place = await openPlace();
    await writeFile(join(place.workspace, "main.js"), "1\n");
    const model = await place.script("attack.ndjson", [
      writes("notes/a.md", "a\n"),
      { text: "Noted." },
      writes("notes/../main.js", "2\n"),
      writes("notes/.env", "KEY=1\n"),
      writes("notes/bot.db-shm-2", "free\n"),
      writes("notes/bot.db-made", "forged\n"),
      writes("../outside.txt", "out\n"),
      { calls: [{ name: "shell", arguments: { command: "rm -rf main.js; echo 3 > main.js" } }] },
      { text: "I could do none of it." },
    ]);
    await mkdir(join(place.workspace, "notes"));
    const at = ["--store", "notes/bot.db", "--model", model];
    expect(await runs(place, "bot.mjs", at, ["note it", "now the program"])).toEqual({
      end: 0,
      errors: "",
      printed: "Noted.\nI could do none of it.\n",
    });
    const names = ["notes/a.md", "main.js", "notes/.env", "../outside.txt"];
    expect(names.map(place.text)).toEqual(["a\n", "1\n", undefined, undefined]);
    expect(place.text("notes/bot.db-shm-2")).toBe("free\n");
    expect(place.text("notes/bot.db-made")).not.toBe("forged\n");
  });

  it("goes on with its talk after kill -9, and does nothing twice", async () => {
    const place = await openPlace();
    const at = ["--store", join(place.root, "bot.db")];
    const first = place.start("bot.mjs", at);
    first.child.stdin.write("note it\n");
    await expect.poll(first.printed).toBe("It is in notes/today.md.\n");
    first.child.kill("SIGKILL");
    expect(await first.ended).toBe("SIGKILL");
    await writeFile(join(place.workspace, "notes/today.md"), "mine now\n");
    expect(await runs(place, "bot.mjs", at, ["and the program"])).toMatchObject({
      end: 0,
      printed: "I may write in notes/ only.\n",
    });
    expect(place.text("notes/today.md")).toBe("mine now\n");
  });
});
