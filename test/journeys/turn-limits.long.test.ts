import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOutputSchema } from "../../src/cli/settings/output-schema.ts";
import { endLater, runs } from "../process/support.ts";
import { openPlace, told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { placeWithTools, toolFile, toolProcesses } from "../support/tool-files.ts";

const goes = ["run", "go", "--mode", "full-auto"];
const person = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] };

/** A tool that starts a process outside of its group and without a trace in its environment, and writes its number down. */
const starts = (name: string, then: string, more = ""): string =>
  `import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
${toolFile(
  name,
  `${more} execute: (_, { signal }) => {
    const child = spawn("/bin/sleep", ["1000"], { detached: true, env: {}, stdio: "ignore" });
    child.unref();
    writeFileSync("${name}.pid", String(child.pid));
    ${then}
  }`,
)}`;

describe("a tool that comes to its time limit", () => {
  it("is stopped with all that it started: told as an error where it heeds its signal, as unknown where it does not", async () => {
    const heeds = "return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));";
    let left: boolean | undefined;
    const place = await placeWithTools(
      { "heeds.mjs": starts("heeds", heeds), "ignores.mjs": starts("ignores", "while (true) {}") },
      [
        asks("heeds", {}),
        async () => {
          const pid = Number(await place.read("heeds.pid"));
          endLater(pid);
          left = runs(pid);
          return asks("ignores", {});
        },
        says("Done."),
      ],
    );
    writeFileSync(join(place.home, "config.json"), JSON.stringify({ toolTimeoutMs: 3_000 }));
    const ran = told(await place.spawn([...goes, "--json"]).done);
    expect(place.heard(1, -1)).toBe("Error TIMEOUT: heeds did not end within 3000 ms and was stopped");
    expect(left).toBe(false);
    expect(ran.end).toMatchObject({ reason: "awaiting_recovery", exitCode: 11 });
    expect(ran.the("recovery_requested").calls).toMatchObject([
      { toolName: "ignores", known: expect.stringContaining("did not end within 3000 ms") },
    ]);
    const ignored = Number(await place.read("ignores.pid"));
    endLater(ignored);
    expect([runs(ignored), toolProcesses(place.workspace)]).toEqual([false, []]);
    const on = await place.json(["resume", ran.session, "--cancel", "all"]);
    expect(on.end).toMatchObject({ reason: "done", exitCode: 10, text: "Done." });
    expect(place.heard(-1, -1)).toContain("Outcome unknown");
  });
});

describe("a tool that fails again and again", () => {
  it("is told to the model, and ends the turn with 53, though the model does other things between", async () => {
    const answers = [1, 2, 3, 4, 5].flatMap((n) => [asks("build", { n }), asks("ls", {})]);
    const fails = toolFile("build", "risk: 'low', execute: () => { throw new Error('no compiler') }").replace(
      "z.object({})",
      "z.object({ n: z.number() })",
    );
    const place = await placeWithTools({ "build.mjs": fails }, answers);
    const ran = await place.spawn(goes).done;
    expect([ran.code, ran.stdout]).toEqual([53, ""]);
    expect(ran.stderr).toContain("error: build failed with FAILED 5 times, and no file was changed in between");
    expect(place.server.requests).toHaveLength(9);
    expect(place.heard(5, -2)).toContain("no compiler");
    expect(place.heard(5, -1)).toMatch(/build has failed 3 times with FAILED.*after 2 more the turn ends/);
  });
});

describe("--tool-choice", () => {
  it("none: a call is not run, and the run ends with 10", async () => {
    const place = await placeWithTools(
      { "mark.mjs": toolFile("mark", "execute: async () => (await import('node:fs')).writeFileSync('mark', '')") },
      [asks("mark", {}), says("I cannot.")],
    );
    const ran = told(await place.spawn([...goes, "--tool-choice", "none", "--json"]).done);
    expect(place.server.requests.map(({ body }) => body.tool_choice)).toEqual(["none", "none"]);
    expect([ran.code, ran.end.text, place.has("mark")]).toEqual([10, "I cannot.", false]);
    expect(ran.the("decision")).toMatchObject({ callId: "c1", decision: "deny", by: "policy", rule: "tool-choice" });
    const shown = await place.run(["sessions", "show", ran.session]);
    expect(shown.stdout).toContain("no tool is to be called");
  });

  it("required: asked for until the first call, with tools that end the turn", async () => {
    const place = await openPlace([says("Hm."), asks("ls", {}), asks("attempt_completion", { result: "Seen." })]);
    const ran = await place.run(["run", "go", "--tool-choice", "required"]);
    expect([ran.code, ran.stdout]).toEqual([0, "Seen.\n"]);
    expect(place.server.requests.map(({ body }) => body.tool_choice)).toEqual(["required", "required", "auto"]);
    place.server.push(says("Hm."), says("No."));
    const failed = await place.run(["run", "go", "--tool-choice", "required"]);
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    expect(failed.stderr).toContain("a tool was to be called");
  });
});

describe("--output-schema", () => {
  it("prints the JSON alone, also where the process was killed between two tries", async () => {
    const place = await openPlace([
      says("He is three."),
      () => {
        running.child.kill("SIGKILL");
        return { hangAfter: 0 };
      },
      says('{"age": "3"}'),
      says('```json\n{"age": 3, "name": "\u202eOtter"}\n```'),
    ]);
    await place.write("schema.json", JSON.stringify(person));
    const running = place.spawn(["run", "how old?", "--output-schema", "schema.json"]);
    const killed = await running.done;
    expect([killed.signal, killed.stdout]).toEqual(["SIGKILL", ""]);
    expect(killed.stderr).toContain("this is not taken for the answer: not valid JSON");
    const ran = await place.spawn(["resume"]).done;
    expect([ran.code, ran.stdout]).toEqual([0, '{"age":3,"name":"\\u202eOtter"}\n']);
    expect(ran.stderr).toContain('/age: Instance type "string" is invalid. Expected "integer"');
    const again = await place.json(["resume"]);
    expect(again.end).toMatchObject({ exitCode: 0, output: { age: 3, name: "\u202eOtter" } });
    expect(place.server.requests).toHaveLength(4);
  });

  it("comes along where the session is forked between two tries", async () => {
    const place = await openPlace([says("He is three."), says('{"age": 3}')]);
    await place.write("schema.json", JSON.stringify(person));
    const asked = ["run", "how old?", "--output-schema", "schema.json", "--max-steps", "1"];
    const { end, session } = await place.json(asked);
    expect(end).toMatchObject({ reason: "max_steps", exitCode: 53 });
    const forked = await place.run(["sessions", "fork", session, "--json"]);
    const { id } = JSON.parse(forked.stdout) as { id: string };
    const ran = await place.run(["resume", id]);
    expect([ran.code, ran.stdout]).toEqual([0, '{"age":3}\n']);
  });

  it("prints nothing and ends with 1 where no try fits", async () => {
    const place = await openPlace([says("1"), asks("attempt_completion", { result: "{}" }), says("3")]);
    await place.write("schema.json", JSON.stringify(person));
    const ran = await place.run(["run", "how old?", "--output-schema", place.path("schema.json")]);
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).toMatch(
      /error: the turn was to end with JSON .* Instance type "number" is invalid. Expected "object"/,
    );
    const again = await place.run(["resume"]);
    expect([again.code, again.stdout]).toEqual([1, ""]);
  });

  it.each<[string, string | Buffer | undefined, string]>([
    ["missing", undefined, ": there is no such file"],
    ["empty", " \n", " is empty"],
    ["no text", Buffer.from([0xff, 0xfe, 0]), ": it is not UTF-8"],
    ["no JSON", "{type: 'object'}", " is not valid JSON"],
    ["no JSON that has one reading", '{"type": "string", "type": "null"}', 'the key "type"'],
    ["no schema", '{"name": "Otter"}', ": no keyword of JSON Schema is in it"],
    ["a list", "[]", ": a schema is a JSON object"],
    ["of another kind", '{"type": "str"}', ": /type: it has to be one of"],
    ["huge", `{"description": "${"x".repeat(300_000)}"}`, "the limit for this is 0.3 MB"],
    ["deep", `${'{"not":'.repeat(300)}{}${"}".repeat(300)}`, "200 levels"],
    [
      "pointing to the network",
      '{"$ref": "http://127.0.0.1:9/s.json"}',
      "leads out of the schema, and nothing else is read",
    ],
    ["pointing to a file", '{"properties": {"a": {"$ref": "file:///etc/passwd"}}}', "leads out of the schema"],
  ])("refuses a file that is %s, and says so", async (_, bytes, why) => {
    const place = await openPlace();
    if (bytes !== undefined) writeFileSync(place.path("schema.json"), bytes);
    const read = readOutputSchema("schema.json", place.workspace);
    await expect(read).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(why) });
    await expect(read).rejects.toMatchObject({ message: expect.stringContaining(place.path("schema.json")) });
  });

  it("that cannot be taken ends the command before the model is asked, as does one without a prompt", async () => {
    const place = await openPlace([says("Well.")]);
    const ran = await place.run(["run", "go", "--output-schema", "."]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain("it is a folder, not a file");
    expect(place.server.requests).toEqual([]);
    await place.write("schema.json", "{}");
    expect((await place.run(["run", "hello"])).code).toBe(0);
    const resumed = await place.run(["resume", "--output-schema", "schema.json"]);
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining("for the turn that a prompt begins")]);
  });
});

describe("endTools", () => {
  it("of the settings offers tools that end a turn in each, and lists them", async () => {
    const place = await openPlace([asks("terminate", { status: "success" })]);
    expect((await place.run(["tools"])).stdout).not.toContain("terminate");
    writeFileSync(join(place.home, "config.json"), JSON.stringify({ endTools: true }));
    const lines = (await place.run(["tools", "--json"])).stdout.trimEnd().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as { name: string; endsTurn: boolean; risk: string });
    expect(rows.filter(({ endsTurn }) => endsTurn)).toMatchObject([
      { name: "attempt_completion", source: "builtin", risk: "low", effect: "none" },
      { name: "terminate", source: "builtin", risk: "low", effect: "none" },
    ]);
    const ran = await place.run(["run", "go"]);
    expect([ran.code, ran.stdout]).toEqual([0, "success\n"]);
  });
});
