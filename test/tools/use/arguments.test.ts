import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { limits } from "../../../src/core/limits.ts";
import { defineTool, type Tool } from "../../../src/core/tool.ts";
import { parseArguments } from "../../../src/tools/use/arguments.ts";
import { parameterProblem } from "../../../src/tools/use/fill-in.ts";
import { createToolContext } from "../../../src/tools/use/run-tool.ts";

const ctx = createToolContext({ workspace: "/ws" });

const toolOf = (args: z.ZodType, more: Partial<Tool> = {}): Tool => ({
  ...defineTool({ name: "probe", description: "d", args, execute: async () => "" }),
  ...more,
});

const probe = toolOf(
  z.strictObject({
    text: z.string().optional(),
    whole: z.int().min(1).optional(),
    number: z.number().optional(),
    flag: z.boolean().optional(),
    list: z.array(z.string()).optional(),
    pairs: z.array(z.strictObject({ n: z.int() })).optional(),
    point: z.strictObject({ x: z.number(), y: z.number().optional() }).optional(),
    either: z.union([z.number(), z.array(z.number())]).optional(),
    maybe: z.string().nullable().optional(),
    mode: z.enum(["exact", "regex"]).optional(),
    free: z.record(z.string(), z.unknown()).optional(),
  }),
);

async function accepted(raw: unknown, tool = probe): Promise<unknown> {
  const parsed = await parseArguments(tool, raw, ctx);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.canonical;
}

async function refused(raw: unknown, tool = probe): Promise<string> {
  const parsed = await parseArguments(tool, raw, ctx);
  if (parsed.ok) throw new Error(`accepted as ${JSON.stringify(parsed.canonical)}`);
  expect(parsed.code).toBe("INVALID_ARGUMENT");
  return parsed.message;
}

describe("a wrong type with one obvious reading is read so", () => {
  test.each([
    [{ whole: "12" }, { whole: 12 }],
    [{ whole: "3.0" }, { whole: 3 }],
    [{ number: "3.5" }, { number: 3.5 }],
    [{ number: "-1e3" }, { number: -1000 }],
    [{ flag: "true" }, { flag: true }],
    [{ flag: "False" }, { flag: false }],
    [{ list: '["a","b"]' }, { list: ["a", "b"] }],
    [{ list: "a" }, { list: ["a"] }],
    [{ list: "[*.ts" }, { list: ["[*.ts"] }],
    [{ pairs: { n: "1" } }, { pairs: [{ n: 1 }] }],
    [{ pairs: '[{"n":"1"}]' }, { pairs: [{ n: 1 }] }],
    [{ point: '{"x":"1"}' }, { point: { x: 1 } }],
    [{ either: "7" }, { either: 7 }],
    [{ either: [1] }, { either: [1] }],
    [{ text: null }, {}],
    [{ maybe: null }, { maybe: null }],
    [{ text: "12" }, { text: "12" }],
    [{ text: "true" }, { text: "true" }],
    [{ text: '["a"]' }, { text: '["a"]' }],
  ])("%j -> %j", async (raw, wanted) => {
    expect(await accepted(raw)).toEqual(wanted);
    expect(await accepted(JSON.stringify(raw))).toEqual(wanted);
  });
});

describe("a value without such a reading is refused with field, what was given and what is wanted", () => {
  test.each([
    [{ text: 12 }, "probe: text must be a string, but 12 was given"],
    [{ whole: "abc" }, 'probe: whole must be a number, but the string "abc" was given'],
    [{ whole: "007" }, 'probe: whole must be a number, but the string "007" was given'],
    [{ whole: 0 }, "probe: whole must be at least 1, but 0 was given"],
    [{ whole: 1.5 }, "probe: whole must be a whole number, but 1.5 was given"],
    [{ whole: "1.5" }, 'probe: whole must be a number, but the string "1.5" was given'],
    [
      { number: "123456789012345678901" },
      'probe: number must be a number, but the string "123456789012345678901" was given',
    ],
    [{ number: "Infinity" }, 'probe: number must be a number, but the string "Infinity" was given'],
    [{ flag: "yes" }, 'probe: flag must be true or false, but the string "yes" was given'],
    [{ flag: 1 }, "probe: flag must be true or false, but 1 was given"],
    [{ mode: "fuzzy" }, 'probe: mode must be "exact" or "regex", but the string "fuzzy" was given'],
    [{ point: {} }, "probe: point.x is missing: a number is wanted"],
    [{ pairs: [{ n: 1 }, { n: "x" }] }, 'probe: pairs[1].n must be a number, but the string "x" was given'],
    [{ list: ["a", 2] }, "probe: list[1] must be a string, but 2 was given"],
    [{ either: "x" }, 'probe: either must be a number or an array, but the string "x" was given'],
    [{ point: '{"x":1,"x":2}' }, 'probe: point must be an object, but the string "{\\"x\\":1,\\"x\\":2}" was given'],
  ])("%j", async (raw, message) => {
    expect(await refused(raw)).toBe(message);
  });

  test("several faults come in one message, three at most", async () => {
    const message = await refused({ text: 1, whole: 0, flag: 2, mode: 3 });
    expect(message.split("; ")).toHaveLength(4);
    expect(message).toMatch(/; and 1 more$/);
  });

  test("a missing argument is named", async () => {
    expect(await refused({}, toolOf(z.strictObject({ a: z.string() })))).toBe(
      "probe: a is missing: a string is wanted",
    );
  });

  test("a huge value is quoted by its beginning only", async () => {
    expect((await refused({ whole: "x".repeat(1_000_000) })).length).toBeLessThan(200);
  });
});

describe("an unknown argument is refused", () => {
  test("with the known names and the nearest", async () => {
    const tool = toolOf(z.strictObject({ file_path: z.string(), offset: z.int().optional() }));
    expect(await refused({ filePath: "a" }, tool)).toBe(
      'probe: unknown argument "filePath" (known: file_path, offset); did you mean file_path?',
    );
    expect(await refused({ file_path: "a", zzz: 1 }, tool)).toBe(
      'probe: unknown argument "zzz" (known: file_path, offset)',
    );
  });

  test("in nested objects, where the tool's own schema would drop it silently", async () => {
    const tool = toolOf(z.object({ inner: z.array(z.object({ a: z.int().optional() })) }));
    expect(await refused({ inner: [{ a: 1, b: 2 }] }, tool)).toBe('probe: unknown argument "b" in inner[0] (known: a)');
    expect(await refused({ inner: [], other: 1 }, tool)).toBe('probe: unknown argument "other" (known: inner)');
  });

  test("in one alternative of a union, told apart by its constant", async () => {
    const shape = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), x: z.int() }),
      z.object({ kind: z.literal("b"), y: z.int() }),
    ]);
    const tool = toolOf(z.strictObject({ shape }));
    expect(await accepted({ shape: { kind: "b", y: "2" } }, tool)).toEqual({ shape: { kind: "b", y: 2 } });
    expect(await refused({ shape: { kind: "b", y: 2, x: 1 } }, tool)).toContain('unknown argument "x" in shape');
  });

  test("in an intersection, of which each part knows only its own", async () => {
    const tool = toolOf(z.strictObject({ both: z.intersection(z.object({ a: z.int() }), z.object({ b: z.int() })) }));
    expect(await accepted({ both: { a: "1", b: "2" } }, tool)).toEqual({ both: { a: 1, b: 2 } });
    expect(await refused({ both: { a: 1, b: 2, c: 3 } }, tool)).toContain('unknown argument "c" in both');
    const options = z.union([z.object({ a: z.int() }), z.object({ z: z.int() })]);
    const mixed = toolOf(z.strictObject({ both: z.intersection(options, z.object({ b: z.int() })) }));
    expect(await accepted({ both: { a: 1, b: "2" } }, mixed)).toEqual({ both: { a: 1, b: 2 } });
    expect(await refused({ both: { a: 1, b: 2, c: 3 } }, mixed)).toContain('unknown argument "c" in both');
  });

  test("but not where the schema takes any name", async () => {
    expect(await accepted({ free: { any: { name: [1] } } })).toEqual({ free: { any: { name: [1] } } });
    const loose = toolOf(z.looseObject({ a: z.int().optional() }));
    expect(await accepted({ b: 1 }, loose)).toEqual({ b: 1 });
  });

  test("when it is a name that every object has", async () => {
    expect(await refused({ constructor: 1 })).toContain('unknown argument "constructor"');
    expect(await refused({ toString: 1 })).toContain('unknown argument "toString"');
  });
});

describe("JSON text is read strictly", () => {
  test.each([
    ["cut off", '{"text":"a', /not valid JSON/],
    ["two values", "{} {}", /not valid JSON/],
    ["single quotes that do not end", "{'text':'it's'}", /not valid JSON/],
    ["single quotes around a line break", "{'text':'a\nb'}", /not valid JSON/],
    ["single quotes around a key twice", "{'text':'a','text':'b'}", /not valid JSON/],
    ["keys without quotes", "{text:'a'}", /not valid JSON/],
    ["two commas", '{"text":"a",,}', /not valid JSON/],
    ["a comma too many, cut off", '{"text":"a",', /not valid JSON/],
    ["single quotes around too large a number", "{'whole':9007199254740993}", /not valid JSON/],
    ["a comment", '{"text":"a"} // done', /not valid JSON/],
    ["an array", "[1]", /must be one JSON object, but the array \[1\] was given/],
    ["a string", '"a"', /must be one JSON object, but the string "a" was given/],
    ["a key twice", '{"text":"a","text":"b"}', /the key "text" is given twice/],
    ["a key twice, once escaped", '{"text":"a","te\\u0078t":"b"}', /the key "text" is given twice/],
    ["a key twice deep inside", '{"free":{"a":[{"b":1,"c":2,"b":3}]}}', /the key "b" is given twice/],
    ["a key __proto__", '{"__proto__":{"flag":true}}', /"__proto__" is not accepted/],
    ["a key __proto__ deep inside", '{"free":{"a":[{"__proto__":1}]}}', /"__proto__" is not accepted/],
  ])("refused: %s", async (_, text, message) => {
    expect(await refused(text)).toMatch(message);
    expect(({} as Record<string, unknown>)["flag"]).toBeUndefined();
  });

  test("the same key in two objects, and what looks like a key within text, are fine", async () => {
    const raw = { text: '"a":1,"a":2,\\"', free: { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }] } };
    expect(await accepted(JSON.stringify(raw))).toEqual(raw);
  });

  test.each<[string, string, unknown]>([
    ["single quotes", "{'text':'a'}", { text: "a" }],
    [
      "single quotes and what stands in them",
      `{'text':'say "it\\'s, [ok,]" \\\\ True'}`,
      { text: `say "it's, [ok,]" \\ True` },
    ],
    ["a trailing comma", '{"text":"a",}', { text: "a" }],
    ["commas deep inside, and blanks", '{"free":{"a":[1,2, ],\n}, }', { free: { a: [1, 2] } }],
    ["Python's words", "{'free': {'a': True, 'b': [None, False]}}", { free: { a: true, b: [null, false] } }],
    ["text within a text", JSON.stringify("{'text':'a',}"), { text: "a" }],
  ])("but JSON with one reading is read so: %s", async (_, text, args) => {
    expect(await accepted(text)).toEqual(args);
  });

  test("no text at all, null, or no text within a text is no arguments", async () => {
    for (const raw of ["", "null", ' "" ', null]) expect(await accepted(raw)).toEqual({});
    expect(await accepted(undefined)).toEqual({});
  });

  test("an object written as JSON within a JSON string is read, and as strictly", async () => {
    expect(await accepted(JSON.stringify('{"whole":"12"}'))).toEqual({ whole: 12 });
    expect(await refused(JSON.stringify('{"whole":1,"whole":2}'))).toMatch(/given twice/);
  });

  test("megabytes of text with quotes and escapes are taken as they are", async () => {
    const text = 'line "quoted" \\ back\n'.repeat(100_000);
    expect(await accepted(JSON.stringify({ text }))).toEqual({ text });
  });
});

describe("depth", () => {
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

  test("50 levels pass unchanged", async () => {
    const text = `{"free":${nested(50)}}`;
    expect(await accepted(text)).toEqual(JSON.parse(text));
  });

  test.each([300, 100_000])("%i levels are refused, not a crash", async (levels) => {
    expect(await refused(`{"free":${nested(levels)}}`)).toMatch(/nested deeper than 200 levels/);
  });

  test("a recursive schema is followed as deep as the value goes", async () => {
    interface Node {
      n: number;
      next?: Node | undefined;
    }
    const node: z.ZodType<Node> = z.strictObject({ n: z.int(), next: z.lazy(() => node).optional() });
    const tool = toolOf(z.strictObject({ node }));
    expect(await accepted({ node: { n: "1", next: { n: "2" } } }, tool)).toEqual({ node: { n: 1, next: { n: 2 } } });
    expect(await refused({ node: { n: 1, next: { n: 2, m: 3 } } }, tool)).toContain(
      'unknown argument "m" in node.next',
    );
  });
});

describe("an object that is no JSON is refused", () => {
  const cycle: Record<string, unknown> = {};
  cycle["free"] = cycle;
  test.each([
    ["a bigint", { text: 1n }, /cannot hold a bigint/],
    ["a function", { text: () => 1 }, /cannot hold a function/],
    ["a Date", { text: new Date(0) }, /cannot hold a Date/],
    ["a Map", { free: new Map() }, /cannot hold a Map/],
    ["NaN", { number: Number.NaN }, /cannot hold the number NaN/],
    ["a cycle", cycle, /nested deeper|cycle/],
  ])("%s", async (_, raw, message) => {
    expect(await refused(raw)).toMatch(message);
  });
});

describe("hidden and injected parameters", () => {
  const args = z.strictObject({ query: z.string(), user: z.string(), limit: z.int() });
  const tool = toolOf(args, {
    hidden: ["user"],
    inject: { user: (at) => at.sessionId, limit: 10 },
  });
  const at = createToolContext({ workspace: "/ws", sessionId: "s1", uid: "ada" });

  test("are filled in where absent; hidden ones are not in the canonical form", async () => {
    expect(await parseArguments(tool, { query: "q" }, at)).toEqual({
      ok: true,
      args: { query: "q", user: "s1", limit: 10 },
      canonical: { query: "q", limit: 10 },
    });
  });

  test("the canonical form parses to the same call again", async () => {
    const first = await parseArguments(tool, { query: "q", limit: "3" }, at);
    if (!first.ok) throw new Error(first.message);
    expect(await parseArguments(tool, first.canonical, at)).toEqual(first);
  });

  test.each([
    ["as it is", { query: "q", user: "root" }],
    ["as JSON text", '{"query":"q","user":"root"}'],
    ["as JSON text in JSON text", JSON.stringify('{"query":"q","user":"root"}')],
    ["and nothing of it", { query: "q", user: null }],
  ])("a hidden one is refused from the model, and is not told of: %s", async (_, raw) => {
    expect(await refused(raw, tool)).toBe('probe: unknown argument "user" (known: query, limit)');
    expect(await refused(raw, { ...tool, args: z.looseObject(args.shape) })).toContain('unknown argument "user"');
  });

  test("a hidden one comes from inject, else from the context's field of its name, else from the schema", async () => {
    const fields = ["uid", "sessionId", "workspace", "cwd", "goal", "pageUrl"];
    const all = toolOf(
      z.strictObject({
        ...Object.fromEntries(fields.map((name) => [name, z.string().default("none")])),
        callId: z.string().default("none"),
      }),
      { hidden: [...fields, "callId"], inject: { cwd: "/injected", goal: () => undefined } },
    );
    const parsed = await parseArguments(all, {}, { ...at, callId: "c1" });
    expect(parsed).toEqual({
      ok: true,
      args: {
        ...{ uid: "ada", sessionId: "s1", workspace: "/ws", cwd: "/injected", goal: "none", pageUrl: "none" },
        callId: "none",
      },
      canonical: {},
    });
  });

  test("one that nothing fills in is INVALID_ARGUMENT, and says what would", async () => {
    const asking = (name: string) => toolOf(z.strictObject({ [name]: z.string() }), { hidden: [name] });
    expect(await refused({}, asking("uid"))).toBe(
      'probe: nothing fills in its hidden parameter uid: set "uid" in config.json, or give it a default',
    );
    expect(await refused({}, asking("goal"))).toBe(
      "probe: nothing fills in its hidden parameter goal: give it an inject or a default",
    );
  });

  test("the value of a hidden one is in no refusal and not in the canonical form, whatever the schema makes of it", async () => {
    const token = "s3cret-0123456789";
    const shape = z.object({ text: z.string(), token: z.string() });
    const schemas: z.ZodType[] = [
      shape.refine(({ text }) => text !== "a", "not a"),
      z.strictObject({ text: z.string(), token: z.literal("other") }),
      z.union([z.strictObject({ n: z.int(), token: z.string() }), z.strictObject({ m: z.int(), token: z.string() })]),
      shape.transform(({ text, token: used }) => ({ text, sent: used })),
      z.looseObject(shape.shape).transform((given) => ({ ...given, sent: given.token })),
    ];
    for (const schema of schemas) {
      const signs = toolOf(schema, { hidden: ["token"], inject: { token } });
      const parsed = await parseArguments(signs, { text: "a" }, at);
      expect(JSON.stringify(parsed.ok ? parsed.canonical : parsed)).not.toContain("s3cret");
    }
    expect(await refused({ text: "a" }, toolOf(shape, { hidden: ["token"], inject: { token: 12345 } }))).toBe(
      "probe: what fills in its hidden parameter token does not fit what it takes",
    );
  });

  test("a hidden one may be anything that inject has; the defaults beside it are in the canonical form", async () => {
    const client = new Map([["a", 1]]);
    const uses = toolOf(z.strictObject({ n: z.int().default(1), client: z.instanceof(Map) }), {
      hidden: ["client"],
      inject: { client: () => client as unknown as null },
    });
    expect(await parseArguments(uses, {}, at)).toEqual({ ok: true, args: { n: 1, client }, canonical: { n: 1 } });
  });

  test("inject sees what was given, cannot change it, and is never over it", async () => {
    const seen: unknown[] = [];
    const tags = toolOf(z.strictObject({ tags: z.array(z.string()), zone: z.string(), at: z.string().optional() }), {
      inject: {
        zone: async (_, given) => {
          seen.push(structuredClone(given));
          (given["tags"] as string[]).push("mine");
          return "UTC";
        },
        tags: ["mine"],
        at: () => undefined,
      },
    });
    expect(await accepted({ tags: ["theirs"] }, tags)).toEqual({ tags: ["theirs"], zone: "UTC" });
    expect(await accepted({ tags: ["theirs"], zone: "CET", at: null }, tags)).toEqual({
      tags: ["theirs"],
      zone: "CET",
    });
    expect(seen).toEqual([{ tags: ["theirs"] }]);
  });

  test.each([
    ["a Date", () => new Date(0), /inject gives for at is no JSON: JSON cannot hold a Date/],
    ["a number that is none", () => Number.NaN, /no JSON/],
    ["itself", () => tool, /no JSON/],
    [
      "an error",
      () => {
        throw new Error("no clock");
      },
      /no clock/,
    ],
  ])("where inject gives %s for a visible one, the tool has failed", async (_, made, message) => {
    const junk = toolOf(z.strictObject({ at: z.any() }), { inject: { at: made as unknown as null } });
    await expect(parseArguments(junk, {}, at)).rejects.toThrow(message);
  });
});

describe("what is wrong with how parameters are hidden is known before a call", () => {
  const args = z.object({ text: z.string(), uid: z.string(), page: z.string().optional() });
  test.each<[string, Partial<Tool>, string | undefined]>([
    ["nothing, where the settings say who the person is", { hidden: ["uid", "page"] }, undefined],
    [
      "nothing, for a value that may come with the call",
      { hidden: ["text"], inject: { text: () => undefined } },
      undefined,
    ],
    ["a name that it has not", { hidden: ["udi"] }, "its hidden names udi, which is none of its parameters"],
    ["a name that is filled in and that it has not", { inject: { zone: 1 } }, "its inject names zone"],
    ["one text for a list", { hidden: "uid" as unknown as string[] }, "its hidden must be a list of names"],
    ["a list of what is no name", { editable: [1] as unknown as string[] }, "its editable must be a list of names"],
    ["no object", { inject: ["uid"] as unknown as Record<string, string> }, "its inject must be an object"],
    ["nothing to fill it in", { hidden: ["text"] }, "INVALID_ARGUMENT: nothing fills in its hidden parameter text"],
  ])("%s", (_, fields, problem) => {
    const found = parameterProblem(toolOf(args, fields), "ada");
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  test("the person's name to tools, where their settings do not say it", () => {
    const tool = toolOf(args, { hidden: ["uid"] });
    expect(parameterProblem(tool, undefined)).toBe(
      'INVALID_ARGUMENT: nothing fills in its hidden parameter uid: set "uid" in config.json, or give it a default',
    );
  });
});

describe("a tool's own functions", () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const hanging: [string, Partial<Tool>][] = [
    ["its validation", { validate: never }],
    ["what fills in an argument", { inject: { a: never } }],
    ["what makes its schema", { args: never }],
  ];

  test.each(hanging)("are left when the call is stopped: %s", async (_, fields) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const stop = new AbortController();
    const hangs = toolOf(z.strictObject({ a: z.int().optional() }), fields);
    const parsing = parseArguments(hangs, {}, { ...ctx, signal: stop.signal });
    stop.abort();
    await vi.advanceTimersByTimeAsync(limits.toolGrace.most);
    expect(await parsing).toEqual({
      ...{ ok: false, code: "CANCELLED" },
      message: "probe was stopped before it ran; nothing was done",
    });
  });

  test.each(hanging)("are not waited for without an end: %s", async (_, fields) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const parsing = parseArguments(toolOf(z.strictObject({ a: z.int().optional() }), fields), {}, ctx);
    await vi.advanceTimersByTimeAsync(limits.toolLookTime.most);
    expect(await parsing).toEqual({
      ...{ ok: false, code: "TIMEOUT" },
      message: "probe was not ready to run within 10 s; nothing was done",
    });
  });

  test.each([true, false, 0, "", " ", {}, [], () => "no"])(
    "have failed where the validation gives no sentence: %j",
    async (said) => {
      const tool = toolOf(z.strictObject({}), { validate: () => said as string });
      await expect(parseArguments(tool, {}, ctx)).rejects.toThrow("which is no sentence; nothing was done");
    },
  );
});

test("defaults are in the canonical form", async () => {
  const tool = toolOf(z.strictObject({ mode: z.enum(["a", "b"]).default("a") }));
  expect(await accepted({}, tool)).toEqual({ mode: "a" });
});

test("a schema that transforms keeps what was given as the canonical form, so that it parses again", async () => {
  const tool = toolOf(z.strictObject({ day: z.string().transform((text) => new Date(text)) }));
  const parsed = await parseArguments(tool, { day: "2026-01-01" }, ctx);
  expect(parsed).toEqual({ ok: true, args: { day: new Date("2026-01-01") }, canonical: { day: "2026-01-01" } });
});

test("the tool's own validation speaks last", async () => {
  const tool = toolOf(z.strictObject({ a: z.int() }), { validate: async (args) => `no: ${JSON.stringify(args)}` });
  expect(await refused({ a: "1" }, tool)).toBe('probe: no: {"a":1}');
});

test("a schema made for the context is used", async () => {
  const tool = toolOf(z.never(), { args: async (at) => z.strictObject({ in: z.literal(at.workspace) }) });
  expect(await accepted({ in: "/ws" }, tool)).toEqual({ in: "/ws" });
});
