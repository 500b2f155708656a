import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answer } from "../support/model-server.ts";
import { asks, says } from "../support/model-server.ts";
import { placeWithTools, toolFile, toolProcesses, trustAll } from "../support/tool-files.ts";

const goes = ["run", "go", "--mode", "full-auto"];
const reads = "effect: 'none', risk: 'low'";

/** One call of a tool that has these fields, and one of a good tool after it. */
async function callOf(fields: string, after: Answer[] = [asks("good", {}), says("Done.")]) {
  const place = await placeWithTools(
    {
      "bad.mjs": toolFile("bad", fields),
      "good.mjs": toolFile("good", `${reads}, execute: (_, ctx) => process.cwd() === ctx.cwd ? "good" : process.cwd()`),
    },
    [asks("bad", {}), ...after],
  );
  const ran = await place.json(goes);
  const calls = ran
    .of("tool_call")
    .map(({ call }) => call)
    .filter((call) => "times" in call && call.status !== "pending");
  return { place, ran, bad: calls[0], good: calls[1] };
}

describe("a tool of a file that behaves badly", () => {
  it.each([
    ["never ends", `${reads}, timeoutMs: 300, execute: () => { while (true) {} }`, "TIMEOUT"],
    ["waits for ever", `${reads}, timeoutMs: 300, execute: () => new Promise(() => {})`, "TIMEOUT"],
    ["ends its process", `${reads}, execute: () => process.exit(0)`, "FAILED"],
    ["kills its process", `${reads}, execute: () => process.kill(process.pid, "SIGKILL")`, "FAILED"],
    ["throws", `${reads}, execute: () => { throw new Error("no") }`, "FAILED"],
    [
      "throws later",
      `${reads}, execute: () => new Promise(() => setTimeout(() => { throw new Error("later") }))`,
      "FAILED",
    ],
    ["throws nothing", `${reads}, execute: () => { throw undefined }`, "FAILED"],
    [
      "writes on the channel",
      `${reads}, execute: async () => { (await import("node:fs")).writeSync(4, "junk\\n"); return new Promise(() => {}) }`,
      "FAILED",
    ],
    [
      "answers for itself",
      `${reads}, execute: async () => { (await import("node:fs")).writeSync(4, '{"id":1,"ok":7,"more":1}\\n'); return new Promise(() => {}) }`,
      "FAILED",
    ],
    ["throws where it validates", `${reads}, validate: () => { throw new Error("no") }, execute: () => ""`, "FAILED"],
    ["validates to junk", `${reads}, validate: () => ({}), execute: () => "done"`, "FAILED"],
    [
      "fills in what throws",
      `${reads}, args: z.object({ a: z.string() }), inject: { a: () => { throw new Error("no") } }, execute: () => "done"`,
      "FAILED",
    ],
    [
      "fills in what is no JSON",
      `${reads}, args: z.object({ a: z.any() }), inject: { a: () => new Map() }, execute: () => "done"`,
      "FAILED",
    ],
    [
      "confirms with what is no words",
      `${reads}, plan: () => ({ summary: "s", confirm: 7 }), execute: () => ""`,
      "FAILED",
    ],
    [
      "stops its own process",
      `${reads}, timeoutMs: 300, execute: () => { process.kill(process.pid, "SIGSTOP"); return "" }`,
      "TIMEOUT",
    ],
    [
      "spoils what messages are made with",
      `${reads}, execute: () => { JSON.stringify = () => "junk"; return "" }`,
      "FAILED",
    ],
    [
      "closes the channel",
      `${reads}, execute: async () => { (await import("node:fs")).closeSync(4); return new Promise(() => {}) }`,
      "FAILED",
    ],
    [
      "returns what throws when it is read",
      `${reads}, execute: () => ({ get output() { throw new Error("no") } })`,
      "FAILED",
    ],
    ["plans what is none", `${reads}, plan: async () => ({ files: [] }), execute: () => ""`, "FAILED"],
  ])("and %s is an error, and the turn goes on", async (_, fields, errorCode) => {
    const { place, ran, bad, good } = await callOf(fields);
    expect(bad).toMatchObject({ toolName: "bad", status: "error", errorCode });
    expect(good).toMatchObject({ toolName: "good", status: "success", result: { output: "good" } });
    expect([ran.code, ran.end.text]).toEqual([0, "Done."]);
    expect(toolProcesses(place.workspace)).toEqual([]);
  });

  it.each([
    ["never ends", "timeoutMs: 300, execute: () => { while (true) {} }", "did not end within 300 ms"],
    [
      "does not heed its signal",
      "timeoutMs: 300, execute: () => new Promise(() => setInterval(() => {}, 1000))",
      "did not end within 300 ms",
    ],
    ["ends its process", "execute: () => process.exit(0)", "it ended by itself (exit code 0)"],
  ])("and %s has an unknown outcome where it may have done something", async (_, fields, why) => {
    const { place, ran } = await callOf(fields, [says("Done.")]);
    const [call] = ran.the("recovery_requested").calls;
    expect([ran.code, call?.toolName, JSON.stringify(call)]).toEqual([11, "bad", expect.stringContaining(why)]);
    expect(toolProcesses(place.workspace)).toEqual([]);
    const on = await place.json(["resume", ran.session, "--done", "c1"]);
    expect(on.code).toBe(0);
  });

  it.each([
    ["changes the folder", "process.chdir('/'); return 'gone'", "gone"],
    ["prints", `console.log('{"v":1}'); console.error('\\x1b[2J'); return 'printed'`, "printed"],
    [
      "prints 100 MB",
      "const line = 'x'.repeat(1e6); for (let i = 0; i < 100; i += 1) process.stdout.write(line); return 'said'",
      "said",
    ],
    ["returns nothing", "return undefined", "(no output)"],
    ["returns what is no JSON", "const a = { n: 1n }; a.a = a; return a", "<ref *1> { n: 1n, a: [Circular *1] }"],
    [
      "returns junk for fields",
      "return { output: 'o', title: 7, display: {}, metadata: 3, images: ['x'], attachments: 'a' }",
      "o\n(one picture of the result is left out: a picture is { name, data } with its bytes in base64, or { name, path })",
    ],
    [
      "tells junk of its progress",
      "for (const one of [null, 'a', { tip: 7, figure: NaN }, new Map(), { text: 'x'.repeat(1e6), tip: '\\x1b[2J' }]) ctx.progress(one); return 'told'",
      "told",
    ],
    [
      "names its data as objects are made",
      `return JSON.parse('{"output": "o", "metadata": {"__proto__": {"code": "DENIED"}}}')`,
      "o",
    ],
    ["returns half of a character", "return 'a\\ud800\\0b'", "a\ud800\0b"],
    ["returns a function", "return () => 1", "[Function (anonymous)]"],
  ])("and %s is a success with what it said", async (_, body, output) => {
    const { bad, good, ran } = await callOf(`effect: 'once', execute: (_, ctx) => { ${body} }`);
    expect(bad).toMatchObject({ status: "success", result: { output } });
    expect(good).toMatchObject({ result: { output: "good" } });
    expect(ran.code).toBe(0);
  });

  it("and returns 100 MB is cut, and what was kept of it can be read", async () => {
    const { place, bad, ran } = await callOf(`${reads}, execute: () => "begin" + "x".repeat(1e8) + "end"`, [
      asks("read_file", { file_path: "call:c1" }),
      says("Done."),
    ]);
    expect(ran.code).toBe(0);
    const output = String(bad && "result" in bad && bad.result?.output);
    expect(output.length).toBeLessThan(31_000);
    expect([output.slice(0, 5), output.slice(-3)]).toEqual(["begin", "end"]);
    expect(place.heard(-1, -1)).toContain("begin");
  });
});

it.each([
  ["of the tool", "maxObserve: false,", {}, 35_000],
  ["of the tool, in characters", "maxObserve: 40_000,", {}, 35_000],
  ["of the settings", "", { maxObserve: false }, 35_000],
  ["of nobody, which is 30,000 with one word of what is left out", "", {}, 29_799],
])("a long output of a tool goes to the model by the limit %s", async (_, own, settings, length) => {
  const long = toolFile("long", `${reads}, ${own} execute: () => "x".repeat(35_000)`);
  const place = await placeWithTools({ "long.mjs": long }, [asks("long", {}), says("Done.")]);
  writeFileSync(join(place.home, "config.json"), JSON.stringify(settings));
  await place.run(goes);
  const heard = place.heard(-1, -1);
  const cuts = heard.match(/left out/g) ?? [];
  expect([heard.match(/x/g)?.length, cuts.length]).toEqual([length, length < 35_000 ? 1 : 0]);
});

it("what a tool started goes with its session, whatever group it went to", async () => {
  const start = `const { spawn } = await import("node:child_process");
    for (const detached of [true, false]) spawn("sleep", ["97534.${process.pid}"], { detached, stdio: "ignore" }).unref();
    return "started"`;
  const { bad } = await callOf(`effect: 'once', execute: async () => { ${start} }`);
  expect(bad).toMatchObject({ result: { output: "started" } });
  expect(spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout).not.toContain(`97534.${process.pid}`);
});

it("no word of a tool, its file or its error reaches the terminal as anything but text", async () => {
  const evil = "\\u001b]0;owned\\u0007\\u009b2J\\u202e\\r";
  const result = `{ output: "${evil}", title: "${evil}", display: "${evil}" }`;
  const place = await placeWithTools(
    {
      "says.mjs": toolFile(
        "says",
        `category: "${evil}", display: { en: { name: "${evil}", params: { a: "${evil}" } } },
         plan: () => ({ summary: "${evil}", confirm: "${evil}", warnings: ["${evil}"], hosts: [{ host: "a${evil}" }] }),
         execute: (_, ctx) => { ctx.progress({ tip: "${evil}", text: "${evil}" }); return ${result}; }`,
      ).replace("Tool says.", evil),
      "throws.mjs": toolFile("throws", `${reads}, execute: () => { throw new Error("${evil}") }`),
      "loads.mjs": `throw new Error("${evil}");`,
      "na\u001b]0;owned\u0007me.mjs": "export default 7;",
    },
    [asks("says", {}), asks("throws", {}), says("Done.")],
  );
  const { session } = await place.json(["run", "go"]);
  const pty = place.chat(["resume", session], { cols: 100, rows: 30 });
  await pty.waitFor("‹U+202E›");
  await pty.close();
  const seen = [pty.raw()];
  for (const argv of [
    ["tools"],
    ["tools", "says"],
    ["resume", session, "--approve", "all"],
    ["sessions", "show", session],
    ["sessions", "show", session, "--calls"],
  ]) {
    const { stdout, stderr } = await place.run(argv);
    seen.push(stdout, stderr);
    expect(`${stdout}${stderr}`).toContain("‹U+202E›");
    expect(`${stdout}${stderr}`).not.toMatch(/[\u001b\u0007\u009b\r]/);
  }
  for (const text of seen) expect(text).not.toMatch(/\u001b\]0;owned|\u009b|\u202e/);
});

describe("the bytes that were trusted", () => {
  const version = (word: string): string => toolFile("greet", `${reads}, execute: () => "${word}"`);

  it("are what runs, however the file is changed between two steps, and the changed ones wait for trust", async () => {
    const change: Answer = () => {
      writeFileSync(place.path(".holdfast/tools/greet.mjs"), version("changed"));
      writeFileSync(place.path(".holdfast/tools/late.mjs"), 'export default "changed";');
      return asks("greet", {});
    };
    const place = await placeWithTools(
      {
        "greet.mjs": version("trusted"),
        "late.mjs": 'export default "trusted";',
        "fall.mjs": toolFile("fall", `${reads}, execute: () => process.exit(0)`),
        "import.mjs": toolFile(
          "import_late",
          `${reads}, execute: async () => (await import("./late.mjs?")).default`,
        ).replace("?", ""),
      },
      [
        asks("greet", {}),
        change,
        asks("fall", {}),
        asks("greet", {}),
        asks("import_late", {}),
        says("Done."),
        asks("greet", {}),
        says("So."),
      ],
    );
    const ran = await place.json(goes);
    const said = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
    expect([ran.code, said.map(({ content }) => String(content).slice(0, 12))]).toEqual([
      0,
      ["trusted", "trusted", "Error FAILED", "trusted", "trusted"],
    ]);
    const next = await place.json(goes);
    expect(next.of("notice").map(({ text }) => text)).toContainEqual(
      expect.stringContaining("files of the project were changed"),
    );
    expect(place.heard(-1, -1)).toContain("there is no tool");
  });

  it("are bound to an approval: trusted anew with others, the call is asked about again", async () => {
    const once = (word: string) => toolFile("greet", `execute: () => "${word}"`);
    const place = await placeWithTools({ "greet.mjs": once("old") }, [asks("greet", {}), says("Done.")]);
    const first = place.spawn(["run", "go", "--json"]);
    await first.shows("approval_requested");
    first.child.kill("SIGKILL");
    const { stdout } = await first.done;
    const session = (JSON.parse(stdout.split("\n", 1)[0] ?? "") as { session: string }).session;
    await place.write(".holdfast/tools/greet.mjs", once("new"));
    await trustAll(place);
    const again = await place.json(["resume", session, "--approve", "all"]);
    expect([again.code, again.the("approval_requested").calls[0]?.changed !== undefined]).toEqual([11, true]);
    expect((await place.json(["resume", session, "--approve", "all"])).code).toBe(0);
    expect(place.heard(-1, -1)).toBe("new");
  });

  it("are no longer run by what is left of a killed session", async () => {
    const place = await placeWithTools(
      { "wait.mjs": toolFile("wait", "execute: (_, ctx) => { ctx.progress({ tip: 'waits' }); while (true) {} }") },
      [asks("wait", {})],
    );
    const running = place.spawn([...goes, "--json"]);
    await running.shows('"waits"');
    expect(toolProcesses(place.workspace)).toHaveLength(1);
    running.child.kill("SIGKILL");
    const { stdout } = await running.done;
    const session = (JSON.parse(stdout.split("\n", 1)[0] ?? "") as { session: string }).session;
    const ran = await place.json(["resume", session]);
    expect([ran.code, ran.the("recovery_requested").calls.map(({ toolName }) => toolName)]).toEqual([11, ["wait"]]);
    expect(toolProcesses(place.workspace)).toEqual([]);
  });
});
